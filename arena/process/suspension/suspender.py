"""The interface of suspenders, which suspend a program with all that it has started."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from arena.errors import HostError
from arena.sandbox.launch import Launch


class RanOn(Exception):
    """A program that did not stop although it was suspended; the text says what was seen of it."""


class CannotStop(HostError):
    """A program that the host keeps from stopping: it gets no core, or waits in the kernel.

    `pid` is its process id, `seconds` how long it was waited for.
    """

    def __init__(self, pid: int, seconds: float, seen: str) -> None:
        super().__init__(
            f"the host kept a bot from stopping: {seen}; nothing was decided, run it again on a "
            "quieter machine"
        )
        self.pid = pid
        self.seconds = seconds


class Suspender(ABC):
    """Suspends one program. Made before the program starts; that runs until it is suspended."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        """How to start the program so that it can be suspended."""
        self.expel: Callable[[str], object] = lambda _: None
        """Ends the program, which ran on although it was suspended; `seen` says how."""
        self.tolerated = True
        """Whether it is the host's if the program cannot stop; else it ran on."""
        self.pid = self.keeper = 0
        """The process ids of the program and of its keeper, once it is started."""

    @property
    def counter(self) -> Callable[[], int] | None:
        """Counts the CPU time of all that the program has ever started; None if nothing does."""
        return None

    @property
    def holds(self) -> bool:
        """Whether no program can resist."""
        return False

    @abstractmethod
    def suspend(self) -> None:
        """Stop all of the program; do nothing if it has ended.

        Raise `RanOn` if it goes on running, `CannotStop` if the host keeps it from stopping.
        """

    @abstractmethod
    def resume(self) -> None:
        """Let all of the program run; do nothing if it runs already or has ended."""

    def suspend_strays(self) -> None:  # noqa: B027 - most leave nothing to suspend again
        """Suspend processes that run although the program is suspended."""

    def close(self) -> None:  # noqa: B027 - ditto
        """Release what was needed to suspend the program, which has ended."""
