"""Searches for designs and writes `known.txt`: `python -m arena.ladder.designs.search`.

It takes a quarter of an hour. For every number of contestants and size of a table it walks
at random through orbits, over several groups, and keeps the walk that comes soonest to a
point where all pairs have met equally often, with the fewest rounds on the way after which
they differ by more than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from pathlib import Path
from random import Random
from sys import argv
from time import monotonic

import numpy as np

from arena.ladder.designs.orbit import Orbits

MOST = 40
SIZES = (3, 4, 5, 6)
"""At tables of two, any order will do that goes through all differences."""
LONGEST = 60
SECONDS = 3.0
"""How long each group is searched."""
RETREATS = 100
"""How often a walk steps back before it puts up with an unbalanced round."""
BACK = 3
"""How many steps back at most."""
HEAD = "# Written by search.py: size of the table, group, and the bases of the rounds in order.\n"


@dataclass(frozen=True)
class Walk:
    """Rounds one after the other, and how well they are balanced."""

    moduli: Sequence[int]
    bases: Sequence[Sequence[int]]
    groups: int
    unbalanced: int
    closed: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Smaller is better: closed, balanced on the way, short."""
        return (not self.closed, self.unbalanced, self.groups if self.closed else -self.groups)

    def __str__(self) -> str:
        group = "x".join(map(str, self.moduli))
        return f"{len(self.bases[0])} {group}: " + " / ".join(
            " ".join(map(str, base)) for base in self.bases
        )


def groups(points: int) -> Iterator[tuple[int, ...]]:
    """Commutative groups of this order, up to three factors that divide one another."""
    yield (points,)
    for a in range(2, points):
        for b in range(a, points, a):
            if a * b == points:
                yield (a, b)
            for c in range(b, points, b):
                if a * b * c == points:
                    yield (a, b, c)
    if points == 16:
        yield (2, 2, 2, 2)


class Search:
    """A search over one group: every step of a walk is an orbit."""

    def __init__(self, moduli: Sequence[int], size: int, random: Random) -> None:
        self._moduli = moduli
        self._random = random
        self._fewest = fewest(prod(moduli), size)
        orbits = Orbits(moduli)
        bases: dict[tuple[int, ...], tuple[int, ...]] = {}
        for rest in combinations(range(1, prod(moduli)), size - 1):
            base = (0, *rest)
            bases.setdefault(tuple(orbits.meetings(base)), base)
        self._steps = np.array(list(bases), dtype=np.int16)
        self._bases = list(bases.values())
        self._lengths = [len(orbits.orbit(base)) for base in self._bases]

    def best(self) -> Walk:
        """The best walk that is found in the time."""
        best = self._walk()
        end = monotonic() + SECONDS
        while monotonic() < end and best.rank > (False, 0, self._fewest):
            best = min(best, self._walk(), key=lambda walk: walk.rank)
        return best

    def _walk(self) -> Walk:
        """At random, but balanced wherever a few steps back and another way lead there."""
        path: list[tuple[int, bool]] = []
        met = [np.zeros(self._steps.shape[1], dtype=np.int16)]
        retreats = 0
        while len(path) < LONGEST and (not path or met[-1].max() > met[-1].min()):
            after = met[-1] + self._steps
            spreads = after.max(axis=1) - after.min(axis=1)
            least = int(spreads.min())
            if least > 1 and path and retreats < RETREATS:
                retreats += 1
                back = self._random.randint(1, min(BACK, len(path)))
                del path[-back:], met[-back:]
                continue
            chosen = self._random.choice(np.flatnonzero(spreads <= max(1, least)).tolist())
            path.append((chosen, least <= 1))
            met.append(after[chosen])
        return Walk(
            self._moduli,
            [self._bases[step] for step, _ in path],
            sum(self._lengths[step] for step, _ in path),
            sum(not balanced for _, balanced in path),
            closed=bool(met[-1].max() == met[-1].min()),
        )


def fewest(points: int, size: int) -> int:
    """How many groups it takes at least until everybody has met everybody equally often."""
    pairs = points * (points - 1)
    return next(
        count
        for count in range(1, pairs + 1)
        if count * size % points == 0 and count * size * (size - 1) % pairs == 0
    )


def main(path: Path) -> None:
    """Search for all designs."""
    random = Random(1)
    lines = []
    for size in SIZES:
        for points in range(size, MOST + 1):
            walks = [Search(moduli, size, random).best() for moduli in groups(points)]
            best = min(walks, key=lambda walk: walk.rank)
            lines.append(str(best))
            print(points, size, best.closed, best.unbalanced, best.groups, flush=True)
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(Path(argv[1]) if len(argv) > 1 else Path(__file__).with_name("known.txt"))
