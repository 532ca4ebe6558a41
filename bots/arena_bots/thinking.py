"""The thinking time of a searching bot: a number of iterations, or fewer on a slow machine.

The clock can only end the thinking; progress is measured in iterations alone. So the bot plays the
same on every machine, even a busy one, as long as its time suffices for all iterations. The referee
charges the time in which a bot could run. That is close to the processor time that it uses, so the
bot measures processor time. On a busy machine much more wall-clock time passes. In case that is
charged, too, the wall-clock time is limited to what the rest of the bank can pay for.
"""

from __future__ import annotations

import argparse
from time import perf_counter, process_time

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_sdk import Question

USED = 0.8  # share of the time for a decision; the rest is for reading, answering and delays
WALL = 0.1  # share of the bank that one decision may use in addition, by the wall clock


class Thinking:
    """Limits the effort for each decision. The bot adds its iterations to `done`."""

    def __init__(self, iterations: int, *, timed: bool) -> None:
        self._iterations = iterations
        self._timed = timed
        self.done = 0

    def begin(self, question: Question, weight: float = 1.0) -> None:
        """Begin a decision; `weight` is the share of the usual effort to spend on it."""
        self.done = 0
        self._weight = weight
        if self._timed:
            decision = question.start.clock["decision"] / 1000
            self._processor = USED * decision
            self._wall = USED * decision + WALL * max(0, question.bank) / 1000
            self._began = process_time()
            self._began_wall = perf_counter()

    def spent(self) -> float:
        """Return the share of this decision's iterations that is done; stop at 1 or more."""
        done = self.done / max(1.0, self._weight * self._iterations)
        return 1.0 if self._timed and self._late() else done

    def _late(self) -> bool:
        return (
            process_time() - self._began > self._processor
            or perf_counter() - self._began_wall > self._wall
        )


def thinking(enough: int, words: Sequence[str] | None = None) -> Thinking:
    """Parse the command line: `--iterations` without a clock, or `enough` within the clock."""
    parser = argparse.ArgumentParser(description="A searching bot; it speaks to a referee.")
    parser.add_argument(
        "--iterations",
        type=int,
        metavar="N",
        help=f"think for so many iterations whatever the clock says, not for {enough} at most",
    )
    found: int | None = parser.parse_args(words).iterations
    if found is not None and found < 1:
        parser.error(f"argument --iterations: expected at least 1, got {found}")
    return Thinking(enough, timed=True) if found is None else Thinking(found, timed=False)
