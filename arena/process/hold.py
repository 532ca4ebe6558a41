"""A hold on a program: suspends it with all that it has started, and lets it run again."""

from __future__ import annotations

from abc import ABC, abstractmethod

from arena.process.launch import Launch


class Hold(ABC):
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

    def sweep(self) -> None:  # noqa: B027 - most holds leave nothing to sweep up
        """Suspend whatever of it runs although it is suspended."""

    def close(self) -> None:  # noqa: B027 - ditto
        """Give back what it takes to hold the program, which has ended."""
