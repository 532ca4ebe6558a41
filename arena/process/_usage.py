"""The CPU time and memory of processes, read from /proc for hosts without control groups."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from arena.process.process_tree import descendants

PROCESS_CLOCK = 2
"""The kernel's number of the clock for the CPU time of all threads of a process."""
TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_ns_below(pid: int) -> int:
    """Return the CPU time of all processes below this one, in nanoseconds."""
    return _sum(pid, cpu_ns)


def memory_below(pid: int) -> int:
    """Return the memory of all processes below this one, in bytes; what they share counts once."""
    return _sum(pid, memory)


def cpu_ns(pid: int) -> int:
    """Return the CPU nanoseconds of a process, its finished threads and its reaped children."""
    own = time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    with open(f"/proc/{pid}/stat", "rb") as file:
        user, system = file.read().rpartition(b")")[2].split()[13:15]
    return own + (int(user) + int(system)) * TICK


def memory(pid: int) -> int:
    """Return a process's memory in bytes: what it uses alone, and its part of what it shares."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            parts = dict(line.split(b":") for line in file.readlines()[1:])
        return int(parts[b"Pss_Anon"].split()[0]) + int(parts[b"Pss_Shmem"].split()[0]) << 10
    except (PermissionError, KeyError):  # it may not be read, or the kernel is too old
        with open(f"/proc/{pid}/statm", "rb") as file:
            _, resident, shared, *_ = map(int, file.read().split())
        return (resident - shared) * PAGE


def _sum(pid: int, used: Callable[[int], int]) -> int:
    total = 0
    for below in descendants(pid):
        try:
            total += used(below)
        except OSError:
            continue  # it has just ended
    return total
