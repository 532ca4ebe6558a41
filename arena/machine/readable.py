"""Many descriptors that are waited for at once, together with others."""

from __future__ import annotations

import select
from abc import ABC, abstractmethod


class Readable(ABC):
    """Descriptors, of which it is asked which can be read."""

    @abstractmethod
    def add(self, fd: int) -> None:
        """Ask about this descriptor, too."""

    @abstractmethod
    def remove(self, fd: int) -> None:
        """Ask no more about it; it is still open."""

    @abstractmethod
    def ready(self) -> list[int]:
        """Return those that can be read now."""

    @abstractmethod
    def wake(self, poll: select.poll) -> None:
        """Have `poll` end whenever one of them can be read, those of later included."""

    @abstractmethod
    def spare(self, poll: select.poll) -> None:
        """Leave this poll alone again."""

    @abstractmethod
    def close(self) -> None:
        """Release what this needs; the descriptors stay open."""
