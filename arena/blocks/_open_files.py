"""How much room a process has for open files, of which every process of a bot needs some."""

from __future__ import annotations

from arena.machine.open_files import allow_open_files

FILES = 1 << 16
"""The limit of open files of a worker, if the host allows so many."""
FILES_EACH = 10
"""How many open files a worker has for each process of a bot, at most."""
FILES_BESIDE = 64
"""How many it has besides."""


def allow_many_files() -> int:
    """Raise the limit of open files as far as is useful; return for how many processes it is."""
    return (allow_open_files(FILES) - FILES_BESIDE) // FILES_EACH
