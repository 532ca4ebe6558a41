"""Programs that work for the server: one at a time of a kind, within a time, and they end with it.

A program reads its job as a line from stdin and writes lines to stdout. When stdin ends, as the
server did, so does it.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from threading import Event as Flag
from threading import Lock, Thread
from typing import Final

from arena.machine.own_program import own_program
from arena.site.folder import SiteFolder

GRACE: Final = 5
"""Seconds that a program has to end before it is killed."""
SERVER_ENDED: Final = 3
"""The exit code of a program whose server has ended."""
LOOK: Final = 0.5
"""Seconds between two looks whether a program has ended of which nothing comes."""


class Stopped(Exception):
    """The server ends, or what was asked for is no longer wanted."""


class Programs:
    """Starts a module of the arena as a program, again and again, for one job at a time."""

    def __init__(self, folder: SiteFolder, module: str, politeness: int = 0) -> None:
        self._folder = folder
        self._module = module
        self._politeness = politeness
        """How far they stand back behind what else runs."""
        self._ending = Flag()
        self._lock = Lock()
        self._now: tuple[int, subprocess.Popen[bytes]] | None = None

    @property
    def ending(self) -> bool:
        """Whether `stop` was called."""
        return self._ending.is_set()

    def stop(self) -> None:
        """End what runs, and start nothing any more."""
        self._ending.set()
        with self._lock:
            if self._now is not None:
                _end(self._now[1])

    def leave(self, number: int) -> None:
        """End the program with this job, if it runs."""
        with self._lock:
            if self._now is not None and self._now[0] == number:
                _end(self._now[1])

    def run(
        self, number: int, job: bytes, seconds: float, is_wanted: Callable[[], bool]
    ) -> Generator[bytes | None, None, None]:
        """Start the program with a job, and yield its lines; None if it takes too long.

        Raise `Stopped` if `stop` was called, or the job is no longer wanted. When the generator is
        closed, the program ends, with all that it has started in its session, and what it has left
        of its temporary files.
        """
        temporary = self._folder.path / "work" / f"{self._module.rpartition('.')[2]}-{number}"
        temporary.mkdir(mode=0o700, exist_ok=True)
        process = subprocess.Popen(
            own_program(self._module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            cwd=self._folder.path,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        with self._lock:
            self._now = number, process
        try:
            self._check(is_wanted)
            if self._politeness:
                with suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, process.pid, self._politeness)
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(job + b"\n")
            process.stdin.flush()
            yield from _lines(process, time.monotonic() + seconds)
            self._check(is_wanted)
        finally:
            with self._lock:
                self._now = None
            _end(process)
            assert process.stdout is not None
            process.stdout.close()
            shutil.rmtree(temporary, ignore_errors=True)

    def _check(self, is_wanted: Callable[[], bool]) -> None:
        if self.ending or not is_wanted():
            raise Stopped


def end_with_server() -> None:
    """End this process when its server does, which holds the other end of stdin."""
    Thread(target=_wait_for_end, daemon=True).start()


def take_stdout() -> int:
    """Return a descriptor for the lines of a program; what others print goes to stderr."""
    lines = os.dup(1)
    os.dup2(2, 1)
    return lines


def write_all(fd: int, data: bytes) -> None:
    """Write all of this; end this program if its server has ended, which would have read it."""
    try:
        while data:
            data = data[os.write(fd, data) :]
    except BrokenPipeError:
        raise SystemExit(SERVER_ENDED) from None


def _wait_for_end() -> None:
    while os.read(0, 4096):
        pass
    os._exit(SERVER_ENDED)


def _lines(process: subprocess.Popen[bytes], deadline: float) -> Iterator[bytes | None]:
    """Yield the lines of a program until it ends; None if it has not by the deadline."""
    assert process.stdout is not None
    fd = process.stdout.fileno()
    data = b""
    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                yield None
                return
            ended = process.poll() is not None
            if not selector.select(0.0 if ended else min(left, LOOK)):
                if ended:
                    return  # something that it has started may hold its stdout open
                continue
            chunk = os.read(fd, 1 << 16)
            if not chunk:
                return
            data += chunk
            *lines, data = data.split(b"\n")
            yield from lines


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it has started in its session; any thread may do so.

    Its stdout stays open: a thread that waits for its next line would not see it closed.
    """
    with suppress(BrokenPipeError):
        if process.stdin is not None:
            process.stdin.close()  # that is its sign
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
