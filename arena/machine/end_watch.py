"""The end of a child, for which one can wait as for anything that can be read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from resource import struct_rusage


class EndWatch(ABC):
    """Waits for the end of one child. Made before the child is forked."""

    @abstractmethod
    def follow(self, child: int) -> int:
        """Follow this child; return what can be read when it may have ended."""

    @abstractmethod
    def ended(self) -> bool:
        """Whether it has ended, after its descriptor could be read."""

    @abstractmethod
    def reap(self) -> tuple[int, struct_rusage]:
        """Wait for its end; return its status, and what it has used."""
