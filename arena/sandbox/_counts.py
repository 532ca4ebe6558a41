"""The files in /proc that count for the whole host: a bot sees an old copy of them, or nothing.

One bot could change such a number, and another read it, even though they never run at once.
"""

from __future__ import annotations

import stat
from functools import cache
from pathlib import Path

COPIED = ("cpuinfo", "loadavg", "meminfo", "stat", "uptime")
"""Files that runtimes read. Bots see them as they were when the referee started its first bot."""
HIDDEN = (
    "buddyinfo",
    "diskstats",
    "interrupts",
    "kpagecount",
    "latency_stats",
    "locks",
    "pagetypeinfo",
    "pressure",
    "sched_debug",
    "schedstat",
    "slabinfo",
    "softirqs",
    "sys/fs",
    "timer_list",
    "vmallocinfo",
    "vmstat",
    "zoneinfo",
)
"""Files and directories that no runtime needs, with numbers that a bot can change."""
PROC = Path("/proc")


@cache
def copies() -> dict[Path, bytes]:
    """Return the contents of the files that bots see a copy of, the same for all of them."""
    return {path: path.read_bytes() for path in map(PROC.joinpath, COPIED) if path.exists()}


@cache
def hidden() -> tuple[Path, ...]:
    """Return the files and directories that everybody could read, and that no bot sees."""
    there = [path for path in map(PROC.joinpath, HIDDEN) if path.exists()]
    return tuple(path for path in there if path.stat().st_mode & stat.S_IROTH)
