"""How much room a host has for processes of bots: memory, tasks and open files."""

from __future__ import annotations

from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit

from arena.machine.calls import short_of_memory

TASKS = 0.5
"""The fraction of the tasks that a host can have, above which no more processes are kept."""
FILES = 1 << 16
"""The limit of open files of a worker, if the host allows so many."""
FILES_EACH = 10
"""How many open files a worker has for each process of a bot, at most."""
FILES_BESIDE = 64
"""How many it has besides."""
_MOST_TASKS = tuple(Path("/proc/sys/kernel") / name for name in ("pid_max", "threads-max"))


def short_of_room() -> bool:
    """Whether the host has too little memory, or too many tasks, to keep more processes."""
    return short_of_memory() or _short_of_tasks()


def allow_many_files() -> int:
    """Raise the limit of open files as far as is useful; return for how many processes it is."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    wanted = max(soft, min(FILES, hard))
    setrlimit(RLIMIT_NOFILE, (wanted, hard))
    return (wanted - FILES_BESIDE) // FILES_EACH


def _short_of_tasks() -> bool:
    try:
        # The fourth word is such as 2/345: tasks that run, and all.
        words = Path("/proc/loadavg").read_text(encoding="ascii").split()
        most = min(int(path.read_text(encoding="ascii")) for path in _MOST_TASKS)
    except FileNotFoundError:
        return False  # not Linux
    return int(words[3].partition("/")[2]) > TASKS * most
