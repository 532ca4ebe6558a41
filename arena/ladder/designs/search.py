"""Searches for designs and writes `known.txt`: `python -m arena.ladder.designs.search`.

It takes a quarter of an hour. For every number of contestants and table size it walks
randomly through orbits, over several groups, and keeps the best walk. The best walk reaches a
point where all pairs have met equally often, has the fewest rounds after which the meetings
differ by more than one, and is the shortest of such walks.
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
"""Table sizes; at tables of two, any order that goes through all differences is balanced."""
LONGEST = 60
SECONDS = 3.0
"""How long each group is searched."""
RETREATS = 100
"""How often a walk steps back before it accepts an unbalanced round."""
BACK = 3
"""The most steps of one retreat."""
HEAD = "# Written by search.py: size of the table, group, and the bases of the rounds in order.\n"


@dataclass(frozen=True)
class Walk:
    """A sequence of rounds, and how well it is balanced."""

    moduli: Sequence[int]
    bases: Sequence[Sequence[int]]
    groups: int
    unbalanced: int
    closed: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """A sort key, smaller is better: closed, then balanced on the way, then short."""
        return (not self.closed, self.unbalanced, self.groups if self.closed else -self.groups)

    def __str__(self) -> str:
        group = "x".join(map(str, self.moduli))
        return f"{len(self.bases[0])} {group}: " + " / ".join(
            " ".join(map(str, base)) for base in self.bases
        )


def groups(points: int) -> Iterator[tuple[int, ...]]:
    """Yield commutative groups of this order, with up to three factors, each dividing the next."""
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
        """Return the best walk found in the time."""
        best = self._walk()
        end = monotonic() + SECONDS
        while monotonic() < end and best.rank > (False, 0, self._fewest):
            best = min(best, self._walk(), key=lambda walk: walk.rank)
        return best

    def _walk(self) -> Walk:
        """Return a random walk that steps back from unbalanced rounds, as often as allowed."""
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
    """Return the fewest groups after which everybody can have met everybody equally often."""
    pairs = points * (points - 1)
    return next(
        count
        for count in range(1, pairs + 1)
        if count * size % points == 0 and count * size * (size - 1) % pairs == 0
    )


def main(path: Path) -> None:
    """Search for all designs and write them to `path`."""
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
