"""Stalls: whether blocks with one bot were dealt anew more often than chance allows.

A host that stalls by chance hits any block of a table size as likely as any other. So of all
ways to choose the blocks that were dealt anew, each is as likely, and how many of them have one
bot follows the hypergeometric distribution, whatever the rate of stalls is. Sizes are counted
apart, since blocks of large tables take longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma

UNLIKELY = 0.01
"""How unlikely, for all contestants together, a count has to be to be more than chance."""


@dataclass(frozen=True)
class Excess:
    """A contestant whose blocks were dealt anew more often than chance allows."""

    contestant: int
    anew: int
    """How many of its blocks were dealt anew."""
    blocks: int
    expected: float
    chance: float
    """How likely it is that so many are, or more."""


class Stalls:
    """Counts the blocks of a log, and those that were dealt anew."""

    def __init__(self) -> None:
        self.anew = 0
        """How many blocks were dealt anew."""
        self._blocks: Counter[int] = Counter()
        self._anew: Counter[int] = Counter()
        self._seated: Counter[tuple[int, int]] = Counter()
        self._seated_anew: Counter[int] = Counter()

    def add_block(self, contestants: Sequence[int], attempt: int) -> None:
        """Count a block; an attempt above 0 was dealt anew."""
        size = len(contestants)
        self._blocks[size] += 1
        self._seated.update((size, each) for each in contestants)
        if attempt:
            self.anew += 1
            self._anew[size] += 1
            self._seated_anew.update(contestants)

    def excess(self) -> Excess | None:
        """Return who has more blocks that were dealt anew than chance allows; None if nobody."""
        everybody = self._everybody()
        found = [
            Excess(each, count, sum(self._shares(each)), self._expected(each), chance)
            for each, count in self._seated_anew.items()
            if count > self._expected(each)
            and (chance := self._at_least(each, count)) * len(everybody) < UNLIKELY
        ]
        return min(found, key=lambda excess: (excess.chance, excess.contestant), default=None)

    def decidable(self) -> bool:
        """Whether there would be an excess if as many of a contestant's blocks as can be were.

        This has to hold for everybody: who sits in every block cannot have more than others.
        """
        everybody = self._everybody()
        return all(
            self._at_least(each, self._most(each)) * len(everybody) < UNLIKELY for each in everybody
        )

    def _everybody(self) -> set[int]:
        return {each for _, each in self._seated}

    def _shares(self, contestant: int) -> list[int]:
        """Return how many blocks a contestant has, by table size."""
        return [self._seated[size, contestant] for size in self._blocks]

    def _expected(self, contestant: int) -> float:
        return sum(
            self._anew[size] * mine / blocks
            for (size, blocks), mine in zip(
                self._blocks.items(), self._shares(contestant), strict=True
            )
        )

    def _most(self, contestant: int) -> int:
        return sum(
            min(self._anew[size], mine)
            for size, mine in zip(self._blocks, self._shares(contestant), strict=True)
        )

    def _at_least(self, contestant: int, count: int) -> float:
        """Return how likely it is that at least so many blocks of a contestant are dealt anew."""
        counts = [1.0]
        for (size, blocks), mine in zip(
            self._blocks.items(), self._shares(contestant), strict=True
        ):
            counts = _sums(counts, _hypergeometric(blocks, mine, self._anew[size]))
        return sum(counts[count:])


def _hypergeometric(blocks: int, mine: int, drawn: int) -> list[float]:
    """Return how likely it is that 0, 1, 2 … of `drawn` among all blocks are among `mine`."""
    every = _ways(blocks, drawn)
    return [
        exp(_ways(mine, k) + _ways(blocks - mine, drawn - k) - every)
        for k in range(min(mine, drawn) + 1)
    ]


def _ways(among: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose so many."""
    if not 0 <= chosen <= among:
        return -inf
    return lgamma(among + 1) - lgamma(chosen + 1) - lgamma(among - chosen + 1)


def _sums(some: Sequence[float], others: Sequence[float]) -> list[float]:
    """Return the distribution of the sum of two independent counts."""
    found = [0.0] * (len(some) + len(others) - 1)
    for a, likely in enumerate(some):
        for b, also in enumerate(others, a):
            found[b] += likely * also
    return found
