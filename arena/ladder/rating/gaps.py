"""How uncertain differences are: variances and degrees of freedom, for those that are asked for.

There are as many differences as pairs, so they are computed by rows, a few at a time, and only
those of pairs that met are there at once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from arena.ladder.rating.elimination import Elimination, between_inverses
from arena.ladder.rating.meetings import Array, Meetings, Numbers

LEAST_DF = 1e-13
ROWS = 64
"""How many rows are kept."""


@dataclass(frozen=True)
class Naive:
    """Half of a covariance: A⁻¹ B A⁻¹, with its zero where the skills have theirs."""

    own: Array
    """The variances of all skills."""
    diagonal: Array
    """The diagonal without that zero, which differences do not depend on."""
    pairs: Array
    """The variances of the differences of pairs that met."""


@dataclass(frozen=True)
class Gaps:
    """The covariance of a fit, as far as differences need it. The unit is that of skills inside."""

    met: Meetings
    matrix: Elimination
    """The slopes of the equations."""
    chances: Array
    """The variance of a pair's points by chance alone, by pair."""
    naive: Naive
    prior: Naive
    """What the prior adds."""
    precision: float
    """The precision of the prior."""
    shifts: Array
    """By how much each stretch moves everybody."""
    df: Array
    """Everybody's own degrees of freedom."""
    over: float
    """The scatter of the blocks relative to that of independent pairs."""
    pooled: float
    """What the scatter of all adds to the degrees of freedom."""
    groups: Numbers
    """Those who are linked by meetings have one number."""
    levels: Array
    """The variance of everybody's level, if his group has not met others."""
    _rows: OrderedDict[int, tuple[Array, Array]] = field(default_factory=OrderedDict)

    @cached_property
    def robust(self) -> Array:
        """The variances of all skills, by the scatter of stretches."""
        return np.asarray((self.shifts**2).sum(axis=1) + self.prior.own)

    @cached_property
    def own(self) -> Array:
        """The variances of all skills without their levels."""
        return self._mixed(self.naive.own, self.prior.own, self.robust, self.df)

    def pairs(self) -> tuple[Array, Array]:
        """Return the variances of the differences of pairs that met, and their degrees."""
        one, other = self.met.one, self.met.other
        moved = np.zeros(len(one))
        for column in self.shifts.T:
            moved += (column[one] - column[other]) ** 2
        df = self._shared(one, other)
        prior = self.prior.pairs
        return self._mixed(self.naive.pairs, prior, moved + prior, df), self.pooled + df

    def row(self, contestant: int) -> tuple[Array, Array]:
        """Return `rows` of one contestant."""
        if contestant not in self._rows:
            few = len(self.df) <= ROWS
            wanted = np.arange(len(self.df)) if few else np.array([contestant])
            found = self.rows(wanted)
            self._rows.update(
                (each, (variance, df))
                for each, variance, df in zip(wanted.tolist(), *found, strict=True)
            )
            while len(self._rows) > ROWS:
                self._rows.popitem(last=False)
        return self._rows[contestant]

    def rows(self, wanted: Numbers) -> tuple[Array, Array]:
        """Return the variances of the differences of these and everybody, and their degrees.

        Where the two are the same there are those of the skill itself.
        """
        count = len(wanted)
        at = np.arange(count)
        chosen = np.zeros((len(self.df), count))
        chosen[wanted, at] = 1.0
        column = self.matrix.solve(chosen)
        both = self.matrix.solve(np.hstack((self.met.pulled(self.chances, column), column)))
        naive = _gaps(self.naive.diagonal, both[:, :count], wanted)
        prior = _gaps(self.prior.diagonal, self.precision * both[:, count:], wanted)
        moved = _gaps((self.shifts**2).sum(axis=1), self.shifts @ self.shifts[wanted].T, wanted)
        df = self._shared(wanted[:, None], np.arange(len(self.df))[None, :])
        variance = self._mixed(naive, prior, moved + prior, df)
        variance += np.where(self.groups[wanted][:, None] == self.groups, 0, 2 / self.precision)
        variance[at, wanted] = self.own[wanted] + self.levels[wanted]
        df[at, wanted] = self.df[wanted]
        return variance, self.pooled + df

    def _mixed(self, naive: Array, prior: Array, robust: Array, df: Array) -> Array:
        """Pool the scatter of few stretches, which alone is too unsure, with everybody's."""
        pooled = self.pooled * (self.over * naive + prior)
        return np.asarray((pooled + df * robust) / (self.pooled + df))

    def _shared(self, one: Numbers, other: Numbers) -> Array:
        """Return the degrees of freedom of differences: between those of the two.

        Who is known less well counts more.
        """
        variance = self.robust
        count = variance / np.maximum(self.df, LEAST_DF)
        both = variance[one] + variance[other]
        return np.asarray(both / np.maximum(count[one] + count[other], LEAST_DF))


def naive(
    met: Meetings,
    matrix: Elimination,
    parts: tuple[Array, Array],
    middle: tuple[Array, Array],
    centre: Array,
) -> Naive:
    """Return A⁻¹ B A⁻¹; A is also given by its parts, as B is: a diagonal, and values of pairs.

    `centre` has how much the zero moves with everybody.
    """
    diagonal, between = between_inverses(matrix.plan, parts, middle)
    towards = matrix.solve(centre)
    drawn = middle[0] * towards + met.sums(
        middle[1] * towards[met.other], middle[1] * towards[met.one]
    )
    own = diagonal - 2 * matrix.solve(drawn) + float(towards @ drawn)
    pairs = diagonal[met.one] + diagonal[met.other] - 2 * between
    return Naive(np.maximum(own, 0.0), diagonal, np.maximum(pairs, 0.0))


def _gaps(diagonal: Array, columns: Array, wanted: Numbers) -> Array:
    """Return the variances of differences, a row for each of those that are wanted."""
    found = diagonal[wanted][:, None] + diagonal[None, :] - 2 * columns.T
    return np.asarray(np.maximum(found, 0.0))
