"""Student's t distribution: for intervals where the scatter is itself estimated."""

from __future__ import annotations

from math import exp, inf, lgamma, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating.normal import ppf

Array = NDArray[np.float64]

TINY = 1e-300
PRECISE = 1e-15
PRECISE_QUANTILE = 1e-12
STEPS = 500
NODES = 1025
"""Points of a table of quantiles."""


def cdf(x: float, df: float) -> float:
    """Return the probability of a value below x."""
    tail = 0.5 * _beta(df / 2, 0.5, df / (df + x * x))
    return tail if x < 0 else 1 - tail


def quantile(probability: float, df: float) -> float:
    """Return the value that lies above this share of the distribution, from a half on."""
    low, high = 0.0, inf
    z = ppf(probability)
    x = z + (z**3 + z) / (4 * df)  # near, if there are some degrees of freedom
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    while high - low > PRECISE_QUANTILE * low:
        excess = cdf(-x, df) - (1 - probability)
        if excess > 0:
            low = x
        else:
            high = x
        # Newton's step if it stays between the bounds, otherwise the middle.
        step = excess / (scale * (1 + x * x / df) ** (-(df + 1) / 2))
        if abs(step) < PRECISE_QUANTILE * x:
            break
        x = x + step if low < x + step < high else 2 * x if high == inf else (low + high) / 2
    return x


def quantiles(probability: float, df: Array) -> Array:
    """Return `quantile` for each of these degrees of freedom."""
    z = ppf(probability)
    x = z + (z**3 + z) / (4 * df)
    scale = np.array([lgamma((each + 1) / 2) - lgamma(each / 2) for each in df.ravel().tolist()])
    scale = np.exp(scale.reshape(df.shape)) / np.sqrt(df * pi)
    for _ in range(STEPS):
        # From below, where it begins, Newton's method does not leave that side.
        density = scale * (1 + x * x / df) ** (-(df + 1) / 2)
        step = (cdfs(-x, df) - (1 - probability)) / density
        x = x + step
        if float(np.abs(step / x).max(initial=0.0)) < PRECISE_QUANTILE:
            break
    return np.asarray(x)


def tabled(probability: float, df: Array) -> Array:
    """Return `quantiles` to seven digits, for any number of degrees of freedom from 1 on."""
    # Quantiles are smooth in 1 / df, so a table of them does for all.
    least, most = float(df.min(initial=inf)), float(df.max(initial=1.0))
    shares = np.linspace(1 / most, 1 / min(least, most), NODES)
    return np.asarray(np.interp(1 / df, shares, quantiles(probability, 1 / shares)))


def cdfs(x: Array, df: Array) -> Array:
    """Return the probabilities of values below those in x, each with its degrees of freedom."""
    a, share = df / 2, df / (df + x * x)
    near = share > (a + 1) / (a + 2.5)
    # The fraction converges on one side of the mode only; the other side is its mirror image.
    first, second = np.where(near, 0.5, a), np.where(near, a, 0.5)
    at = np.where(near, 1 - share, share)
    scale = np.array([lgamma(each + 0.5) - lgamma(each) - lgamma(0.5) for each in a.flat])
    scale = scale.reshape(a.shape)
    with np.errstate(divide="ignore"):
        front = np.exp(scale + first * np.log(at) + second * np.log1p(-at)) / first
    tail = front * _fractions(first, second, at)
    tail = np.where(near, 1 - tail, tail) / 2
    return np.asarray(np.where(x < 0, tail, 1 - tail))


def _fractions(a: Array, b: Array, x: Array) -> Array:
    """Return the continued fractions of incomplete beta functions."""
    c, d = np.ones_like(x), 1 / (1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value = value * c * d
        if float(np.abs(c * d - 1).max(initial=0.0)) < PRECISE:
            break
    return value


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction."""
    if x in {0.0, 1.0}:
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < PRECISE:
            break
    return front * value


def _away_from_zero(x: float) -> float:
    return x if abs(x) > TINY else TINY
