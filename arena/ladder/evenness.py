"""How evenly those who play have met each other, in games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from arena.ladder.rating import Tally
from arena.records.entries import Form


class Evenness(Form, frozen=True):
    """The games that two contestants have played together, over all pairs of those who play."""

    least: int
    most: int
    mean: float

    def __str__(self) -> str:
        span = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
        return f"any two who play have met in {span} games, {self.mean:.1f} on average"


def evenness(tally: Tally, playing: Sequence[int]) -> Evenness:
    """Return how evenly these have met, from what each took from each, a point a game."""
    met = [int(tally.took(a, b) + tally.took(b, a)) for a, b in combinations(playing, 2)]
    if not met:
        return Evenness(least=0, most=0, mean=0.0)
    return Evenness(least=min(met), most=max(met), mean=round(sum(met) / len(met), 2))
