"""How long a searching bot thinks: for so many iterations, or for less on a slow machine.

The clock says only that it is over: the iterations alone say how far the bot is. So it does the
same everywhere, also on a busy machine, as long as its time is enough for all of them. The referee
charges the time in which a bot could run; that is close to the processor time that it uses, so this
is what is counted. On a busy machine the wall clock runs far ahead of it. Were all of that charged,
too, what is left of the bank could still pay for it: the wall clock has a limit of its own, which
comes nearer as the bank runs out.
"""

from __future__ import annotations

import argparse
from time import perf_counter, process_time

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_sdk import Question

USED = 0.8  # of the time for a decision; the rest is for reading, answering and hiccups
WALL = 0.1  # of the bank, which one decision may add to that by the wall clock


class Thinking:
    """The effort for one decision after the other; `spent` tells how much of it is done."""

    def __init__(self, iterations: int, *, timed: bool) -> None:
        self._iterations = iterations
        self._timed = timed
        self.done = 0

    def begin(self, question: Question, weight: float = 1.0) -> None:
        """Begin a decision of this weight: of how much of the usual effort it is worth."""
        self.done = 0
        self._weight = weight
        if self._timed:
            decision = question.start.clock["decision"] / 1000
            self._processor = USED * decision
            self._wall = USED * decision + WALL * max(0, question.bank) / 1000
            self._began = process_time()
            self._began_wall = perf_counter()

    def spent(self) -> float:
        """The part of the iterations for this decision that is done; from 1 on it is over."""
        done = self.done / max(1.0, self._weight * self._iterations)
        return 1.0 if self._timed and self._late() else done

    def _late(self) -> bool:
        return (
            process_time() - self._began > self._processor
            or perf_counter() - self._began_wall > self._wall
        )


def thinking(enough: int, words: Sequence[str] | None = None) -> Thinking:
    """As a searching bot's command line says: --iterations, or as many as are enough."""
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
