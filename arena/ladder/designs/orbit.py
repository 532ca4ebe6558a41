"""Orbits: a group of contestants moved over all of them, so that everybody sits as often.

The contestants are the elements of a commutative group (the integers modulo their number, or
a product of such). A base, some of these elements, is moved by adding every element to it. In
the groups that come of it, its orbit, every contestant appears equally often, and how often
two contestants meet depends only on their difference. So it is enough to count differences,
not pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod


class Orbits:
    """The orbits over a group, and how often two contestants of each difference have met."""

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
        """The kind of difference between two contestants; the same both ways."""
        self.weights = weights
        """How often a pair meets in an orbit whose base has one difference of this kind."""
        self.met = [0] * len(weights)
        """By kind of difference, how often two contestants have met so far."""

    @property
    def spread(self) -> int:
        """By how many meetings the pairs differ at most."""
        return max(self.met) - min(self.met) if self.met else 0

    def orbit(self, base: Sequence[int]) -> list[tuple[int, ...]]:
        """The groups that this base becomes, each once."""
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for move in range(self.points):
            group = tuple(self._sums[point][move] for point in base)
            found.setdefault(frozenset(group), group)
        return list(found.values())

    def meetings(self, base: Sequence[int]) -> list[int]:
        """By kind of difference, how often two contestants meet in this base's orbit."""
        counts = [0] * len(self.weights)
        for a, b in _pairs(base):
            kind = self.kinds[a][b]
            counts[kind] += self.weights[kind]
        still = self._standing_still(base)
        return [count // still for count in counts]

    def play(self, base: Sequence[int]) -> None:
        """Count the meetings of an orbit."""
        self.met = [a + b for a, b in zip(self.met, self.meetings(base), strict=True)]

    def _standing_still(self, base: Sequence[int]) -> int:
        """How many moves leave the base as it is: by so much the orbit is shorter."""
        group = set(base)
        moved = [{self._sums[point][move] for point in base} for move in range(self.points)]
        return moved.count(group)


def _pairs(base: Sequence[int]) -> Iterator[tuple[int, int]]:
    for at, b in enumerate(base):
        for a in base[:at]:
            yield a, b
