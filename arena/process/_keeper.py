"""The keeper of a bot: a small process that makes sure that nothing of the bot stays running.

The referee forks a keeper for every bot, and the keeper starts the bot. The keeper is a
subreaper: it becomes the parent of all processes that the bot's children leave behind,
however they detach themselves, so it can end them all. It does so when the bot has ended,
when it is told to, and when the referee ends in any way, SIGKILL included, because that
closes the control pipe.
"""

from __future__ import annotations

import errno
import gc
import os
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass
from fcntl import F_DUPFD_CLOEXEC, fcntl
from struct import Struct
from typing import NamedTuple

from arena.machine.calls import adopt_orphans, end_watch, end_with_parent, peak_kib
from arena.machine.end_watch import EndWatch
from arena.process._usage import cpu_ns_below, memory_below
from arena.process.ending import BY_ITSELF, CPU, MEMORY
from arena.process.forked import close_all_but
from arena.process.process_tree import children
from arena.sandbox.control_groups import Cell
from arena.sandbox.launch import Launch
from arena.sandbox.limits import Limits

REPORT = Struct(">BiqqIBIQ")
"""Kind, number, peak memory in KiB, CPU time in microseconds, pid, cause, processes, refused."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
STARTED, NOT_STARTED, UNABLE, ENDED = 1, 2, 3, 4
"""Kinds of reports. `NOT_STARTED`: the program cannot be run; `UNABLE`: the host could not try."""
FAILURE = Struct(">Bi")
"""For a program that has not started: `NOT_STARTED` or `UNABLE`, and the errno."""
WRAPPED = 128
"""If a signal has ended a program, shells and bwrap end with this plus the signal's number."""
TICK_MS = 1000
"""How often the keeper checks a program that has limits."""
MOST_GAMES = 1 << 16
"""How many bytes the control pipe has at most: more games than begin between two looks."""
FIRST_UNUSED_FD = 32
"""Descriptors from here on are not used by any launch."""


@dataclass(frozen=True)
class KeeperPipes:
    """The descriptors of a keeper: its ends of all pipes."""

    program: tuple[int, int, int]
    """The program's stdin, stdout and stderr."""
    control: int
    """The keeper ends the program when this closes; a byte says that a new game begins."""
    report: int
    """The keeper writes its reports to this."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """All of them."""
        return (*self.program, self.control, self.report)


class Task(NamedTuple):
    """What a keeper has to know while its program runs: a part of the launch."""

    wrappers: int
    limits: Limits | None
    cell: Cell | None
    clear: Callable[[], None]

    @classmethod
    def of(cls, launch: Launch) -> Task:
        """Return what the keeper of this launch has to know."""
        return cls(launch.wrappers, launch.limits, launch.cell, launch.clear)


def fork_keeper(
    task: Task, launch: Callable[[], Launch], pipes: KeeperPipes, *, ignores_signals: bool = False
) -> int:
    """Start a keeper that starts the program; return the keeper's process id.

    `launch` is called in the process that becomes the program. `ignores_signals` says that this
    process ignores them already, and the keeper does so from its start.
    """
    pid = os.fork()
    if pid:
        return pid
    try:
        # From here on only system calls: this is a copy of a process in an unknown state.
        gc.disable()
        os.setsid()
        if not ignores_signals:
            ignore_signals()
        _keep(task, launch, pipes)
    finally:
        os._exit(0)


def ignore_signals() -> None:
    """Have this process, and the keepers that it forks, go on whatever is signalled."""
    for ignored in SIGNALS:
        signal.signal(ignored, signal.SIG_IGN)


def report_of(kind: int, number: int = 0, pid: int = 0) -> bytes:
    """Return a report without figures."""
    return REPORT.pack(kind, number, 0, 0, pid, BY_ITSELF, 0, 0)


def _keep(task: Task, launch: Callable[[], Launch], pipes: KeeperPipes) -> None:
    report = pipes.report
    adopt_orphans()
    try:
        close_all_but(set(pipes.descriptors))
        watch = end_watch()
        bot, failure = _start(launch, pipes.program)
        ended = watch.follow(bot)
        memory = None if task.cell is None else task.cell.memory_event()
    except OSError as error:
        failure = FAILURE.pack(UNABLE, error.errno or errno.EIO)
    if failure:
        os.write(report, report_of(*FAILURE.unpack(failure)))
        _end_descendants()
        task.clear()
        return
    os.write(report, report_of(STARTED, pid=bot))
    seen = _watch(task, bot, watch, (pipes.control, ended, memory))
    ending = _end_and_report(task, bot, watch, seen)
    task.clear()
    os.write(report, ending)


def _start(launch: Callable[[], Launch], pipes: tuple[int, int, int]) -> tuple[int, bytes]:
    """Fork the program; return its process id, and its failure, which is empty if it started."""
    checked, broken = os.pipe()
    keeper = os.getpid()
    bot = os.fork()
    if bot == 0:
        _execute(launch, pipes, broken, keeper)
    os.close(broken)
    for fd in pipes:
        os.close(fd)
    return bot, os.read(checked, FAILURE.size)


@dataclass
class _Seen:
    """What the keeper saw of a program: why it ended the program, and what that had used."""

    cause: int = BY_ITSELF
    cpu_ns: int = 0
    memory: int = 0

    def look(self, task: Task) -> None:
        """Read what the program has used by now."""
        if task.cell is not None:
            self.cpu_ns = task.cell.cpu_ns()
        elif task.limits is not None:
            own = os.getpid()
            self.cpu_ns = max(self.cpu_ns, cpu_ns_below(own))
            self.memory = max(self.memory, memory_below(own))


def _watch(task: Task, bot: int, watch: EndWatch, events: tuple[int, int, int | None]) -> _Seen:
    """Wait until the program has ended; end it when told to, or when it is over a limit."""
    seen = _Seen()
    control, ended, memory = events
    watched = select.poll()
    watched.register(control, 0)  # that it closes, not that a game begins
    for fd in (ended, memory):
        if fd is not None:
            watched.register(fd, select.POLLIN)
    limits = task.limits
    tick = None if limits is None else TICK_MS
    os.set_blocking(control, False)
    before = 0
    while not (ready := [fd for fd, _ in watched.poll(tick)]) or (
        ready == [ended] and not watch.ended()
    ):
        if limits is None:
            continue
        seen.look(task)
        if _has_begun(control):
            before = seen.cpu_ns
        if seen.cpu_ns - before > limits.cpu_seconds * 1e9:
            seen.cause = CPU
        elif seen.memory > limits.memory_mb << 20:
            seen.cause = MEMORY
        if seen.cause != BY_ITSELF:
            break
    if memory in ready:
        seen.cause = MEMORY
    if ended not in ready or not watch.ended():
        seen.look(task)
        _kill(-bot)
        _kill(bot)
    elif task.cell is not None and task.cell.killed:
        seen.cause = MEMORY
    return seen


def _has_begun(control: int) -> bool:
    """Whether a game has begun since the last call."""
    try:
        return bool(os.read(control, MOST_GAMES))
    except BlockingIOError:
        return False


def _end_and_report(task: Task, bot: int, watch: EndWatch, seen: _Seen) -> bytes:
    """End and reap everything; return the report of how the program ended and what it used."""
    _kill(-bot)  # what it has left in its group; where nobody adopts orphans, only this ends them
    status, usage = watch.reap()
    number = os.waitstatus_to_exitcode(status)
    if task.wrappers and number > WRAPPED and number - WRAPPED < signal.NSIG:
        number = WRAPPED - number
    peak, cpu = _end_descendants()
    cell = task.cell
    if cell is not None:
        used = (cell.peak_kib, cell.cpu_ns() // 1000)
        return REPORT.pack(ENDED, number, *used, bot, seen.cause, cell.most_processes, cell.refused)
    peak = max(peak, peak_kib(usage), seen.memory >> 10)
    cpu = max(cpu + int((usage.ru_utime + usage.ru_stime) * 1e6), seen.cpu_ns // 1000)
    return REPORT.pack(ENDED, number, peak, cpu, bot, seen.cause, 0, 0)


def _execute(
    how: Callable[[], Launch], pipes: tuple[int, int, int], broken: int, keeper: int
) -> None:
    """Execute the program, or write to `broken` why that is not possible."""
    failed = UNABLE
    try:
        os.setsid()
        end_with_parent(keeper)
        for ignored in SIGNALS:
            signal.signal(ignored, signal.SIG_DFL)
        broken = _beyond(broken)
        for target, fd in enumerate(pipes):
            os.dup2(fd, target)
        launch = how()
        launch.prepare()
        failed = NOT_STARTED
        os.chdir(launch.cwd)
        os.execvpe(launch.argv[0], list(launch.argv), dict(launch.env))
    except OSError as error:
        os.write(broken, FAILURE.pack(failed, error.errno or errno.EIO))
    except ValueError:  # a NUL within a word
        os.write(broken, FAILURE.pack(failed, errno.EINVAL))
    except Exception:  # noqa: BLE001 - whatever it is, the program has not run yet
        os.write(broken, FAILURE.pack(UNABLE, errno.EIO))
    finally:
        os._exit(127)


def _beyond(fd: int) -> int:
    """Return a duplicate of the descriptor, under a number that no launch uses."""
    try:
        return fcntl(fd, F_DUPFD_CLOEXEC, FIRST_UNUSED_FD)
    except OSError as error:
        if error.errno == errno.EINVAL:  # the limit of open files is below it
            error.errno = errno.EMFILE
        raise


def _end_descendants() -> tuple[int, int]:
    """Kill children until there are none; orphans of those killed become children.

    Return the largest memory of any in KiB, and the CPU time of all in microseconds.
    """
    peak = cpu = 0
    try:
        while True:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                for child in children(os.getpid()):
                    _kill(child)
                _, _, usage = os.wait4(-1, 0)
            peak = max(peak, peak_kib(usage))
            cpu += int((usage.ru_utime + usage.ru_stime) * 1e6)
    except ChildProcessError:
        return peak, cpu


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
