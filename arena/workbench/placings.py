"""Mean places in a match, and their differences, with intervals.

The games of a deal share their cards, so the deal is what counts as one observation. The
intervals hold for a number of games that was fixed before; `evidence` is for looking on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt

from arena.ladder.rating.student import quantile

LEAST_DEALS = 5
"""With fewer, the scatter between deals says too little for an interval."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over games, and half the width of its 95 % interval, None if there is none."""

    mean: float
    half: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval."""
        return None if self.half is None else (self.mean - self.half, self.mean + self.half)


class Placings:
    """The places of some bots, deal by deal."""

    def __init__(self, bots: int) -> None:
        self.bots = bots
        """How many there are."""
        self._deals: list[tuple[int, tuple[int, ...]]] = []
        """For each deal its number of games, and the sum of places by bot."""

    def add(self, games: Sequence[Sequence[int]]) -> None:
        """Add the games of a deal: in each, the place of every bot."""
        self._deals.append((len(games), tuple(map(sum, zip(*games, strict=True)))))

    def place(self, bot: int) -> Estimate:
        """Return a bot's mean place."""
        return self._estimate([places[bot] for _, places in self._deals])

    def difference(self, a: int, b: int) -> Estimate:
        """Return by how many places `a` was better than `b` on average."""
        return self._estimate([places[b] - places[a] for _, places in self._deals])

    def _estimate(self, sums: Sequence[int]) -> Estimate:
        """Return the mean over games of what these sums by deal are of."""
        deals = len(self._deals)
        games = sum(count for count, _ in self._deals)
        mean = sum(sums) / games
        if deals < LEAST_DEALS:
            return Estimate(mean, None)
        rest = zip(sums, self._deals, strict=True)
        squares = sum((each - mean * count) ** 2 for each, (count, _) in rest)
        error = sqrt(squares * deals / (deals - 1)) / games
        return Estimate(mean, error * _deviations(deals))


@cache
def _deviations(deals: int) -> float:
    """Return how many standard errors half an interval has."""
    return quantile((1 + CONFIDENCE) / 2, deals - 1)
