"""The interface of what suspends a program with all that it has started."""

from __future__ import annotations

from abc import ABC, abstractmethod

from arena.sandbox.launch import Launch


class Suspender(ABC):
    """Made before its program is started, which runs until it is suspended."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        """How to start the program so that it can be held."""
        self.pid = self.keeper = 0
        """The program's process and its parent, once it is started."""

    @abstractmethod
    def suspend(self) -> None:
        """Keep all of it from running; no matter if it has ended."""

    @abstractmethod
    def resume(self) -> None:
        """Let all of it run; no matter if it does already or has ended."""

    def suspend_strays(self) -> None:  # noqa: B027 - most leave nothing to suspend again
        """Suspend whatever of it runs although it is suspended."""

    def close(self) -> None:  # noqa: B027 - ditto
        """Give back what it takes to hold the program, which has ended."""
