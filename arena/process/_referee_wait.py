"""How much of a decision's time was the host's, where the kernel does not tell who waited.

Only stops of the referee that are so long that no program can be their cause are credited. On a
busy machine a bot is charged for the time in which it waited for a core.
"""

from __future__ import annotations

import time

STOPPED_NS = 500_000_000
"""Who did not run for longer than this between two looks was stopped."""


class RefereeWait:
    """Measures from its making on; `seconds` is to be called at short intervals."""

    def __init__(self) -> None:
        self._last = self._look()
        self._stopped = 0

    def seconds(self) -> float:
        """Return the seconds that were the host's so far, looking at the last interval now."""
        last, self._last = self._last, self._look()
        passed, ran = self._last[0] - last[0], self._last[1] - last[1]
        if passed - ran > STOPPED_NS:
            self._stopped += passed
        return self._stopped / 1e9

    @property
    def stopped(self) -> float:
        """The seconds of them in which the referee itself was stopped: all."""
        return self._stopped / 1e9

    def _look(self) -> tuple[int, int]:
        return time.monotonic_ns(), time.thread_time_ns()
