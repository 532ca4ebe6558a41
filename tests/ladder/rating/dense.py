"""The fit of skills as its formulas read: with whole matrices of everybody and everybody."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import Tally, student
from arena.ladder.rating.normal import PEAK
from arena.ladder.rating.normal_table import cdf
from arena.ladder.rating.skill import (
    LEAST_POOLED,
    LEVEL,
    OVERDISPERSION,
    OVERDISPERSION_DF,
    PRIOR,
    UNIT,
)
from arena.ladder.rating.tally import both

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Dense:
    """Skills in points, and the uncertainty of all differences, in the unit of the fit.

    The skills' own are on the diagonals.
    """

    points: Array
    low: Array
    high: Array
    variance: Array
    df: Array


def fit(tally: Tally) -> Dense:
    """Fit the skills by places."""
    n, stretches = tally.contestants, tally.stretches
    met = np.zeros((len(stretches), n, n))
    got = np.zeros((len(stretches), n))
    for at, stretch in enumerate(stretches):
        for number, count in zip(stretch.pairs, stretch.meetings, strict=True):
            a, b = both(number)
            met[at, a, b] = met[at, b, a] = count
        for a, points in zip(stretch.players, stretch.points, strict=True):
            got[at, a] = points
    whole = met.sum(axis=0)
    skill = np.zeros(n)
    for _ in range(60):
        gaps = skill[:, None] - skill[None, :]
        slopes = PEAK * np.exp(-gaps * gaps / 2)
        off = got.sum(axis=0) - (whole * cdf(gaps)).sum(axis=1) - PRIOR * skill
        step = np.linalg.solve(_laplacian(whole * slopes) + PRIOR * np.eye(n), off)
        skill = skill + step / max(1.0, float(np.abs(step).max()))
    inverse = np.linalg.inv(_laplacian(whole * slopes) + PRIOR * np.eye(n))
    zero, centre = _zero(whole * slopes, gaps, skill)
    spread = centre @ inverse
    root = np.linalg.cholesky(inverse)
    shifts = []
    for own, points in zip(met, got, strict=True):
        scatter = points - (own * cdf(gaps)).sum(axis=1)
        values, axes = np.linalg.eigh(root.T @ _laplacian(own * slopes) @ root)
        scaled = axes @ ((axes.T @ (root.T @ scatter)) / np.sqrt(1 - values))
        shifts.append(centre @ root @ scaled)
    prior = PRIOR * spread @ spread.T
    robust = _gaps(np.array(shifts).T @ np.array(shifts) + prior)
    chances = cdf(gaps)
    naive = _gaps(spread @ _laplacian(whole * chances * (1 - chances)) @ spread.T)
    own_prior = _gaps(prior)
    shares = (met * slopes).sum(axis=2)
    squares, sums = (shares**2).sum(axis=0), shares.sum(axis=0) ** 2
    df = np.maximum(np.where(squares > 0, sums / np.where(squares > 0, squares, 1), 1) - 1, 0)
    over, pooled = _pooled(np.diag(robust - own_prior), np.diag(naive), df)
    count = np.diag(robust) / np.maximum(df, 1e-13)
    shared = np.add.outer(np.diag(robust), np.diag(robust)) / np.add.outer(count, count)
    np.fill_diagonal(shared, df)
    variance = (pooled * (over * naive + own_prior) + shared * robust) / (pooled + shared)
    groups = _groups(whole)
    levels = centre @ np.equal.outer(groups, np.unique(groups)).astype(float)
    apart_levels = _gaps(levels @ levels.T / PRIOR)
    wide = student.quantiles((1 + LEVEL) / 2, pooled + df)
    slope = PRIOR + (whole * slopes).sum(axis=1)
    level = wide * np.sqrt(np.diag(apart_levels))
    ends = []
    for sign in (-1, 1):
        reach = sign * wide * np.sqrt(np.diag(variance)) * slope
        far = _with_more_points(whole, skill, reach)
        ends.append(skill + sign * np.hypot(far - skill, level))
    points, low, high = ((each - zero) * UNIT for each in (skill, *ends))
    return Dense(points, low, high, variance + apart_levels, pooled + shared)


def _pooled(scatters: Array, by_chance: Array, df: Array) -> tuple[float, float]:
    """Return the scatter of all relative to chance, and the degrees of freedom that it adds."""
    seen = by_chance > 0
    over = (
        OVERDISPERSION_DF * OVERDISPERSION + (df[seen] * scatters[seen] / by_chance[seen]).sum()
    ) / (OVERDISPERSION_DF + df[seen].sum())
    apart = (scatters[seen] / by_chance[seen] / over - 1) ** 2 - 2 / np.maximum(df[seen], 1e-13)
    total = float((df**2).sum())
    pooled = LEAST_POOLED
    if total:
        more = max(0.0, float((df[seen] ** 2 * apart).sum()) / total) + sqrt(8 / total)
        pooled = max(pooled, 2 / more)
    return over, pooled


def _with_more_points(met: Array, skill: Array, reach: Array) -> Array:
    """Return the skills at which so many more points are expected, by halving."""

    def more(found: Array) -> Array:
        gaps = found[:, None] - skill[None, :]
        now = cdf(skill[:, None] - skill[None, :])
        return (met * (cdf(gaps) - now)).sum(axis=1) + PRIOR * (found - skill)

    least, most = skill - np.abs(reach) / PRIOR, skill + np.abs(reach) / PRIOR
    for _ in range(80):
        middle = (least + most) / 2
        above = more(middle) > reach
        least, most = np.where(above, least, middle), np.where(above, middle, most)
    return least


def _zero(information: Array, gaps: Array, skill: Array) -> tuple[float, Array]:
    """Return the zero, and what takes changes of skills to those of their distances from it."""

    def weights(each: Array) -> Array:
        counts = each / (each + each @ each / each.sum())
        return counts / counts.sum()

    each = information.sum(axis=1)
    zero = float(weights(each) @ skill)
    moves = np.zeros(len(skill))
    for at in np.flatnonzero(each):  # the derivative by each information, as a difference
        step = np.zeros(len(skill))
        step[at] = 1e-5 * each[at]
        moves[at] = (weights(each + step) - weights(each - step)) @ skill / (2 * step[at])
    bends = -gaps * information
    towards = moves * bends.sum(axis=1) - bends.T @ moves
    return zero, np.eye(len(skill)) - (weights(each) + towards)[None, :]


def _groups(met: Array) -> Array:
    """Return the lowest number of those with whom everybody is linked."""
    linked = np.linalg.matrix_power((met + np.eye(len(met)) > 0).astype(float), len(met)) > 0
    return np.argmax(linked, axis=1)


def _gaps(covariance: Array) -> Array:
    own = np.diag(covariance)
    gaps = own[:, None] + own[None, :] - 2 * covariance
    np.fill_diagonal(gaps, own)
    return gaps


def _laplacian(weights: Array) -> Array:
    return np.diag(weights.sum(axis=1)) - weights
