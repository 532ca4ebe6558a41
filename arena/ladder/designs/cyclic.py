"""Rounds for many contestants: found quickly, one by one, where no design is kept in a file.

The contestants are the integers modulo their number, and a round is the orbit of a base, as in
`orbit.py`. What counts is how often each difference was used. Each base is built point by point,
from a few beginnings; the one that keeps the numbers of meetings most even is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.int64]

BEGINNINGS = 4
"""How many beginnings of a base are tried: those whose two points have met least."""
EVEN = 2
"""How far the meetings of two pairs may differ after a balanced round."""


class CyclicRounds:
    """Counts how often contestants of each difference have met, and chooses the next base."""

    def __init__(self, points: int, size: int, met: Sequence[int] = ()) -> None:
        self._points = points
        self._size = size
        gaps = np.arange(points)
        self._kinds: Array = np.minimum(gaps, points - gaps)
        """The kind of the difference between 0 and each point."""
        self._weights: Array = np.ones(points // 2 + 1, dtype=np.int64)
        """How often a pair meets in an orbit whose base has one difference of each kind."""
        if points % 2 == 0:
            self._weights[-1] = 2
        self._met: Array = np.array(met or [0] * (points // 2), dtype=np.int64)
        """By kind of difference, of which the first is 1."""

    @property
    def met(self) -> list[int]:
        """How often two contestants have met so far, by kind of difference from 1 on."""
        return [int(count) for count in self._met]

    @property
    def spread(self) -> int:
        """The largest difference between the numbers of meetings of two pairs."""
        return int(self._met.max() - self._met.min())

    def play(self) -> list[tuple[int, ...]]:
        """Choose a base, count the meetings in its orbit, and return the orbit's groups."""
        first = np.argsort(self._met, kind="stable")[:BEGINNINGS] + 1
        base = min((self._grown([0, int(gap)]) for gap in first), key=self._rank)
        self._met = self._after(base)
        points = self._points
        moves = np.arange(points // self._standing_still(base))
        groups = ((np.array(base)[None, :] + moves[:, None]) % points).tolist()
        return [tuple(group) for group in groups]

    def _grown(self, base: list[int]) -> list[int]:
        """Return a base of full size that begins with these points."""
        met = np.concatenate(([0], self._met))
        self._add(met, 0, base[1:])
        while len(base) < self._size:
            kinds = self._kinds[(np.arange(self._points)[None, :] - np.array(base)[:, None])]
            cost = ((2 * met[kinds] + self._weights[kinds]) * self._weights[kinds]).sum(axis=0)
            for at in range(len(base)):  # a point as far from one as from another
                for other in range(at):
                    cost += 2 * (kinds[at] == kinds[other])
            cost[base] = np.iinfo(np.int64).max
            point = int(cost.argmin())
            self._add(met, point, base)
            base.append(point)
        return base

    def _add(self, met: Array, point: int, others: Sequence[int]) -> None:
        for other in others:
            kind = self._kinds[point - other]
            met[kind] += self._weights[kind]

    def _after(self, base: Sequence[int]) -> Array:
        met = np.zeros(len(self._met) + 1, dtype=np.int64)
        for at, point in enumerate(base):
            self._add(met, point, base[:at])
        return np.asarray(self._met + met[1:] // self._standing_still(base))

    def _rank(self, base: Sequence[int]) -> tuple[int, int, list[int]]:
        after = self._after(base)
        return int(after.max() - after.min()), int((after * after).sum()), list(base)

    def _standing_still(self, base: Sequence[int]) -> int:
        """Return how many shifts leave the base as it is: the orbit is that many times shorter."""
        group = set(base)
        return sum({(p + move) % self._points for p in base} == group for move in base)
