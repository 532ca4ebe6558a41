"""Evidence of which of two bots is better: a test that holds however often one looks at it.

Each deal gives one difference in [-1, 1], and the test bets on its sign. For each size of bet l,
the product of 1 + l D over the deals is a fair game's stake if the two are equally good. So the
mean of such stakes exceeds 20 with a probability of at most 1 / 20, whenever one stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log1p, sqrt
from typing import Literal, TypeAlias

BETS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
ENOUGH = 20.0
"""The evidence at which it is decided who is better."""
SPREAD = 0.05
"""How large differences usually are; intervals are narrowest for such ones."""
LEAST = 30
"""The fewest deals for an interval, and for an end."""
MATTERS = 0.02
"""A difference that is surely smaller does not matter."""
LEAST_FOR_NONE = 150
"""The fewest deals for saying that no difference matters: in fewer, something that happens in
one deal of fifty and decides it can have stayed out altogether."""
MOST = 4000
"""The deals after which it stays undecided."""

Verdict: TypeAlias = Literal["better", "worse", "no difference"]


class Evidence:
    """The differences of the deals so far, one after the other."""

    def __init__(self) -> None:
        self.deals = 0
        self.verdict: Verdict | None = None
        """What was decided first; None as long as nothing is."""
        self._sum = 0.0
        self._squares = 0.0
        self._for = [0.0] * len(BETS)
        """For each bet, the logarithm of the stake of who bets on the first bot."""
        self._against = [0.0] * len(BETS)
        self._now = self._highest = 0.0
        """The logarithms of the evidence, and of the largest so far."""

    def add(self, difference: float) -> None:
        """Add the difference of the next deal, positive if the first bot did better."""
        if not -1 <= difference <= 1:
            raise ValueError(f"a difference: expected -1 to 1, got {difference}")
        self.deals += 1
        self._sum += difference
        self._squares += difference * difference
        for at, bet in enumerate(BETS):
            self._for[at] += log1p(bet * difference)
            self._against[at] += log1p(-bet * difference)
        self._now = _log_mean((*self._for, *self._against))
        self._highest = max(self._highest, self._now)
        if self.verdict is None:
            self.verdict = self._decided()

    @property
    def mean(self) -> float:
        """The mean difference, 0 before the first deal."""
        return self._sum / self.deals if self.deals else 0.0

    @property
    def now(self) -> float:
        """The evidence as it stands, at most the largest float; 1 is none."""
        return exp(min(self._now, 700.0))

    @property
    def p(self) -> float:
        """The p-value that holds at any time: it never rises."""
        return exp(-self._highest)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean difference that holds at any time; None if it is early."""
        t = self.deals
        if t < LEAST:
            return None
        v = self._squares / t
        if not v:
            return 0.0, 0.0
        wide = v + t * SPREAD**2
        half = sqrt(2 * v * wide / SPREAD**2 * (log(ENOUGH) + log(wide / v) / 2)) / t
        return max(-1.0, self.mean - half), min(1.0, self.mean + half)

    @property
    def ended(self) -> bool:
        """Whether more deals are of no use: it is decided, and there is an interval."""
        return self.verdict is not None and self.deals >= LEAST

    def _decided(self) -> Verdict | None:
        if self._now >= log(ENOUGH):
            return "better" if _log_mean(self._for) > _log_mean(self._against) else "worse"
        if self.deals >= LEAST_FOR_NONE and (interval := self.interval) is not None:
            low, high = interval
            if low >= -MATTERS and high <= MATTERS:
                return "no difference"
        return None


def _log_mean(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of numbers whose logarithms these are."""
    most = max(logs)
    return most + log(sum(exp(each - most) for each in logs) / len(logs))
