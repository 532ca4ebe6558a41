"""Designs: endless sequences of rounds in which all contestants meet equally often.

In every round each contestant plays equally often. After a balanced round, the numbers of
times that two contestants have met differ by at most one. For up to 40 contestants the rounds
come from `known.txt`, which `search.py` writes. It has a perfect design wherever one exists
over one of the groups tried (Fano's plane, the affine and projective planes, Steiner systems).
For more contestants, each round is the first one found that brings together those who have
met least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import prod

from arena.ladder.designs.orbit import Orbits

PATIENCE = 20_000
"""How many bases are tried before the best so far is taken."""


@dataclass(frozen=True)
class Round:
    """A round: groups of contestants in which everybody plays equally often."""

    groups: Sequence[Sequence[int]]
    balanced: bool
    """Whether after it the meetings of all pairs differ by at most one."""


def rounds(points: int, size: int) -> Iterator[Round]:
    """Yield rounds for this many contestants at tables of this size, without end."""
    moduli, bases = known().get((points, size), ((points,), ()))
    orbits = Orbits(moduli)
    while True:
        for base in bases or (_least_met(orbits, size),):
            orbits.play(base)
            yield Round(orbits.orbit(base), orbits.spread <= 1)
        if orbits.spread:
            bases = ()  # the known bases are used up, and did not end with all meetings equal


@cache
def known() -> dict[tuple[int, int], tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """Return the group and the bases of the known designs, by contestants and table size.

    Each line of the file has the table size, the group's moduli, and after a colon the bases.
    """
    found = {}
    text = files("arena.ladder.designs").joinpath("known.txt").read_text(encoding="ascii")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            head, tail = line.split(":")
            size, group = head.split()
            moduli = tuple(map(int, group.split("x")))
            bases = tuple(tuple(map(int, base.split())) for base in tail.split("/"))
            found[prod(moduli), int(size)] = (moduli, bases)
    return found


def _least_met(orbits: Orbits, size: int) -> tuple[int, ...]:
    """Return the first base after which meetings differ by at most one, or the best found."""
    best: tuple[tuple[int, int], tuple[int, ...]] | None = None
    for tried, base in enumerate(_bases(orbits, size, [0], [0] * len(orbits.met))):
        after = [a + b for a, b in zip(orbits.met, orbits.meetings(base), strict=True)]
        spread = max(after) - min(after)
        rank = (spread, sum(count * count for count in after))
        if best is None or rank < best[0]:
            best = (rank, base)
        if spread <= 1 or tried == PATIENCE:
            break
    assert best is not None
    return best[1]


def _bases(
    orbits: Orbits, size: int, base: list[int], more: list[int]
) -> Iterator[tuple[int, ...]]:
    """Yield bases that begin with `base`, those first that keep the meetings even.

    `more` is what `base` adds to the meetings, by kind of difference.
    """
    if len(base) == size:
        yield tuple(base)
        return
    least = min(orbits.met)
    later = []
    for point in range(base[-1] + 1, orbits.points - (size - len(base) - 1)):
        kinds = [orbits.kinds[other][point] for other in base]
        after = list(more)
        for kind in kinds:
            after[kind] += orbits.weights[kind]
        if all(orbits.met[kind] + after[kind] <= least + 1 for kind in kinds):
            yield from _bases(orbits, size, [*base, point], after)
        else:
            later.append((point, after))
    for point, after in later:
        yield from _bases(orbits, size, [*base, point], after)
