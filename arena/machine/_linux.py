"""The calls of Linux: cores, children, descriptors, and who a process is."""

from __future__ import annotations

import ctypes
import os
import select
import signal
from collections.abc import Collection
from pathlib import Path
from resource import struct_rusage

from arena.machine.end_watch import EndWatch
from arena.machine.readable import Readable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
M_ARENA_MAX = -8
SHORT = 0.15
"""The fraction of the host's memory that should stay free."""
TASKS = 0.5
"""The fraction of the tasks that a host can have, above which no more processes are kept."""
_MOST_TASKS = tuple(Path("/proc/sys/kernel") / name for name in ("pid_max", "threads-max"))

_prctl = ctypes.CDLL(None, use_errno=True).prctl


def usable_cores() -> set[int]:
    """Return the cores on which this process may run."""
    return os.sched_getaffinity(0)


def pin(cores: Collection[int]) -> None:
    """Have this process run on these cores only."""
    os.sched_setaffinity(0, cores)


def end_with_parent(parent: int | None = None) -> None:
    """Have the kernel kill this process as soon as its parent is gone.

    If it has another parent than this one by now, it ends at once.
    """
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent not in {None, os.getppid()}:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of all that the children of this process leave behind."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def keep_one_heap() -> None:
    """Let all threads of this process share one heap.

    By default each core has eight, and each keeps what its threads have needed at the worst.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:
        return  # another C library, which has no such heaps
    mallopt(M_ARENA_MAX, 1)


def open_descriptors() -> list[int]:
    """Return the descriptors of this process, and maybe some that are closed by now."""
    return list(map(int, os.listdir("/proc/self/fd")))


class _Pidfd(EndWatch):
    """A descriptor of the process, which can be read as soon as it has ended."""

    _child = 0

    def follow(self, child: int) -> int:
        self._child = child
        return os.pidfd_open(child)

    def ended(self) -> bool:
        return True

    def reap(self) -> tuple[int, struct_rusage]:
        _, status, usage = os.wait4(self._child, 0)
        return status, usage


def end_watch() -> EndWatch:
    """Return what waits for the end of a child that is forked next."""
    return _Pidfd()


class _Epoll(Readable):
    """One descriptor that can be read when any of them can."""

    def __init__(self) -> None:
        self._epoll = select.epoll()

    def add(self, fd: int) -> None:
        self._epoll.register(fd, select.EPOLLIN)

    def remove(self, fd: int) -> None:
        self._epoll.unregister(fd)

    def ready(self) -> list[int]:
        return [fd for fd, _ in self._epoll.poll(0)]

    def wake(self, poll: select.poll) -> None:
        poll.register(self._epoll.fileno(), select.POLLIN)

    def spare(self, poll: select.poll) -> None:
        poll.unregister(self._epoll.fileno())

    def close(self) -> None:
        self._epoll.close()


def readable() -> Readable:
    """Return what waits for many descriptors; none as yet."""
    return _Epoll()


def namespace() -> int:
    """Return the number of the namespace in which processes have their numbers."""
    return Path("/proc/self/ns/pid").stat().st_ino


def started(pid: int) -> tuple[str, int]:
    """Return the state of a process and its start in ticks since boot; raise `OSError`."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return fields[0].decode(), int(fields[19])


def peak_kib(usage: struct_rusage) -> int:
    """Return the largest memory of a process that has ended, in KiB."""
    return usage.ru_maxrss


def short_of_room() -> bool:
    """Whether the host has too little memory, or too many tasks, to keep more processes."""
    return _short_of_memory() or _short_of_tasks()


def _short_of_memory() -> bool:
    with open("/proc/meminfo", encoding="ascii") as file:
        sizes = {name: int(size.split()[0]) for name, _, size in (x.partition(":") for x in file)}
    return sizes["MemAvailable"] < SHORT * sizes["MemTotal"]


def _short_of_tasks() -> bool:
    # The fourth word is such as 2/345: tasks that run, and all.
    tasks = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
    most = min(int(path.read_text(encoding="ascii")) for path in _MOST_TASKS)
    return tasks > TASKS * most


def write_through(fd: int) -> None:
    """Return when what was written to a file is on the disk."""
    os.fdatasync(fd)
