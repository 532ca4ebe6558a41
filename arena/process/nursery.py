"""A nursery: a small process that forks the keepers of a worker, which has many.

A forked process has the memory of the one that has forked it, and shares it until one of them
writes there. A worker has much and writes all the time, so each keeper that it forks takes
megabytes. The nursery begins as a program of its own that has little, and only waits between two
forks: one more keeper takes less than one megabyte, and less time.
"""

from __future__ import annotations

import errno
import os
import pickle
import signal
import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import replace

from arena.process._keeper import KeeperPipes, Task, fork_keeper
from arena.process._nursery import ANSWER, ORDER
from arena.sandbox.launch import Launch, nothing

BEGIN = """
import sys
line, parent, *sys.path[:] = sys.argv[1:]
from arena.process._nursery import tend
tend(int(line), int(parent))
"""
"""The program of a nursery. It finds modules where the process does that has started it."""


class Keepers(ABC):
    """Where keepers are forked."""

    @abstractmethod
    def fork(self, launch: Launch, pipes: KeeperPipes) -> int:
        """Start a keeper that starts the program; return the keeper's process id."""

    @abstractmethod
    def reap(self, keeper: int) -> None:
        """Wait until a keeper is gone. Until then nothing else gets its process id."""


class _ForkedHere(Keepers):
    """This process forks the keepers itself."""

    def fork(self, launch: Launch, pipes: KeeperPipes) -> int:
        return fork_keeper(Task.of(launch), lambda: launch, pipes)

    def reap(self, keeper: int) -> None:
        os.waitpid(keeper, 0)


FORKED_HERE = _ForkedHere()


class Nursery(Keepers):
    """A process that forks keepers. It ends with this one, or when it is closed.

    Programs whose launch cannot be pickled get keepers that are forked here. If somebody kills
    the nursery, its keepers stay, and the next one comes from another nursery.
    """

    def __init__(self) -> None:
        self._here: set[int] = set()
        """The keepers that were forked by this process."""
        self._begin()

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fork(self, launch: Launch, pipes: KeeperPipes) -> int:
        try:
            task = pickle.dumps(tuple(Task.of(launch)))
            rest = pickle.dumps(replace(launch, clear=nothing, release=nothing))
        except (pickle.PicklingError, AttributeError, TypeError):
            keeper = FORKED_HERE.fork(launch, pipes)
            self._here.add(keeper)
            return keeper
        order = ORDER.pack(0, len(task), len(rest)) + task + rest
        answer = self._ask(order, pipes)
        if answer is None:
            self.close()
            self._begin()
            answer = self._ask(order, pipes)
        if answer is None or answer < 0:
            number = errno.ECHILD if answer is None else -answer
            raise OSError(number, os.strerror(number))
        return answer

    def reap(self, keeper: int) -> None:
        if keeper in self._here:
            self._here.remove(keeper)
            FORKED_HERE.reap(keeper)
        else:
            self._ask(ORDER.pack(keeper, 0, 0))  # where nobody answers, it has no parent any more

    def close(self) -> None:
        """End the nursery. Its keepers end with their programs."""
        self._line.close()
        self._wake()
        self._process.wait()

    def _begin(self) -> None:
        self._line, line = socket.socketpair()
        words = (str(line.fileno()), str(os.getpid()), *sys.path)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", BEGIN, *words],
                stdin=subprocess.DEVNULL,
                pass_fds=[line.fileno()],
                start_new_session=True,
            )
        except OSError:
            self._line.close()
            raise
        finally:
            line.close()

    def _ask(self, order: bytes, pipes: KeeperPipes | None = None) -> int | None:
        """Return the answer to an order; None if the nursery has ended."""
        self._wake()
        try:
            sent = 0
            if pipes is not None:
                sent = socket.send_fds(self._line, [order], pipes.descriptors)
            self._line.sendall(memoryview(order)[sent:])
            answer = self._line.recv(ANSWER.size, socket.MSG_WAITALL)
        except OSError:
            return None
        return int(ANSWER.unpack(answer)[0]) if len(answer) == ANSWER.size else None

    def _wake(self) -> None:
        """Let the nursery run; a bot may have stopped it."""
        self._process.send_signal(signal.SIGCONT)
