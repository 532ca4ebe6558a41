"""Who has met whom how often, as arrays: only pairs that met, and only where they did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating.tally import Tally

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Meetings:
    """The pairs that met, and an entry for each pair and stretch in which it did."""

    contestants: int
    stretches: int
    one: Numbers
    """The later contestant of each pair that met."""
    other: Numbers
    counts: Array
    """How often each of these pairs met."""
    at: Numbers
    """The stretch of each entry, in ascending order."""
    pair: Numbers
    """The pair of each entry, as an index."""
    times: Array
    """How often that pair met in that stretch."""

    @classmethod
    def of(cls, tally: Tally) -> Meetings:
        """Return the meetings of a tally."""
        stretches = tally.stretches
        at = np.repeat(np.arange(len(stretches)), [len(each.pairs) for each in stretches])
        none = np.empty(0, np.int64)
        numbers = np.concatenate([none, *(np.asarray(each.pairs) for each in stretches)])
        times = np.concatenate([none, *(np.asarray(each.meetings) for each in stretches)])
        return cls.counted(tally.contestants, len(stretches), at, numbers, times.astype(np.float64))

    @classmethod
    def counted(
        cls, contestants: int, stretches: int, at: Numbers, numbers: Numbers, times: Array
    ) -> Meetings:
        """Return meetings by stretch, number of the pair, and how often it met there."""
        known, pair = np.unique(numbers, return_inverse=True)
        # The number of a pair is the larger one's triangle and the smaller one.
        one = ((1 + np.sqrt(8 * known + 1)) / 2).astype(np.int64)
        one -= one * (one - 1) // 2 > known
        other = known - one * (one - 1) // 2
        # In the order of pairs, so that sums do not depend on who met first.
        order = np.lexsort((pair, at))
        at, pair, times = at[order], pair[order], times[order]
        counts = np.asarray(np.bincount(pair, times, len(known)), np.float64)
        return cls(contestants, stretches, one, other, counts, at, pair, times)

    def sums(self, ones: Array, others: Array) -> Array:
        """Return everybody's sum of what each pair has for its two."""
        n = self.contestants
        return np.asarray(np.bincount(self.one, ones, n) + np.bincount(self.other, others, n))

    def each(self, ones: Array, others: Array) -> Array:
        """Return the sums for each stretch and contestant of what each entry has for its two."""
        n = self.contestants
        size = self.stretches * n
        sums = np.bincount(self.at * n + self.one[self.pair], ones, size)
        sums = sums + np.bincount(self.at * n + self.other[self.pair], others, size)
        return np.asarray(sums.reshape(self.stretches, n), np.float64)

    def pulled(self, weights: Array, vectors: Array) -> Array:
        """Return the Laplacian of these weights of pairs times vectors, which are columns."""
        drawn = weights[:, None] * (vectors[self.one] - vectors[self.other])
        found = np.zeros_like(vectors)
        for at in range(vectors.shape[1]):
            found[:, at] = self.sums(drawn[:, at], -drawn[:, at])
        return found

    def groups(self) -> Numbers:
        """Return the group of everybody, as a number: all who are linked by meetings have one."""
        group = np.arange(self.contestants)
        while True:
            # Each takes the lowest number of those whom he met, and then that one's.
            lowest = group.copy()
            np.minimum.at(lowest, self.one, group[self.other])
            np.minimum.at(lowest, self.other, group[self.one])
            lowest = np.minimum(lowest, lowest[lowest])
            if (lowest == group).all():
                return np.asarray(np.unique(group, return_inverse=True)[1], np.int64)
            group = lowest
