"""Skills with confidence intervals: one fit to all counts, with noise measured over the blocks.

The skills solve these equations: everybody's points are what the skills predict, plus a pull
by TrueSkill's prior. In one game the better of two has the better place with probability
Phi(gap / (sqrt 2 beta)), so skills are in TrueSkill's points and comparable with ratings. The
covariance is a sandwich estimate: outside are the slopes of these equations, inside is the
scatter of the stretches of the log around their prediction. This folder's README explains why,
and how it was tested.

Internally, the unit of skill is sqrt 2 beta.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import student
from arena.ladder.rating.factor_graph import BETA, SIGMA
from arena.ladder.rating.normal import PEAK
from arena.ladder.rating.normal_table import cdf
from arena.ladder.rating.tally import Tally

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

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
LANCZOS_STEPS = 24
"""How many directions of a stretch's leverage are taken out; it has few large ones."""
NODES = 1025
"""Points of a table of quantiles."""
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
    variance: Array
    """The variances of all differences; on the diagonal, those of the skills themselves."""
    df: Array
    """The degrees of freedom of these variances."""

    def gap(self, a: int, b: int) -> float:
        """Return how many points A is above B."""
        return self.points[a] - self.points[b]

    def noise(self, a: int, b: int, doubt: float) -> float:
        """Return how far the gap of two may be off, with confidence 1 - `doubt`, two-sided."""
        return student.quantile(1 - doubt / 2, float(self.df[a, b])) * sqrt(self.variance[a, b])

    def noises(self, doubt: float) -> Array:
        """Return `noise` of everybody and everybody, to seven digits."""
        # Quantiles are smooth in 1 / df, so a table of them does for all pairs.
        shares = np.linspace(1 / self.df.max(initial=LEAST_POOLED), 1 / LEAST_POOLED, NODES)
        table = student.quantiles(1 - doubt / 2, 1 / shares)
        return np.asarray(np.interp(1 / self.df, shares, table) * np.sqrt(self.variance))

    def confidence_above(self, a: int, b: int) -> float:
        """Return the highest confidence level at which A is above B, one-sided.

        It is 1 - p of a test, right for deciding when to stop, and for ranks. It is not how
        probable it is that A is above B: for that see `probability_above`.
        """
        if a == b:
            return 0.5
        return student.cdf(self.gap(a, b) / sqrt(self.variance[a, b]), float(self.df[a, b]))

    def confidences_above(self, a: int) -> Array:
        """Return `confidence_above` of A and everybody."""
        gaps = self.points[a] - np.array(self.points)
        return student.cdfs(gaps / np.sqrt(self.variance[a]), self.df[a])

    def probability_above(self, a: int, b: int) -> float:
        """Return how probable it is that A is above B, given how far apart bots are here.

        The gap is shrunk: in a close field, much of a large gap is luck.
        """
        if a == b:
            return 0.5
        noise, field = float(self.variance[a, b]), 2 * self.spread
        gap = self.gap(a, b) * sqrt(field / (field + noise))
        return student.cdf(gap / sqrt(noise), float(self.df[a, b]))

    @cached_property
    def spread(self) -> float:
        """The variance of the true skills in this field, as far as it can be told."""
        noise = float(self.weights @ np.diag(self.variance))
        seen = float(self.weights @ np.square(self.points))
        return max(LEAST_SPREAD * noise, seen - noise)


def fit(tally: Tally, *, margins: bool = False) -> Skills:
    """Fit the skills of everybody in the tally, by places or by margins."""
    n = tally.contestants
    met = Meetings.of(tally)
    whole = met.matrix(met.counts, n)
    got = np.zeros((met.stretches, n))
    for at, each in enumerate(tally.stretches):
        points = each.margins if margins else each.points
        got[at, list(points)] = list(points.values())
    skill = solve(whole, got.sum(axis=0))
    gaps = skill[:, None] - skill[None, :]
    slopes = PEAK * np.exp(-gaps * gaps / 2)
    information = whole * slopes
    inverse = np.linalg.inv(_laplacian(information) + PRIOR * np.eye(n))
    inverse = (inverse + inverse.T) / 2
    zero, weights, centre = zero_of(information, gaps, skill)
    spread = centre @ inverse

    # The sandwich: each stretch has drawn the fit towards itself, so its scatter is scaled up.
    # Each half of a pair's expected points counts for one of the two.
    expected = met.counts * cdf(skill[met.one] - skill[met.other])
    scatter = got - met.each(expected, met.counts - expected, n)
    pulls = met.counts * slopes[met.one, met.other]
    root = np.asarray(np.linalg.cholesky(inverse), np.float64)
    shifts = restored(met, pulls, root, scatter @ root) @ root.T @ centre.T
    prior = PRIOR * spread @ spread.T
    robust = _gap_variances(shifts.T @ shifts + prior)
    df = _degrees(met.each(pulls, pulls, n))

    # The scatter of few stretches alone is too unsure, so it is pooled with everybody's.
    chances = cdf(gaps)
    pairs = _laplacian(whole * chances * (1 - chances))
    naive = _gap_variances(spread @ pairs @ spread.T)
    own_prior = _gap_variances(prior)
    scatters = np.diag(robust - own_prior), np.diag(naive)
    over = _overdispersion(*scatters, df)
    pooled = _pooled_degrees(*scatters, df, over)
    shared = _shared_degrees(df, np.diag(robust))
    variance = (pooled * (over * naive + own_prior) + shared * robust) / (pooled + shared)
    levels = _gap_variances(_level_covariance(whole, centre))
    ends = _intervals(whole, skill, np.diag(variance), np.diag(levels), pooled + df)
    points, low, high = [((x - zero) * UNIT).tolist() for x in (skill, *ends)]
    return Skills(points, low, high, weights, (variance + levels) * UNIT**2, pooled + shared)


@dataclass(frozen=True)
class Meetings:
    """How often pairs met in each stretch: an entry for each pair that met there."""

    stretches: int
    at: Numbers
    """The stretch of each entry."""
    one: Numbers
    other: Numbers
    counts: Array

    @classmethod
    def of(cls, tally: Tally) -> Meetings:
        """Return the meetings of a tally."""
        found = [dict(sorted(each.meetings.items())) for each in tally.stretches]
        sizes = [len(each) for each in found]
        total = sum(sizes)
        numbers = np.fromiter((n for each in found for n in each), np.int64, total)
        counts = np.fromiter((n for each in found for n in each.values()), np.float64, total)
        # The number of a pair is the larger one's triangle and the smaller one.
        one = ((1 + np.sqrt(8 * numbers + 1)) / 2).astype(np.int64)
        one -= one * (one - 1) // 2 > numbers
        other = numbers - one * (one - 1) // 2
        return cls(len(found), np.repeat(np.arange(len(found)), sizes), one, other, counts)

    def matrix(self, values: Array, n: int) -> Array:
        """Return values of entries as a symmetric matrix of pairs, summed over the stretches."""
        flat = np.bincount(self.one * n + self.other, values, n * n).reshape(n, n)
        return np.asarray(flat + flat.T)

    def each(self, ones: Array, others: Array, n: int) -> Array:
        """Return the sums for each stretch and contestant of what each entry has for its two."""
        size = self.stretches * n
        sums = np.bincount(self.at * n + self.one, ones, size)
        sums = sums + np.bincount(self.at * n + self.other, others, size)
        return np.asarray(sums.reshape(self.stretches, n), np.float64)


def solve(met: Array, got: Array) -> Array:
    """Return the skills, by Newton's method."""
    n = len(got)
    skill = np.zeros(n)
    for _ in range(NEWTON_STEPS):
        gaps = skill[:, None] - skill[None, :]
        slopes = PEAK * np.exp(-gaps * gaps / 2)
        off = got - (met * cdf(gaps)).sum(axis=1) - PRIOR * skill
        step = np.linalg.solve(_laplacian(met * slopes) + PRIOR * np.eye(n), off)
        longest = float(np.abs(step).max(initial=0.0))
        if longest < CONVERGED:
            break
        skill += step / max(1.0, longest)
    return skill


def zero_of(information: Array, gaps: Array, skill: Array) -> tuple[float, Array, Array]:
    """Return the zero, the weights of which it is the mean, and what takes skills to it.

    A contestant with information I has the weight I / (I + T), where T is typical here. So all
    of whom much is known count nearly alike, and one who is out of reach of all others, or has
    hardly played, has hardly a weight, so that what is not known of him is not passed on. The
    weights depend on the skills, and so does the last matrix: it takes changes of skills to
    changes of their distances from zero.
    """
    if not len(skill):
        return 0.0, skill, np.eye(0)
    each = information.sum(axis=1)
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
    bends = -gaps * information
    towards = moves * bends.sum(axis=1) - bends.T @ moves
    return zero, weights, np.eye(len(skill)) - (weights + towards / counts.sum())[None, :]


def _intervals(
    met: Array, skill: Array, variance: Array, levels: Array, df: Array
) -> tuple[Array, Array]:
    """Return the lower and the upper ends of the intervals.

    Noise is symmetric in points won, not in skill: somebody who has won nearly all may be much
    better, but not much worse. So the interval is computed in points and converted to skill.
    """
    gaps = skill[:, None] - skill[None, :]
    slope = PRIOR + (met * PEAK * np.exp(-gaps * gaps / 2)).sum(axis=1)
    wide = student.quantiles((1 + LEVEL) / 2, df)
    reach = wide * np.sqrt(variance) * slope
    level = wide * np.sqrt(levels)
    down = skill - _skill_with_more_points(met, skill, -reach)
    up = _skill_with_more_points(met, skill, reach) - skill
    return skill - np.hypot(down, level), skill + np.hypot(up, level)


def _skill_with_more_points(met: Array, skill: Array, reach: Array) -> Array:
    """Return the skills at which `reach` more points are expected; by Newton's steps, bounded."""
    others = skill[None, :]
    now = (met * cdf(skill[:, None] - others)).sum(axis=1)
    far = skill + reach / PRIOR
    least, most = np.minimum(skill, far), np.maximum(skill, far)
    found = skill
    for _ in range(NEWTON_STEPS):
        gaps = found[:, None] - others
        off = (met * cdf(gaps)).sum(axis=1) - now + PRIOR * (found - skill) - reach
        least, most = np.where(off < 0, found, least), np.where(off > 0, found, most)
        step = found - off / (PRIOR + (met * PEAK * np.exp(-gaps * gaps / 2)).sum(axis=1))
        inside = (step >= least) & (step <= most)
        after = np.where(inside, step, (least + most) / 2)
        if float(np.abs(after - found).max(initial=0.0)) < PRECISE:
            return after
        found = after
    return found


def restored(met: Meetings, pulls: Array, root: Array, vectors: Array) -> Array:
    """Return for each stretch (1 - leverage)^(-1/2) times its vector, by Lanczos' method.

    The leverage has few large eigenvalues, those of who played much of his games in the stretch,
    so a few steps come to all digits, without a matrix for each stretch.
    """
    stretches, n = vectors.shape
    steps = min(LANCZOS_STEPS, n)
    if not vectors.size:
        return vectors
    length = np.sqrt((vectors**2).sum(axis=1))
    basis = np.zeros((stretches, steps, n))
    small = np.zeros((stretches, steps, steps))
    direction = _unit(vectors, length)
    for step in range(steps):
        basis[:, step] = direction
        seen = direction @ root.T
        drawn = pulls * (seen[met.at, met.one] - seen[met.at, met.other])
        image = met.each(drawn, -drawn, n) @ root
        along = np.matmul(basis[:, : step + 1], image[:, :, None])
        small[:, step, step] = along[:, step, 0]
        for _ in range(2):  # once more, against rounding errors
            image = image - np.matmul(along.transpose(0, 2, 1), basis[:, : step + 1])[:, 0]
            along = np.matmul(basis[:, : step + 1], image[:, :, None])
        size = np.sqrt((image**2).sum(axis=1))
        size[size < TINY] = 0.0
        if step + 1 < steps:
            small[:, step, step + 1] = small[:, step + 1, step] = size
        direction = _unit(image, size)
    values, axes = np.linalg.eigh(small)
    scales = 1 / np.sqrt(np.maximum(1 - values, TINY))
    mixed = np.matmul(axes * scales[:, None, :], axes[:, 0, :, None])
    return np.asarray(length[:, None] * np.matmul(mixed.transpose(0, 2, 1), basis)[:, 0])


def _unit(vectors: Array, lengths: Array) -> Array:
    """Return the vectors at length one, or zero where they have none."""
    return vectors / np.where(lengths > 0, lengths, 1.0)[:, None]


def _degrees(shares: Array) -> Array:
    """Return Satterthwaite's degrees of freedom, from what each stretch says of everybody."""
    squares = (shares**2).sum(axis=0)
    whole = shares.sum(axis=0) ** 2
    count: Array = np.divide(whole, squares, out=np.ones_like(whole), where=squares > 0)
    return np.asarray(np.maximum(count - 1, 0))


def _shared_degrees(df: Array, variance: Array) -> Array:
    """Return the degrees of freedom of all differences: between those of the two.

    Who is known less well counts more. On the diagonal they are everybody's own.
    """
    count = variance / np.maximum(df, TINY)
    both = (variance[:, None] + variance[None, :]) / np.maximum(
        count[:, None] + count[None, :], TINY
    )
    np.fill_diagonal(both, df)
    return both


def _overdispersion(robust: Array, naive: Array, df: Array) -> float:
    """Return the scatter of the blocks relative to that of independent pairs, over everybody."""
    seen = naive > 0
    times = float((df[seen] * robust[seen] / naive[seen]).sum())
    return (OVERDISPERSION_DF * OVERDISPERSION + times) / (
        OVERDISPERSION_DF + float(df[seen].sum())
    )


def _pooled_degrees(robust: Array, naive: Array, df: Array, over: float) -> float:
    """Return how many degrees of freedom the scatter of all is worth to each.

    They are as many as the contestants are alike: the relative scatters of contestants differ by
    a variance of 2 / df by chance alone, and if that is all, what is known of one holds for all.
    What is more than chance is measured here, with a standard error for safety.
    """
    squares = float((df**2).sum())
    seen = naive > 0
    if not squares or not seen.any():
        return LEAST_POOLED
    apart = (robust[seen] / naive[seen] / over - 1) ** 2 - 2 / np.maximum(df[seen], TINY)
    more = max(0.0, float((df[seen] ** 2 * apart).sum()) / squares) + sqrt(8 / squares)
    return max(LEAST_POOLED, 2 / more)


def _level_covariance(met: Array, centre: Array) -> Array:
    """Return the covariance of the levels of groups that never met; zero if all are connected."""
    group = np.arange(len(met))
    while True:
        # Everybody takes the lowest number of those whom he met.
        lowest = np.where(met > 0, group[None, :], len(met)).min(axis=1, initial=len(met))
        after = np.minimum(group, lowest)
        if (after == group).all():
            break
        group = after
    shared = np.equal.outer(group, np.unique(group)).astype(np.float64)
    levels = centre @ shared
    return np.asarray(levels @ levels.T / PRIOR)


def _gap_variances(covariance: Array) -> Array:
    """Return the variances of all differences, and of each skill itself on the diagonal."""
    own = np.diagonal(covariance)
    gaps = own[:, None] + own[None, :] - 2 * covariance
    np.fill_diagonal(gaps, own)
    return np.asarray(np.maximum(gaps, 0.0))


def _laplacian(weights: Array) -> Array:
    """Return the slopes of everybody's points by everybody's skill, from the slopes of pairs."""
    return np.asarray(np.diag(weights.sum(axis=-1)) - weights)
