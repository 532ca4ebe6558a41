"""Student's t distribution: for intervals where the scatter is itself estimated."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, pi, sqrt

TINY = 1e-300
PRECISE = 1e-15
PRECISE_QUANTILE = 1e-12
STEPS = 500


def cdf(x: float, df: float) -> float:
    """Return the probability of a value below x."""
    tail = 0.5 * _beta(df / 2, 0.5, df / (df + x * x))
    return tail if x < 0 else 1 - tail


def quantile(probability: float, df: float) -> float:
    """Return the value that lies above this share of the distribution, from a half on."""
    low, high = 0.0, 1.0
    while cdf(-high, df) > 1 - probability:
        low, high = high, 2 * high
    x = high
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    while high - low > PRECISE_QUANTILE * high:
        excess = cdf(-x, df) - (1 - probability)
        if excess > 0:
            low = x
        else:
            high = x
        # Newton's step if it stays between the bounds, otherwise the middle.
        step = excess / (scale * (1 + x * x / df) ** (-(df + 1) / 2))
        if abs(step) < PRECISE_QUANTILE * x:
            break
        x = x + step if low < x + step < high else (low + high) / 2
    return x


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
