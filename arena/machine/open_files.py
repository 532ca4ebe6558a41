"""How many files this process may have open: the limit, raised as far as it is useful."""

from __future__ import annotations

from resource import RLIMIT_NOFILE, getrlimit, setrlimit


def allow_open_files(wanted: int) -> int:
    """Raise the limit to so many open files, if the host allows it; return what it is then."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    allowed = max(soft, min(wanted, hard))
    setrlimit(RLIMIT_NOFILE, (allowed, hard))
    return allowed
