"""Skills with confidence intervals: one fit to all counts, with noise measured over the blocks.

The skills solve these equations: everybody's points are what the skills predict, plus a pull
by TrueSkill's prior. In one game the better of two has the better place with probability
Phi(gap / (sqrt 2 beta)), so skills are in TrueSkill's points and comparable with ratings. The
covariance is a sandwich estimate: outside are the slopes of these equations, inside is the
scatter of the stretches of the log around their prediction. This folder's README explains why,
and how it was tested.

Nothing here has an entry for each two contestants: only pairs that met are counted, and of the
inverse only what is asked for is computed.

Internally, the unit of skill is sqrt 2 beta.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from arena.ladder.rating import student
from arena.ladder.rating.elimination import Elimination, Plan
from arena.ladder.rating.factor_graph import BETA, SIGMA
from arena.ladder.rating.gaps import Gaps, naive
from arena.ladder.rating.meetings import Array, Meetings, Numbers
from arena.ladder.rating.normal import PEAK
from arena.ladder.rating.normal_table import cdf
from arena.ladder.rating.scatter import shifts
from arena.ladder.rating.tally import Tally

UNIT = sqrt(2) * BETA
PRIOR = (UNIT / SIGMA) ** 2
"""The precision of TrueSkill's prior."""
LEAST_POOLED = 8.0
"""Degrees of freedom that the scatter of all contestants adds to each one's own, at least."""
OVERDISPERSION = 5 / 3
"""A first guess of scatter relative to independent pairs: that of games of four equals."""
OVERDISPERSION_DF = 2.0
"""Degrees of freedom that this guess is worth."""
LEAST_SPREAD = 0.02
"""The variance of the field is at least this part of the variance of its estimates."""
LEVEL = 0.95
NEWTON_STEPS = 200
CONVERGED = 1e-12
PRECISE = 1e-9
TINY = 1e-13


@dataclass(frozen=True)
class Skills:
    """Skills in points, and their uncertainty; zero is a mean by how much is known of each."""

    points: list[float]
    low: list[float]
    """The lower ends of the 95 % intervals."""
    high: list[float]
    """Their upper ends."""
    weights: Array
    """How much everybody counts in the zero; 1 together."""
    gaps: Gaps
    """How uncertain differences are."""

    def gap(self, a: int, b: int) -> float:
        """Return how many points A is above B."""
        return self.points[a] - self.points[b]

    def noise(self, a: int, b: int, doubt: float) -> float:
        """Return how far the gap of two may be off, with confidence 1 - `doubt`, two-sided."""
        deviation, df = self._uncertainty(a, b)
        return student.quantile(1 - doubt / 2, df) * deviation

    def noises_of(self, contestants: Numbers, doubt: float) -> Array:
        """Return `noise` of each of these and everybody, to seven digits."""
        return _noises(*self.gaps.rows(contestants), doubt)

    def noises_met(self, doubt: float) -> tuple[Numbers, Numbers, Array]:
        """Return the pairs that met, the later first, and the `noise` of each."""
        met = self.gaps.met
        return met.one, met.other, _noises(*self.gaps.pairs(), doubt)

    def confidence_above(self, a: int, b: int) -> float:
        """Return the highest confidence level at which A is above B, one-sided.

        It is 1 - p of a test, right for deciding when to stop, and for ranks. It is not how
        probable it is that A is above B: for that see `probability_above`.
        """
        if a == b:
            return 0.5
        deviation, df = self._uncertainty(a, b)
        return student.cdf(self.gap(a, b) / deviation, df)

    def scores_above(self, contestants: Sequence[int]) -> tuple[Array, Array]:
        """Return Student's t of each of these above everybody, and its degrees of freedom."""
        wanted = np.array(contestants, np.int64)
        variance, df = self.gaps.rows(wanted)
        points = np.array(self.points)
        return (points[wanted][:, None] - points[None, :]) / (UNIT * np.sqrt(variance)), df

    def probability_above(self, a: int, b: int) -> float:
        """Return how probable it is that A is above B, given how far apart bots are here.

        The gap is shrunk: in a close field, much of a large gap is luck.
        """
        if a == b:
            return 0.5
        deviation, df = self._uncertainty(a, b)
        field = 2 * self.spread
        gap = self.gap(a, b) * sqrt(field / (field + deviation**2))
        return student.cdf(gap / deviation, df)

    @cached_property
    def spread(self) -> float:
        """The variance of the true skills in this field, as far as it can be told."""
        noise = float(self.weights @ (self.gaps.own + self.gaps.levels)) * UNIT**2
        seen = float(self.weights @ np.square(self.points))
        return max(LEAST_SPREAD * noise, seen - noise)

    def _uncertainty(self, a: int, b: int) -> tuple[float, float]:
        """Return the standard deviation of a difference, and its degrees of freedom."""
        variance, df = self.gaps.row(a)
        return UNIT * sqrt(variance[b]), float(df[b])


def fit(tally: Tally, *, margins: bool = False) -> Skills:
    """Fit the skills of everybody in the tally, by places or by margins."""
    met = Meetings.of(tally)
    n = met.contestants
    plan = Plan.of(met)
    got = np.zeros((met.stretches, n))
    for at, each in enumerate(tally.stretches):
        if points := each.margins if margins else each.points:
            got[at, np.asarray(each.players)] = points
    skill = solve(met, plan, got.sum(axis=0))
    gaps = skill[met.one] - skill[met.other]
    slopes = PEAK * np.exp(-gaps * gaps / 2)
    information = met.counts * slopes
    matrix = met.sums(information, information) + PRIOR, -information
    inverse = Elimination(plan, *matrix)
    zero, weights, centre = zero_of(met, information, gaps, skill)

    # The sandwich: each stretch has drawn the fit towards itself, so its scatter is scaled up.
    # Each half of a pair's expected points counts for one of the two.
    chances = cdf(gaps)
    expected = met.times * chances[met.pair]
    scatter = got - met.each(expected, met.times - expected)
    pulls = met.times * slopes[met.pair]
    moved = shifts(met, inverse, pulls, scatter)
    moved -= centre @ moved
    df = _degrees(met.each(pulls, pulls))
    luck = met.counts * chances * (1 - chances)
    by_chance = naive(met, inverse, matrix, (met.sums(luck, luck), -luck), centre)
    flat = np.full(n, PRIOR), np.zeros(len(gaps))
    by_prior = naive(met, inverse, matrix, flat, centre)

    # The scatter of few stretches alone is too unsure, so it is pooled with everybody's.
    scatters = (moved**2).sum(axis=1), by_chance.own
    over = _overdispersion(*scatters, df)
    pooled = _pooled_degrees(*scatters, df, over)
    groups = met.groups()
    levels = _levels(groups, centre)
    found = Gaps(
        met, inverse, luck, by_chance, by_prior, PRIOR, moved, df, over, pooled, groups, levels
    )
    ends = _intervals(met, skill, found.own, levels, pooled + df)
    points, low, high = [((x - zero) * UNIT).tolist() for x in (skill, *ends)]
    return Skills(points, low, high, weights, found)


def solve(met: Meetings, plan: Plan, got: Array) -> Array:
    """Return the skills, by Newton's method."""
    skill = np.zeros(met.contestants)
    for _ in range(NEWTON_STEPS):
        gaps = skill[met.one] - skill[met.other]
        slopes = met.counts * PEAK * np.exp(-gaps * gaps / 2)
        expected = met.counts * cdf(gaps)
        off = got - met.sums(expected, met.counts - expected) - PRIOR * skill
        step = Elimination(plan, met.sums(slopes, slopes) + PRIOR, -slopes).solve(off)
        longest = float(np.abs(step).max(initial=0.0))
        if longest < CONVERGED:
            break
        skill += step / max(1.0, longest)
    return skill


def zero_of(
    met: Meetings, information: Array, gaps: Array, skill: Array
) -> tuple[float, Array, Array]:
    """Return the zero, the weights of which it is the mean, and how it moves with each skill.

    A contestant with information I has the weight I / (I + T), where T is typical here. So all
    of whom much is known count nearly alike, and one who is out of reach of all others, or has
    hardly played, has hardly a weight, so that what is not known of him is not passed on. The
    weights depend on the skills, and so does by how much the zero moves.
    """
    if not len(skill):
        return 0.0, skill, skill
    each = met.sums(information, information)
    whole = float(each.sum())
    if not whole:
        each = np.ones(len(skill))
        whole = float(len(skill))
    typical = float(each @ each) / whole
    counts = each / (each + typical)
    weights = counts / counts.sum()
    zero = float(weights @ skill)
    # By how much the zero moves when somebody's information grows, by itself and through T.
    off = skill - zero
    steep = typical / (each + typical) ** 2
    through = float(off @ (steep * each)) / typical
    moves = off * steep - (2 * each - typical) / whole * through
    bends = -gaps * information * (moves[met.one] + moves[met.other])
    return zero, weights, weights + met.sums(bends, -bends) / counts.sum()


def _intervals(
    met: Meetings, skill: Array, variance: Array, levels: Array, df: Array
) -> tuple[Array, Array]:
    """Return the lower and the upper ends of the intervals.

    Noise is symmetric in points won, not in skill: somebody who has won nearly all may be much
    better, but not much worse. So the interval is computed in points and converted to skill.
    """
    gaps = skill[met.one] - skill[met.other]
    slopes = met.counts * PEAK * np.exp(-gaps * gaps / 2)
    wide = student.quantiles((1 + LEVEL) / 2, df)
    reach = wide * np.sqrt(variance) * (PRIOR + met.sums(slopes, slopes))
    level = wide * np.sqrt(levels)
    down = skill - _skill_with_more_points(met, skill, -reach)
    up = _skill_with_more_points(met, skill, reach) - skill
    return skill - np.hypot(down, level), skill + np.hypot(up, level)


def _skill_with_more_points(met: Meetings, skill: Array, reach: Array) -> Array:
    """Return the skills at which `reach` more points are expected; by Newton's steps, bounded."""
    one, other, counts = met.one, met.other, met.counts

    def expected(found: Array) -> Array:
        return met.sums(
            counts * cdf(found[one] - skill[other]), counts * cdf(found[other] - skill[one])
        )

    def slope(found: Array) -> Array:
        ones, others = found[one] - skill[other], found[other] - skill[one]
        rises = (counts * PEAK * np.exp(-each * each / 2) for each in (ones, others))
        return PRIOR + met.sums(*rises)

    now = expected(skill)
    far = skill + reach / PRIOR
    least, most = np.minimum(skill, far), np.maximum(skill, far)
    found = skill
    for _ in range(NEWTON_STEPS):
        off = expected(found) - now + PRIOR * (found - skill) - reach
        least, most = np.where(off < 0, found, least), np.where(off > 0, found, most)
        step = found - off / slope(found)
        inside = (step >= least) & (step <= most)
        after = np.where(inside, step, (least + most) / 2)
        if float(np.abs(after - found).max(initial=0.0)) < PRECISE:
            return after
        found = after
    return found


def _noises(variance: Array, df: Array, doubt: float) -> Array:
    """Return how far gaps may be off, with confidence 1 - `doubt`, to seven digits."""
    return np.asarray(UNIT * student.tabled(1 - doubt / 2, df) * np.sqrt(variance))


def _degrees(shares: Array) -> Array:
    """Return Satterthwaite's degrees of freedom, from what each stretch says of everybody."""
    squares = (shares**2).sum(axis=0)
    whole = shares.sum(axis=0) ** 2
    count: Array = np.divide(whole, squares, out=np.ones_like(whole), where=squares > 0)
    return np.asarray(np.maximum(count - 1, 0))


def _overdispersion(robust: Array, by_chance: Array, df: Array) -> float:
    """Return the scatter of the blocks relative to that of independent pairs, over everybody."""
    seen = by_chance > 0
    times = float((df[seen] * robust[seen] / by_chance[seen]).sum())
    return (OVERDISPERSION_DF * OVERDISPERSION + times) / (
        OVERDISPERSION_DF + float(df[seen].sum())
    )


def _pooled_degrees(robust: Array, by_chance: Array, df: Array, over: float) -> float:
    """Return how many degrees of freedom the scatter of all is worth to each.

    They are as many as the contestants are alike: the relative scatters of contestants differ by
    a variance of 2 / df by chance alone, and if that is all, what is known of one holds for all.
    What is more than chance is measured here, with a standard error for safety.
    """
    squares = float((df**2).sum())
    seen = by_chance > 0
    if not squares or not seen.any():
        return LEAST_POOLED
    apart = (robust[seen] / by_chance[seen] / over - 1) ** 2 - 2 / np.maximum(df[seen], TINY)
    more = max(0.0, float((df[seen] ** 2 * apart).sum()) / squares) + sqrt(8 / squares)
    return max(LEAST_POOLED, 2 / more)


def _levels(groups: Numbers, centre: Array) -> Array:
    """Return the variances of the levels of groups that never met; zero if all are connected."""
    parts = np.bincount(groups, centre)
    own = 1 - 2 * parts + float(parts @ parts)
    return np.asarray(np.maximum(own, 0.0)[groups] / PRIOR)
