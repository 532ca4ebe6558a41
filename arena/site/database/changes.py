"""Changes: whoever waits for something to change is told, and does not have to look again."""

from __future__ import annotations

from collections.abc import Callable


class Changes:
    """Tells that something was changed, in the thread that has changed it."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], object]] = []

    def tell(self, listener: Callable[[], object]) -> None:
        """Call this from now on; it has to return at once, and to be ready for any thread."""
        self._listeners.append(listener)

    def note(self) -> None:
        """Say that something was changed, once it is kept."""
        for listener in self._listeners:
            listener()
