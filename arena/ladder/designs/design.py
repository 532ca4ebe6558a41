"""Designs: endless sequences of rounds in which all contestants meet equally often.

In every round each contestant plays equally often. After a balanced round, the numbers of
times that two contestants have met differ by at most one. For up to 40 contestants the rounds
come from `known.txt`, which `search.py` writes. It has a perfect design wherever one exists
over one of the groups tried (Fano's plane, the affine and projective planes, Steiner systems).
For more contestants `cyclic.py` finds each round; there they may differ by two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import prod

from arena.ladder.designs.cyclic import EVEN, CyclicRounds
from arena.ladder.designs.orbit import Orbits
from arena.records.entries import Form

MOST_KNOWN = 40
"""For how many contestants designs are kept in `known.txt`."""
PATIENCE = 20_000
"""How many bases are tried before the best so far is taken."""


@dataclass(frozen=True)
class Round:
    """A round: groups of contestants in which everybody plays equally often."""

    groups: Sequence[Sequence[int]]
    balanced: bool
    """Whether after it the meetings of all pairs differ by at most one; two, in a large field."""


class RoundsState(Form, frozen=True, kw_only=True):
    """Where a sequence of rounds stands."""

    met: Sequence[int]
    """How often two contestants have met, by kind of difference."""
    next_base: int = 0
    used_up: bool = False


class Rounds:
    """The rounds for this many contestants at tables of this size, without end."""

    def __init__(self, points: int, size: int, state: RoundsState | None = None) -> None:
        self._size = size
        self._many = None
        if points > MOST_KNOWN:
            self._many = CyclicRounds(points, size, () if state is None else state.met)
            return
        moduli, self._bases = known().get((points, size), ((points,), ()))
        self._orbits = Orbits(moduli)
        self._next_base = 0
        self._used_up = False
        if state is not None:
            self._orbits.met = list(state.met)
            self._next_base = state.next_base
            self._used_up = state.used_up

    def next(self) -> Round:
        """Return the next round."""
        if self._many is not None:
            groups = self._many.play()
            return Round(groups, self._many.spread <= EVEN)
        orbits = self._orbits
        if self._next_base == len(self._bases):
            # Known bases begin again only where they ended with all meetings equal.
            self._used_up = self._used_up or orbits.spread > 0
            self._next_base = 0
        if self._used_up or not self._bases:
            base = _least_met(orbits, self._size)
        else:
            base = self._bases[self._next_base]
            self._next_base += 1
        orbits.play(base)
        return Round(orbits.orbit(base), orbits.spread <= 1)

    def state(self) -> RoundsState:
        """Return where the sequence stands, from where another one can go on."""
        if self._many is not None:
            return RoundsState(met=self._many.met)
        return RoundsState(
            met=list(self._orbits.met), next_base=self._next_base, used_up=self._used_up
        )


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
