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
"""Degrees of freedom that the scatter of all contestants adds to each one's own."""
OVERDISPERSION = 5 / 3
"""A first guess of scatter relative to independent pairs: that of games of four equals."""
OVERDISPERSION_DF = 2.0
"""Degrees of freedom that this guess is worth."""
LEVEL = 0.95
NEWTON_STEPS = 200
CONVERGED = 1e-12
PRECISE = 1e-9


@dataclass(frozen=True)
class Skills:
    """Skills in points, with a mean over all games of zero, and their uncertainty."""

    points: list[float]
    low: list[float]
    """The lower ends of the 95 % intervals."""
    high: list[float]
    """Their upper ends."""
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

    def above(self, a: int, b: int) -> float:
        """Return how sure it is that A is above B, from 0 to 1."""
        if a == b:
            return 0.5
        return student.cdf(self.gap(a, b) / sqrt(self.variance[a, b]), float(self.df[a, b]))


def fit(tally: Tally) -> Skills:
    """Fit the skills of everybody in the tally."""
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

    # The sandwich: each stretch has drawn the fit towards itself, so its scatter is scaled up.
    pulls = _laplacian(met * slopes)
    scatter = got - (met * expected).sum(axis=2)
    root = np.linalg.cholesky(inverse)
    restore = _inverse_roots(np.eye(n) - root.T @ pulls @ root)
    shifts = (restore @ (scatter @ root)[:, :, None])[:, :, 0] @ root.T @ centre.T
    prior = PRIOR * spread @ spread.T
    robust = _gap_variances(shifts.T @ shifts + prior)
    shares = _gap_variances(spread @ pulls @ spread.T)
    df = _degrees(shares)

    # The scatter of few stretches alone is too unsure, so it is pooled with everybody's.
    pairs = _laplacian(met.sum(axis=0) * expected * (1 - expected))
    naive = _gap_variances(spread @ pairs @ spread.T)
    over = _overdispersion(np.diag(robust - _gap_variances(prior)), np.diag(naive), np.diag(df))
    pooled = over * naive + _gap_variances(prior)
    variance = (POOLED * pooled + df * robust) / (POOLED + df)
    df = POOLED + df
    levels = _gap_variances(_level_covariance(met.sum(axis=0), centre))
    zero = float(skill[0] - (centre @ skill)[0]) if n else 0.0
    ends = _intervals(met.sum(axis=0), skill, np.diag(variance), np.diag(levels), np.diag(df))
    points, low, high = [[(x - zero) * UNIT for x in xs] for xs in (skill.tolist(), *ends)]
    return Skills(points, low, high, (variance + levels) * UNIT**2, df)


def _solve(met: Array, got: Array) -> tuple[Array, Array, Array]:
    """Return the skills, by Newton's method, with each pair's expected points and slopes."""
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
    """Return the lower and the upper ends of the intervals.

    Noise is symmetric in points won, not in skill: somebody who has won nearly all may be much
    better, but not much worse. So the interval is computed in points and converted to skill.
    """
    low, high = [], []
    for a, own in enumerate(skill.tolist()):
        rivals = [(float(met[a, b]), float(skill[b])) for b in np.flatnonzero(met[a])]
        slope = PRIOR + sum(n * PEAK * exp(-((own - other) ** 2) / 2) for n, other in rivals)
        wide = student.quantile((1 + LEVEL) / 2, float(df[a]))
        reach = wide * sqrt(variance[a]) * slope
        level = wide * sqrt(levels[a])
        low.append(own - hypot(own - _skill_with_more_points(rivals, own, -reach), level))
        high.append(own + hypot(_skill_with_more_points(rivals, own, reach) - own, level))
    return low, high


def _skill_with_more_points(rivals: list[tuple[float, float]], own: float, reach: float) -> float:
    """Return the skill at which `reach` more points are expected than at `own`."""
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
    """Return the matrices to the power -1/2, by Newton–Schulz; their eigenvalues are in 0..1.

    It uses only products: an eigenvalue routine for every stretch takes seconds on busy cores.
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
    """Return a matrix that takes the mean over all games: newcomers hardly move the zero."""
    games = met.sum(axis=(0, 2)) if met.any() else np.ones(met.shape[-1])
    return np.asarray(np.tile(games / games.sum(), (len(games), 1)))


def _degrees(shares: Array) -> Array:
    """Return Satterthwaite's degrees of freedom, from what each stretch adds to a variance."""
    squares = (shares**2).sum(axis=0)
    whole = shares.sum(axis=0) ** 2
    count: Array = np.divide(whole, squares, out=np.ones_like(whole), where=squares > 0)
    return np.asarray(np.maximum(count - 1, 0))


def _overdispersion(robust: Array, naive: Array, df: Array) -> float:
    """Return the scatter of the blocks relative to that of independent pairs, over everybody."""
    seen = naive > 0
    times = float((df[seen] * robust[seen] / naive[seen]).sum())
    return (OVERDISPERSION_DF * OVERDISPERSION + times) / (
        OVERDISPERSION_DF + float(df[seen].sum())
    )


def _level_covariance(met: Array, centre: Array) -> Array:
    """Return the covariance of the levels of groups that never met; zero if all are connected."""
    group = list(range(len(met)))
    for a, b in zip(*np.nonzero(met), strict=True):
        old, new = group[a], group[b]
        if old != new:
            group = [new if x == old else x for x in group]
    together = np.equal.outer(group, group).astype(np.float64)
    return np.asarray(centre @ together @ centre.T / PRIOR)


def _gap_variances(covariance: Array) -> Array:
    """Return the variances of all differences, and of each skill itself on the diagonal."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    gaps = own[..., :, None] + own[..., None, :] - 2 * covariance
    diagonal = np.arange(own.shape[-1])
    gaps[..., diagonal, diagonal] = own
    return np.asarray(np.maximum(gaps, 0.0))


def _laplacian(weights: Array) -> Array:
    """Return the slopes of everybody's points by everybody's skill, from the slopes of pairs."""
    n = weights.shape[-1]
    return np.asarray(weights.sum(axis=-1)[..., None] * np.eye(n) - weights)


def _matrix(meetings: list[int], n: int) -> Array:
    """Return counts by pair number as a symmetric matrix."""
    matrix = np.zeros((n, n))
    matrix[np.tril_indices(n, -1)] = meetings
    return matrix + matrix.T
