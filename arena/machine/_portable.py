"""What any Unix has in place of the calls of Linux, and what that cannot do.

- Processes are not tied to cores, so games at a time take whichever core is free.
- What a bot starts in a process group of its own outlives it: nobody adopts it and ends it.
- A process whose parent was killed finds out when it next hears from it or speaks to it.
- A process is known by its number alone, so what it has left may be taken for that of a later one.
- How much memory is free is not known, so as many processes are kept as is usual.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from resource import RLIMIT_NOFILE, getrlimit, struct_rusage

from arena.machine.end_watch import EndWatch
from arena.machine.readable import Readable

MOST_DESCRIPTORS = 1 << 16
"""Descriptors beyond this are not looked for, where the system does not list them."""
RUNS = "R"
"""The state of every process that exists: its real one is not known."""
CHUNK = 1 << 12
FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
"""The call of macOS, whose fsync leaves data in the disk's memory."""


def usable_cores() -> set[int]:
    """Return the cores of this machine, by numbers that mean nothing."""
    return set(range(os.cpu_count() or 1))


def pin(cores: Collection[int]) -> None:
    """Let this process run where it is put."""


def end_with_parent(parent: int | None = None) -> None:
    """End at once if this process has another parent than this one by now."""
    if parent not in {None, os.getppid()}:
        os._exit(1)


def adopt_orphans() -> None:
    """Do nothing: what the children leave behind goes to the system's first process."""


def keep_one_heap() -> None:
    """Leave the heaps as they are."""


def open_descriptors() -> list[int]:
    """Return the descriptors of this process, and maybe some that are closed."""
    try:
        return list(map(int, os.listdir("/dev/fd")))
    except OSError:
        soft, _ = getrlimit(RLIMIT_NOFILE)
        return list(range(soft if 0 < soft < MOST_DESCRIPTORS else MOST_DESCRIPTORS))


class _ChildSignal(EndWatch):
    """A pipe to which the interpreter writes when the signal comes that a child has changed."""

    def __init__(self) -> None:
        self._child = 0
        self._reaped: tuple[int, struct_rusage] | None = None
        self._changed, waker = os.pipe()
        os.set_blocking(self._changed, False)
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)

    def follow(self, child: int) -> int:
        self._child = child
        return self._changed

    def ended(self) -> bool:
        with suppress(BlockingIOError):
            os.read(self._changed, CHUNK)
        if self._reaped is None:
            pid, status, usage = os.wait4(self._child, os.WNOHANG)
            if pid:  # else it was only stopped or continued
                self._reaped = status, usage
        return self._reaped is not None

    def reap(self) -> tuple[int, struct_rusage]:
        if self._reaped is None:
            _, status, usage = os.wait4(self._child, 0)
            self._reaped = status, usage
        return self._reaped


def end_watch() -> EndWatch:
    """Return what waits for the end of a child that is forked next."""
    return _ChildSignal()


class _Polled(Readable):
    """The descriptors in every poll that waits for them."""

    def __init__(self) -> None:
        self._own = select.poll()
        self._fds: set[int] = set()
        self._polls: list[select.poll] = []

    def add(self, fd: int) -> None:
        self._fds.add(fd)
        for poll in (self._own, *self._polls):
            poll.register(fd, select.POLLIN)

    def remove(self, fd: int) -> None:
        self._fds.discard(fd)
        for poll in (self._own, *self._polls):
            poll.unregister(fd)

    def ready(self) -> list[int]:
        return [fd for fd, _ in self._own.poll(0)]

    def wake(self, poll: select.poll) -> None:
        self._polls.append(poll)
        for fd in self._fds:
            poll.register(fd, select.POLLIN)

    def spare(self, poll: select.poll) -> None:
        self._polls.remove(poll)
        for fd in self._fds:
            poll.unregister(fd)

    def close(self) -> None:
        self._polls.clear()


def readable() -> Readable:
    """Return what waits for many descriptors; none as yet."""
    return _Polled()


def namespace() -> int:
    """Return 0, as there is only one."""
    return 0


def started(pid: int) -> tuple[str, int]:
    """Return a state and a start that every process has; raise `OSError` if there is none."""
    with suppress(PermissionError):  # it is somebody else's
        os.kill(pid, 0)
    return RUNS, 0


def peak_kib(usage: struct_rusage) -> int:
    """Return the largest memory of a process that has ended, in KiB."""
    return usage.ru_maxrss >> 10 if sys.platform == "darwin" else usage.ru_maxrss


def short_of_room() -> bool:
    """Return that there is enough: nobody knows."""
    return False


def write_through(fd: int) -> None:
    """Return when what was written to a file is on the disk."""
    if FULL_SYNC is None:
        os.fsync(fd)
    else:
        fcntl.fcntl(fd, FULL_SYNC)
