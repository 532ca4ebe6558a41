"""Orbits: a group of contestants shifted through all of them, so that all play equally often.

The contestants are the elements of a commutative group (the integers modulo their number, or
a product of such groups). A base is a set of these elements. Adding each element of the group
to all of the base gives the base's orbit. In an orbit every contestant appears equally often,
and how often two contestants meet depends only on their difference. So it is enough to count
differences, not pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod


class Orbits:
    """Orbits over a group; counts how often contestants of each difference have met."""

    def __init__(self, moduli: Sequence[int]) -> None:
        elements = list(product(*(range(modulus) for modulus in moduli)))
        number = {element: at for at, element in enumerate(elements)}

        def plus(a: Sequence[int], b: Sequence[int], sign: int) -> int:
            total = zip(a, b, moduli, strict=True)
            return number[tuple((x + sign * y) % modulus for x, y, modulus in total)]

        self.points = prod(moduli)
        self._sums = [[plus(a, b, 1) for b in elements] for a in elements]
        gaps = [[plus(a, b, -1) for b in elements] for a in elements]
        kinds: dict[int, int] = {}
        weights: list[int] = []
        for gap in range(1, self.points):
            back = gaps[0][gap]
            if back not in kinds:
                kinds[gap] = len(weights)
                weights.append(2 if back == gap else 1)
            else:
                kinds[gap] = kinds[back]
        self.kinds = [[kinds.get(gap, -1) for gap in row] for row in gaps]
        """The kind of difference between two contestants; the same in both directions."""
        self.weights = weights
        """How often a pair meets in an orbit whose base has one difference of this kind."""
        self.met = [0] * len(weights)
        """How often two contestants have met so far, by kind of difference."""

    @property
    def spread(self) -> int:
        """The largest difference between the numbers of meetings of two pairs."""
        return max(self.met) - min(self.met) if self.met else 0

    def orbit(self, base: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the groups in this base's orbit, each once."""
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for move in range(self.points):
            group = tuple(self._sums[point][move] for point in base)
            found.setdefault(frozenset(group), group)
        return list(found.values())

    def meetings(self, base: Sequence[int]) -> list[int]:
        """Return how often two contestants meet in this base's orbit, by kind of difference."""
        counts = [0] * len(self.weights)
        for a, b in _pairs(base):
            kind = self.kinds[a][b]
            counts[kind] += self.weights[kind]
        still = self._standing_still(base)
        return [count // still for count in counts]

    def play(self, base: Sequence[int]) -> None:
        """Count the meetings in this base's orbit."""
        self.met = [a + b for a, b in zip(self.met, self.meetings(base), strict=True)]

    def _standing_still(self, base: Sequence[int]) -> int:
        """Return how many shifts leave the base as it is: the orbit is that many times shorter."""
        group = set(base)
        moved = [{self._sums[point][move] for point in base} for move in range(self.points)]
        return moved.count(group)


def _pairs(base: Sequence[int]) -> Iterator[tuple[int, int]]:
    for at, b in enumerate(base):
        for a in base[:at]:
            yield a, b
