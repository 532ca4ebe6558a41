"""A running program: its pipes, what it wrote to stderr, and how it ended."""

from __future__ import annotations

import errno
import logging
import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from arena.machine.calls import readable
from arena.machine.system import LINUX
from arena.process._cpu_group import CpuGroup, counting_home
from arena.process._keeper import (
    ENDED,
    NOT_STARTED,
    REPORT,
    STARTED,
    UNABLE,
    KeeperPipes,
    report_of,
)
from arena.process._referee_wait import RefereeWait
from arena.process._shortages import SHORTAGES, cannot_start
from arena.process.ending import BY_ITSELF, FILE, LOG, RAN_ON, Ending, PipeClosed
from arena.process.host_wait import CpuCounter, HostWait, Seated
from arena.process.nursery import FORKED_HERE, Keepers
from arena.process.suspension.suspender import Suspender
from arena.process.suspension.turn_gate import TurnGate
from arena.sandbox.control_groups import Cell
from arena.sandbox.launch import Launch, StartError
from arena.sandbox.sandbox import SandboxError

CHUNK: Final = 1 << 16
TAIL: Final = 1 << 13
"""How many bytes of stderr are kept: the last ones."""
ENDING_NEWS_SECONDS: Final = 2.0
"""How long to wait for the report of a program's end after it has closed its pipes."""
END_SECONDS: Final = 30.0
"""How long it may take to end a program with all that it has started."""
NO_KEEPER = report_of(UNABLE, errno.ECHILD)
"""Replaces the report of a keeper that was killed before it could write one."""


_logger = logging.getLogger(__name__)

GAME = b"g"
"""Says to the keeper that a game begins."""


class StderrDrain:
    """The stderr pipes of all programs at a table, drained while any of them is waited for."""

    def __init__(self) -> None:
        self._readable = readable()
        self._programs: dict[int, Program] = {}

    def wake(self, poll: select.poll) -> None:
        """Have this poll end whenever any of the programs has written to stderr."""
        self._readable.wake(poll)

    def spare(self, poll: select.poll) -> None:
        """Leave this poll alone again."""
        self._readable.spare(poll)

    def add(self, program: Program) -> None:
        """Begin to drain the stderr of this program."""
        self._readable.add(program.stderr)
        self._programs[program.stderr] = program

    def remove(self, program: Program) -> None:
        """Stop draining it."""
        if self._programs.pop(program.stderr, None) is not None:
            self._readable.remove(program.stderr)

    def drain(self) -> None:
        """Read what is there, at most one chunk from each program."""
        for fd in self._readable.ready():
            program = self._programs[fd]
            if not program.drain():
                self.remove(program)

    def close(self) -> None:
        """Release what it needs to wait."""
        self._readable.close()


class Program:
    """A program with its keeper, and non-blocking pipes to it.

    If a table has a turn gate, a program runs from its start, and later while the referee waits
    for it. `on_output` is called with all that it writes to stderr; only the end of that is kept.
    Raise `StartError` if it cannot be run, `HostError` if the host has failed; then nothing is
    left of it.
    """

    def __init__(
        self,
        launch: Launch,
        drain: StderrDrain,
        gate: TurnGate | None = None,
        on_output: Callable[[bytes], object] | None = None,
        seated: Seated | None = None,
        keepers: Keepers = FORKED_HERE,
    ) -> None:
        self._gate = gate
        self._seated = seated or Seated()
        self._keepers = keepers
        self.counter: CpuCounter | None = None
        """Counts the CPU time of all that the program has ever started; None if nothing does."""
        self._suspender: Suspender | None = None
        self._group: CpuGroup | None = None
        self.tail = bytearray()
        self._on_output = on_output
        self._logged = 0
        self._cause = BY_ITSELF
        self._seen = ""
        self.pid = 0
        self.ending: Ending | None = None
        self._open = True
        self._drain = drain
        try:
            with ExitStack() as undo:
                self._fork(launch, undo)
                undo.pop_all()
        except OSError as error:
            raise cannot_start(error.errno or errno.EIO) from None
        self._reports = select.poll()
        self._reports.register(self._report, select.POLLIN)
        self._answers = select.poll()
        self._answers.register(self.stdout, select.POLLIN)
        drain.wake(self._answers)
        try:
            drain.add(self)
            self.pid = self._await_start(launch.argv[0] if launch.cwd.is_dir() else str(launch.cwd))
        except BaseException:
            self.close()
            raise

    def _fork(self, launch: Launch, undo: ExitStack) -> None:
        """Start the keeper; `undo` gets the steps to take back if a later one fails."""
        undo.callback(launch.release)
        if launch.cell is not None:
            undo.callback(launch.cell.remove)
            _make(launch.cell)
        inside_in, self.stdin = _pipe(undo)
        self.stdout, inside_out = _pipe(undo)
        self.stderr, inside_err = _pipe(undo)
        control, self._control = _pipe(undo)
        self._report, report = _pipe(undo)
        pipes = KeeperPipes((inside_in, inside_out, inside_err), control, report)
        if self._gate is not None:
            self._suspender = self._gate.admit(launch)
            self._suspender.expel = self._expel
            undo.callback(self._gate.remove, self._suspender)
            launch = self._suspender.launch
        launch = self._count(launch, undo)
        self._launch = launch
        self.keeper = self._keepers.fork(launch, pipes)
        for fd in pipes.descriptors:
            os.close(fd)
        for fd in (self.stdin, self.stdout, self.stderr, self._control):
            os.set_blocking(fd, False)

    def _count(self, launch: Launch, undo: ExitStack) -> Launch:
        """Find or make the group that counts its CPU time; return how to start it in there."""
        cell = launch.cell
        if self._suspender is not None and self._suspender.counter is not None:
            self.counter = self._suspender.counter
        elif cell is not None and cell.counts_cpu:
            self.counter = cell.cpu_ns
        elif (home := counting_home()) is not None:
            self._group = group = CpuGroup(launch, home)
            undo.callback(group.remove)
            self.counter = group.cpu_ns
            return group.launch
        return launch

    def _await_start(self, name: str) -> int:
        """Return the process id; raise `HostError`, or `StartError` with what is missing."""
        report = os.read(self._report, REPORT.size)
        kind, number, _, _, pid, *_ = REPORT.unpack(report or NO_KEEPER)
        if kind == UNABLE or number in SHORTAGES:
            raise cannot_start(number)
        if kind == NOT_STARTED:
            raise StartError(number, os.strerror(number), name)
        assert kind == STARTED
        _logger.debug("process %d has started: %s", pid, name)
        if self._suspender is not None:
            self._suspender.keeper, self._suspender.pid = self.keeper, pid
        return int(pid)

    def suspend_others(self) -> None:
        """Suspend all other bots; the program's time can be measured from here on."""
        if self._gate is not None and self._suspender is not None:
            self._gate.suspend_others(self._suspender)

    @property
    def held(self) -> bool:
        """Whether nothing of it can run while it is not asked."""
        return self._suspender is not None and self._suspender.holds

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of all that it has ever started; None if that is not counted."""
        return None if self.counter is None else self.counter() / 1e9

    def tolerate(self, tolerated: bool) -> None:
        """Say whether it is the host's if the program cannot be stopped, or the program's."""
        if self._suspender is not None:
            self._suspender.tolerated = tolerated

    def begin_game(self) -> None:
        """Count from zero again what is limited in each game."""
        self._logged = 0
        if self._launch.limits is not None and self._control >= 0:
            with suppress(OSError):  # the pipe is full of games, or the keeper was killed
                os.write(self._control, GAME)

    def write(self, data: bytes, timeout: float) -> float | None:
        """Write all of the data; return the seconds that the program kept its pipe full.

        Return None if that took too long. Raise `PipeClosed` if it has closed the pipe.
        """
        try:
            sent = os.write(self.stdin, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            raise PipeClosed(errno.EPIPE, "stdin is closed") from None
        return 0.0 if sent == len(data) else self._write_rest(data[sent:], timeout)

    def _write_rest(self, data: bytes, timeout: float) -> float | None:
        self._let_run()  # it has to read before more can be written
        began = time.monotonic()
        room = select.poll()
        room.register(self.stdin, select.POLLOUT)
        self._drain.wake(room)
        try:
            return self._push(data, room, began, timeout)
        finally:
            self._drain.spare(room)

    def _push(self, data: bytes, room: select.poll, began: float, timeout: float) -> float | None:
        """Write the rest of the data as there is room; return as `write` does."""
        deadline = began + timeout
        while data:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            for fd, _ in room.poll(left * 1000):
                if fd != self.stdin:
                    self._drain.drain()
                    continue
                try:
                    data = data[os.write(self.stdin, data) :]
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    raise PipeClosed(errno.EPIPE, "stdin is closed") from None
        return time.monotonic() - began

    def end_input(self) -> None:
        """Close the program's stdin."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.stdin)  # so that nothing else gets this number
        os.close(nothing)

    def read(self, timeout: float) -> bytes | None:
        """Return what it has written to stdout, None if nothing in time; raise `PipeClosed`.

        If `timeout` is 0, take what is there and do not let a suspended program run.
        """
        if self._suspender is not None and timeout:
            self._let_run()
        # Do not read before the wait: the answer is hardly ever there, and reading an empty pipe
        # costs more.
        deadline = time.monotonic() + timeout
        while ready := self._answers.poll(timeout * 1000):
            if ready[0][0] == self.stdout:
                data = os.read(self.stdout, CHUNK)
                if data:
                    return data
                raise PipeClosed(errno.EPIPE, "stdout is closed")
            self._drain.drain()
            timeout = deadline - time.monotonic()
            if timeout <= 0:  # also if the program never stops writing to stderr
                break
        return None

    def drain(self) -> bool:
        """Read from stderr and keep the end of it; return False once the program has closed it."""
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return True
        self._keep(data)
        del self.tail[:-TAIL]
        self._logged += len(data)
        limits = self._launch.limits
        if limits is not None and self._logged > limits.log_mb << 20 and self._control >= 0:
            self._cause = LOG
            self._tell_keeper()
        return bool(data)

    def await_ending(self, timeout: float) -> Ending | None:
        """Return how the program ended; None if it is still running after that time."""
        if self.ending is None:
            deadline = time.monotonic() + timeout
            while not self._reports.poll(max(0.0, min(0.05, deadline - time.monotonic())) * 1000):
                self._drain.drain()
                if time.monotonic() >= deadline:
                    return None
            self._take_report()
        return self.ending

    def _take_report(self) -> None:
        data = os.read(self._report, REPORT.size)
        if len(data) != REPORT.size:  # somebody has killed the keeper
            data = report_of(ENDED, -signal.SIGKILL)
        kind, number, peak, cpu, _, cause, processes, refused = REPORT.unpack(data)
        assert kind == ENDED
        limits = self._launch.limits
        if self._cause != BY_ITSELF:
            cause = self._cause
        elif limits is not None and number == -signal.SIGXFSZ:
            cause = FILE
        self.ending = Ending(number, peak, cpu, cause, processes, refused, limits, self._seen)
        _logger.debug("process %d has ended: %s", self.pid, self.ending)

    def watch(self) -> HostWait | RefereeWait:
        """Begin to measure how long the host keeps the program from running."""
        if self._gate is not None:
            self._gate.suspend_strays()
        return HostWait(self.keeper, self.counter, self._seated) if LINUX else RefereeWait()

    def wait_for_ending(self) -> Ending | None:
        """Return how the program ended, None if it still runs; wait a moment for the report."""
        self._let_run()
        return self.await_ending(ENDING_NEWS_SECONDS)

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""
        return self.tail.decode(errors="replace")

    def kill(self) -> None:
        """End the program and all that it has started, and wait until nothing is left."""
        if self._control >= 0:
            self._tell_keeper()
        if self.await_ending(END_SECONDS) is None:
            os.kill(self.keeper, signal.SIGKILL)

    def _keep(self, data: bytes) -> None:
        self.tail += data
        if self._on_output is not None:
            self._on_output(data)

    def _expel(self, seen: str) -> None:
        """End the program because it ran on although it was suspended."""
        self._cause, self._seen = RAN_ON, seen
        self.kill()

    def _tell_keeper(self) -> None:
        """Have the keeper end the program."""
        os.close(self._control)
        self._control = -1
        with suppress(ProcessLookupError):  # it has ended, and its nursery was killed
            os.kill(self.keeper, signal.SIGCONT)  # the bot may have stopped its keeper

    def close(self) -> None:
        """End the program if it still runs, read the rest of stderr, and release everything."""
        if not self._open:
            return
        self._open = False
        self.kill()
        self._drain.remove(self)
        self._drain.spare(self._answers)
        self._drain_the_rest()
        for fd in (self.stdin, self.stdout, self.stderr, self._report):
            os.close(fd)
        self._keepers.reap(self.keeper)
        if self._gate is not None and self._suspender is not None:
            self._gate.remove(self._suspender)
            self._suspender = None  # else the two keep each other until garbage is collected
        if self._launch.cell is not None:
            self._launch.cell.remove()  # in case its keeper was killed before it could
        if self._group is not None:
            self._group.remove()  # likewise
        self._launch.release()

    def _let_run(self) -> None:
        if self._gate is not None and self._suspender is not None:
            self._gate.give_turn(self._suspender)

    def _drain_the_rest(self) -> None:
        """Read what is left in the pipe; all writers are dead, so no more will come."""
        try:
            while data := os.read(self.stderr, CHUNK):
                self._keep(data)
        except BlockingIOError:
            pass
        del self.tail[:-TAIL]


def _pipe(undo: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        undo.callback(os.close, end)
    return ends


def _make(cell: Cell) -> None:
    try:
        cell.make()
    except OSError as error:
        raise SandboxError(f"cannot make the group {error.filename}: {error.strerror}") from None
