"""Equations between those who met, solved by eliminating everybody in the order of leaving.

In a ladder that lives, a contestant meets only those who play while he does. So whoever is
eliminated changes the equations of few others, the front: those who have played by then and are
not eliminated yet. Time and memory grow with the contestants times the size of the fronts, which
is about that of the field, and not with the square of all who ever entered. Where all play all the
time there is one front, and this is Gauss's elimination, some dozens of columns at a time.

The fronts also have parts of the inverse: for any two who were in one, so for all pairs that met
and for all who played in one stretch. All of it holds for complex numbers as well, by which the
inverse can be differentiated: with A + ieB, the imaginary part of its inverse is -e A⁻¹ B A⁻¹, to
all digits if e is small enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating.meetings import Array, Meetings, Numbers

Matrix = NDArray[Any]
"""Of real or of complex numbers."""

FEWEST = 24
"""How many are eliminated together, at least."""
PART = 4
"""In large fronts it is one part of so many."""
SMALL = 1e-40
"""By how much a matrix is moved to differentiate its inverse."""


@dataclass(frozen=True)
class Front:
    """Some who are eliminated together, and those whose equations that changes."""

    members: Numbers
    """First those who are eliminated, then the others."""
    eliminated: int
    """How many of them are eliminated."""
    pairs: Numbers
    """The pairs of which one is eliminated here, and the other here or later."""
    rows: Numbers
    """Where the one of each pair is among the members."""
    columns: Numbers
    """Where the other is."""
    carried: Numbers
    """Where the others of the front before are among the members."""
    stretches: Numbers
    """The stretches in which somebody played who is eliminated here, and nobody before."""

    @property
    def out(self) -> Numbers:
        """Those who are eliminated."""
        return self.members[: self.eliminated]

    @property
    def rest(self) -> Numbers:
        """The others."""
        return self.members[self.eliminated :]


@dataclass(frozen=True)
class Plan:
    """In which order everybody is eliminated, for given meetings."""

    contestants: int
    alone: Numbers
    """Those who have met nobody; they are in no front."""
    fronts: Sequence[Front]

    @classmethod
    def of(cls, met: Meetings) -> Plan:
        """Return a plan: who has played last before the others is eliminated first."""
        first = np.full(met.contestants, met.stretches)
        last = np.full(met.contestants, -1)
        for side in (met.one[met.pair], met.other[met.pair]):
            np.minimum.at(first, side, met.at)
            np.maximum.at(last, side, met.at)
        order = np.lexsort((first, last))
        alone = int(np.searchsorted(last[order], 0))
        chunks = list(_chunks(first, last, order[alone:]))
        turn = np.full(met.contestants, len(chunks))
        for at, (chunk, _) in enumerate(chunks):
            turn[chunk] = at
        by_turn = _grouped(np.minimum(turn[met.one], turn[met.other]), len(chunks))
        homes = np.full(met.stretches, len(chunks))
        for side in (met.one[met.pair], met.other[met.pair]):
            np.minimum.at(homes, met.at, turn[side])
        stretches = _grouped(homes, len(chunks))
        fronts = []
        place = np.full(met.contestants, -1)
        before: Numbers = np.zeros(0, np.int64)
        for (chunk, rest), pairs, here in zip(chunks, by_turn, stretches, strict=True):
            members = np.concatenate((chunk, rest))
            place[members] = np.arange(len(members))
            rows, columns = place[met.one[pairs]], place[met.other[pairs]]
            fronts.append(Front(members, len(chunk), pairs, rows, columns, place[before], here))
            before = rest
        return cls(met.contestants, order[:alone], fronts)

    @property
    def widest(self) -> int:
        """How many are in the largest front."""
        return max((len(each.members) for each in self.fronts), default=0)


def _chunks(first: Numbers, last: Numbers, order: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield who is eliminated together, and who has played by then and is not eliminated yet."""
    by_first = order[np.argsort(first[order], kind="stable")]
    begins = first[by_first]
    done = np.zeros(len(first), np.bool_)
    there: Numbers = np.zeros(0, np.int64)
    entered = at = 0
    while at < len(order):
        now = int(np.searchsorted(begins, last[order[at]], "right"))
        count = max(FEWEST, (len(there) + now - entered) // PART)
        chunk = order[at : at + count]
        now = int(np.searchsorted(begins, last[chunk[-1]], "right"))
        done[chunk] = True
        there = np.concatenate((there, by_first[entered:now]))
        there = there[~done[there]]
        entered, at = now, at + len(chunk)
        yield chunk, there


def _grouped(keys: Numbers, groups: int) -> list[Numbers]:
    """Return the indices that have each key from 0 on; larger keys are left out."""
    order = np.argsort(keys, kind="stable")
    ends = np.searchsorted(keys[order], np.arange(groups + 1))
    return [order[a:b] for a, b in pairwise(ends.tolist())]


class Elimination:
    """A symmetric matrix, of which only the diagonal and pairs that met are not zero, eliminated.

    `diagonal` is by contestant, `between` by pair.
    """

    def __init__(self, plan: Plan, diagonal: Matrix, between: Matrix) -> None:
        self.plan = plan
        self._alone = diagonal[plan.alone]
        self._parts: list[tuple[Matrix, Matrix]] = []
        """Of each front, the inverse of the eliminated part, and that times what is beside it."""
        kind = np.result_type(diagonal, between)
        left: Matrix = np.zeros((0, 0), kind)
        for front in plan.fronts:
            count = front.eliminated
            whole = np.zeros((len(front.members),) * 2, kind)
            whole[np.ix_(front.carried, front.carried)] = left
            whole[front.rows, front.columns] += between[front.pairs]
            whole[front.columns, front.rows] += between[front.pairs]
            own = np.arange(count)
            whole[own, own] += diagonal[front.out]
            beside = whole[:count, count:]
            inverse = np.linalg.inv(whole[:count, :count])
            inverse = (inverse + inverse.T) / 2
            tie = inverse @ beside
            left = whole[count:, count:] - beside.T @ tie
            self._parts.append((inverse, tie))

    def solve(self, wanted: Matrix) -> Matrix:
        """Return what the matrix takes to these columns."""
        found = wanted.copy()
        fronts = self.plan.fronts
        for front, (_, tie) in zip(fronts, self._parts, strict=True):
            found[front.rest] -= tie.T @ found[front.out]
        for front, (inverse, tie) in zip(reversed(fronts), reversed(self._parts), strict=True):
            found[front.out] = inverse @ found[front.out] - tie @ found[front.rest]
        alone = self.plan.alone
        found[alone] = wanted[alone] / self._alone.reshape(-1, *[1] * (wanted.ndim - 1))
        return found

    def inverse(self) -> Iterator[tuple[Front, Matrix]]:
        """Yield the inverse between all members of each front; the last front comes first."""
        after: tuple[Front, Matrix] | None = None
        for front, (own, tie) in zip(
            reversed(self.plan.fronts), reversed(self._parts), strict=True
        ):
            count = front.eliminated
            found = np.zeros((len(front.members),) * 2, own.dtype)
            if after is not None:
                there = after[0].carried
                found[count:, count:] = after[1][np.ix_(there, there)]
            beside = -tie @ found[count:, count:]
            found[:count, count:] = beside
            found[count:, :count] = beside.T
            found[:count, :count] = own - beside @ tie.T
            after = front, found
            yield after


def between_inverses(
    plan: Plan, matrix: tuple[Array, Array], middle: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return the diagonal of A⁻¹ B A⁻¹, and its values for the pairs that met.

    Both matrices are given by their diagonal, and by pairs.
    """
    moved = Elimination(
        plan, matrix[0] + 1j * SMALL * middle[0], matrix[1] + 1j * SMALL * middle[1]
    )
    own = np.zeros(plan.contestants)
    own[plan.alone] = middle[0][plan.alone] / matrix[0][plan.alone] ** 2
    pairs = np.zeros(len(matrix[1]))
    for front, found in moved.inverse():
        own[front.out] = -found.diagonal()[: front.eliminated].imag / SMALL
        pairs[front.pairs] = -found[front.rows, front.columns].imag / SMALL
    return own, pairs
