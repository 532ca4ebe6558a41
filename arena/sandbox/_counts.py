"""The files in /proc that count for the whole host: a bot sees an old copy of them, or nothing.

One bot could change such a number, and another read it, even though they never run at once.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

COPIED = ("cpuinfo", "loadavg", "meminfo", "stat", "uptime")
"""Files that runtimes read. Bots see them as they were when the referee started its first bot."""
HIDDEN = (
    "buddyinfo",
    "bus",
    "cgroups",
    "consoles",
    "crypto",
    "diskstats",
    "driver",
    "fs",
    "interrupts",
    "iomem",
    "irq",
    "kallsyms",
    "key-users",
    "keys",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "latency_stats",
    "locks",
    "mdstat",
    "modules",
    "pagetypeinfo",
    "partitions",
    "pressure",
    "sched_debug",
    "schedstat",
    "scsi",
    "slabinfo",
    "softirqs",
    "swaps",
    "sys/fs/aio-nr",
    "sys/fs/dentry-state",
    "sys/fs/file-nr",
    "sys/fs/inode-nr",
    "sys/fs/inode-state",
    "sys/kernel/pty",
    "sys/kernel/random/entropy_avail",
    "sys/vm/numa_stat",
    "sys/vm/stat_refresh",
    "timer_list",
    "tty",
    "vmallocinfo",
    "vmstat",
    "zoneinfo",
)
"""Files and directories that no runtime needs."""
PROC = Path("/proc")


@cache
def copies() -> dict[Path, bytes]:
    """Return the contents of the files that bots see a copy of, the same for all of them."""
    return {path: path.read_bytes() for path in map(PROC.joinpath, COPIED) if path.exists()}


@cache
def hidden() -> tuple[Path, ...]:
    """Return the files and directories that are there, and that no bot sees."""
    return tuple(path for path in map(PROC.joinpath, HIDDEN) if path.exists())
