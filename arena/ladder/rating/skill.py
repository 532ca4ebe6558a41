"""Skills with intervals that hold: one fit to all counts, its noise taken from the blocks.

Skills solve: everybody's points are what the skills make expected, plus a pull by TrueSkill's
prior. In one game the better of two is above with probability Phi(gap / (sqrt 2 beta)), so
that skills are in TrueSkill's points and can stand beside ratings. The covariance is a sandwich:
the slope of these equations outside, the scatter of the stretches of the log around what is
expected of them inside. Why so, and how it was tested, is in this folder's README.

Inside, the unit of skill is sqrt 2 beta.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import student
from arena.ladder.rating.factor_graph import BETA, SIGMA
from arena.ladder.rating.normal import PEAK, cdf
from arena.ladder.rating.tally import Tally

Array = NDArray[np.float64]

UNIT = sqrt(2) * BETA
PRIOR = (UNIT / SIGMA) ** 2
"""The precision of TrueSkill's prior."""
POOLED = 8.0
"""Degrees of freedom that the scatter of all contestants lends to each."""
OVERDISPERSION = 5 / 3
"""How many times its games' scatter is that of independent pairs, where all four are equal."""
OVERDISPERSION_DF = 2.0
"""How many degrees of freedom that guess is worth."""
LEVEL = 0.95
NEWTON_STEPS = 200
CONVERGED = 1e-12
PRECISE = 1e-9


@dataclass(frozen=True)
class Skills:
    """Skills in points, whose mean over all games is zero, and what is known of their noise."""

    points: list[float]
    low: list[float]
    """Where the 95 % interval of each begins."""
    high: list[float]
    """Where it ends."""
    variance: Array
    """Of each difference of two; on the diagonal of each skill itself."""
    df: Array

    def gap(self, a: int, b: int) -> float:
        """How many points A is above B."""
        return self.points[a] - self.points[b]

    def noise(self, a: int, b: int, doubt: float) -> float:
        """What the gap of two is off by at most, but for a doubt, shared by both sides."""
        return student.quantile(1 - doubt / 2, float(self.df[a, b])) * sqrt(self.variance[a, b])

    def above(self, a: int, b: int) -> float:
        """How sure it is that A is above B."""
        if a == b:
            return 0.5
        return student.cdf(self.gap(a, b) / sqrt(self.variance[a, b]), float(self.df[a, b]))


def fit(tally: Tally) -> Skills:
    """The skills of everybody in the tally."""
    n = tally.contestants
    met = np.zeros((len(tally.stretches), n, n))
    got = np.zeros((len(tally.stretches), n))
    for at, stretch in enumerate(tally.stretches):
        met[at] = _matrix(stretch.meetings, n)
        got[at] = stretch.points
    skill, expected, slopes = _solve(met.sum(axis=0), got.sum(axis=0))
    inverse = np.linalg.inv(_laplacian(met.sum(axis=0) * slopes) + PRIOR * np.eye(n))
    inverse = (inverse + inverse.T) / 2
    centre = np.eye(n) - _weights(met)
    spread = centre @ inverse

    # The sandwich: a stretch has drawn the fit towards itself, and is given its scatter back.
    pulls = _laplacian(met * slopes)
    scatter = got - (met * expected).sum(axis=2)
    root = np.linalg.cholesky(inverse)
    restore = _inverse_roots(np.eye(n) - root.T @ pulls @ root)
    shifts = (restore @ (scatter @ root)[:, :, None])[:, :, 0] @ root.T @ centre.T
    prior = PRIOR * spread @ spread.T
    robust = _of_gaps(shifts.T @ shifts + prior)
    shares = _of_gaps(spread @ pulls @ spread.T)
    df = _degrees(shares)

    # With few stretches, their scatter alone is no measure: it is pooled with everybody's.
    pairs = _laplacian(met.sum(axis=0) * expected * (1 - expected))
    naive = _of_gaps(spread @ pairs @ spread.T)
    over = _overdispersion(np.diag(robust - _of_gaps(prior)), np.diag(naive), np.diag(df))
    pooled = over * naive + _of_gaps(prior)
    variance = (POOLED * pooled + df * robust) / (POOLED + df)
    df = POOLED + df
    levels = _of_gaps(_levels(met.sum(axis=0), centre))
    zero = float(skill[0] - (centre @ skill)[0]) if n else 0.0
    ends = _intervals(met.sum(axis=0), skill, np.diag(variance), np.diag(levels), np.diag(df))
    points, low, high = [[(x - zero) * UNIT for x in xs] for xs in (skill.tolist(), *ends)]
    return Skills(points, low, high, (variance + levels) * UNIT**2, df)


def _solve(met: Array, got: Array) -> tuple[Array, Array, Array]:
    """Skills by Newton's method, with the expected points of each pair and their slopes."""
    n = len(got)
    skill = np.zeros(n)
    for _ in range(NEWTON_STEPS):
        gaps = skill[:, None] - skill[None, :]
        expected = np.array([cdf(x) for x in gaps.flat]).reshape(n, n)
        slopes = PEAK * np.exp(-gaps * gaps / 2)
        off = got - (met * expected).sum(axis=1) - PRIOR * skill
        step = np.linalg.solve(_laplacian(met * slopes) + PRIOR * np.eye(n), off)
        longest = float(np.abs(step).max(initial=0.0))
        if longest < CONVERGED:
            break
        skill += step / max(1.0, longest)
    return skill, expected, slopes


def _intervals(
    met: Array, skill: Array, variance: Array, levels: Array, df: Array
) -> tuple[list[float], list[float]]:
    """Where the intervals begin and end.

    Chance is even to both sides in points won, not in skill: who has won nearly all may be any
    better, but not much worse. So the interval is laid on the points, and carried back.
    """
    low, high = [], []
    for a, own in enumerate(skill.tolist()):
        rivals = [(float(met[a, b]), float(skill[b])) for b in np.flatnonzero(met[a])]
        slope = PRIOR + sum(n * PEAK * exp(-((own - other) ** 2) / 2) for n, other in rivals)
        wide = student.quantile((1 + LEVEL) / 2, float(df[a]))
        reach = wide * sqrt(variance[a]) * slope
        level = wide * sqrt(levels[a])
        low.append(own - hypot(own - _where(rivals, own, -reach), level))
        high.append(own + hypot(_where(rivals, own, reach) - own, level))
    return low, high


def _where(rivals: list[tuple[float, float]], own: float, reach: float) -> float:
    """The skill at which so many more points are expected."""
    now = sum(n * cdf(own - other) for n, other in rivals)
    near, far = own, own + reach / PRIOR
    while abs(far - near) > PRECISE:
        middle = (near + far) / 2
        more = sum(n * cdf(middle - other) for n, other in rivals) - now + PRIOR * (middle - own)
        if abs(more) < abs(reach):
            near = middle
        else:
            far = middle
    return (near + far) / 2


def _inverse_roots(matrices: Array) -> Array:
    """Their powers of -1/2, by Newton and Schulz; eigenvalues lie between 0 and 1.

    Products alone: an eigenvalue routine for every stretch takes seconds where cores are busy.
    """
    one = np.eye(matrices.shape[-1])
    rest, root = matrices, np.broadcast_to(one, matrices.shape)
    for _ in range(NEWTON_STEPS):
        step = (3 * one - root @ rest) / 2
        rest, root = rest @ step, step @ root
        if float(np.abs(step - one).max(initial=0.0)) < CONVERGED:
            break
    return root


def _weights(met: Array) -> Array:
    """Rows that take the mean over all games: newcomers hardly move the zero."""
    games = met.sum(axis=(0, 2)) if met.any() else np.ones(met.shape[-1])
    return np.asarray(np.tile(games / games.sum(), (len(games), 1)))


def _degrees(shares: Array) -> Array:
    """Satterthwaite's degrees of freedom, from what each stretch adds to a variance."""
    squares = (shares**2).sum(axis=0)
    whole = shares.sum(axis=0) ** 2
    count: Array = np.divide(whole, squares, out=np.ones_like(whole), where=squares > 0)
    return np.asarray(np.maximum(count - 1, 0))


def _overdispersion(robust: Array, naive: Array, df: Array) -> float:
    """How many times the scatter of independent pairs the blocks show, over everybody."""
    seen = naive > 0
    times = float((df[seen] * robust[seen] / naive[seen]).sum())
    return (OVERDISPERSION_DF * OVERDISPERSION + times) / (
        OVERDISPERSION_DF + float(df[seen].sum())
    )


def _levels(met: Array, centre: Array) -> Array:
    """What is unknown of the levels of groups that never met; nothing if all are connected."""
    group = list(range(len(met)))
    for a, b in zip(*np.nonzero(met), strict=True):
        old, new = group[a], group[b]
        if old != new:
            group = [new if x == old else x for x in group]
    together = np.equal.outer(group, group).astype(np.float64)
    return np.asarray(centre @ together @ centre.T / PRIOR)


def _of_gaps(covariance: Array) -> Array:
    """Variances of all differences, and of each skill itself on the diagonal."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    gaps = own[..., :, None] + own[..., None, :] - 2 * covariance
    diagonal = np.arange(own.shape[-1])
    gaps[..., diagonal, diagonal] = own
    return np.asarray(np.maximum(gaps, 0.0))


def _laplacian(weights: Array) -> Array:
    """Slopes of everybody's points by everybody's skill, from the slopes of pairs."""
    n = weights.shape[-1]
    return np.asarray(weights.sum(axis=-1)[..., None] * np.eye(n) - weights)


def _matrix(meetings: list[int], n: int) -> Array:
    """Counts by number of pair, as a symmetric matrix."""
    matrix = np.zeros((n, n))
    matrix[np.tril_indices(n, -1)] = meetings
    return matrix + matrix.T
