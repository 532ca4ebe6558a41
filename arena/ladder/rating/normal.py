"""The normal distribution, and the truncated one that TrueSkill needs.

TrueSkill learns from a game by truncating normal distributions at the draw margin: after a win
it cuts off what is below the margin, after a tie what is outside of it. `win` and `draw` return
the effect on mean and variance as the functions V and W of the TrueSkill paper. They work at
any distance: in the far tails, where the closed forms divide zero by zero and the `trueskill`
package raises FloatingPointError, they integrate numerically.
"""

from __future__ import annotations

from math import erfc, exp, inf, pi, sqrt
from statistics import NormalDist

ROOT_HALF = 1 / sqrt(2)
PEAK = 1 / sqrt(2 * pi)
FAR = 35.0
"""Standard deviations beyond which densities come too near to the smallest float."""
BELOW_ONE = 1 - 2**-53
"""The largest value of W, so that no variance becomes zero."""
TAIL = 30.0
"""An exponential tail is below rounding error this many scale lengths from the edge."""
STEPS = 600

ppf = NormalDist().inv_cdf


def cdf(x: float) -> float:
    """Return the probability of a value below x."""
    return 0.5 * erfc(-x * ROOT_HALF)


def pdf(x: float) -> float:
    """Return the density at x."""
    return PEAK * exp(-x * x / 2)


def win(x: float) -> tuple[float, float]:
    """Return V and W of a win, where the margin is x standard deviations below the mean."""
    if x < -FAR:
        mean, variance = _tail_moments(-x, inf)
        return mean - x, min(1 - variance, BELOW_ONE)
    v = pdf(x) / cdf(x)
    w = v * (v + x)
    # W is 0 if the win was so certain that nothing is learnt from it.
    return v, min(max(w, 0.0), BELOW_ONE)


def draw(distance: float, margin: float) -> tuple[float, float]:
    """Return V and W of a tie within the margin, for a mean at this distance from zero."""
    far = abs(distance)
    if far - margin > FAR:
        mean, variance = _tail_moments(far - margin, 2 * margin)
        v, w = margin - far - mean, 1 - variance
    else:
        a, b = margin - far, -margin - far
        density_a, density_b = pdf(a), pdf(b)
        mass = cdf(a) - cdf(b)
        v = (density_b - density_a) / mass
        w = v * v + (a * density_a - b * density_b) / mass
    return (-v if distance < 0 else v), min(max(w, 0.0), BELOW_ONE)


def _tail_moments(edge: float, width: float) -> tuple[float, float]:
    """Return mean and variance of how far a value lies beyond an edge far from the mean.

    The density is exp(-edge z - z²/2) for z from 0 to the width. It is integrated by Simpson's
    rule, as far as it counts.
    """
    end = min(width, TAIL / edge)
    mass = first = second = 0.0
    for step in range(STEPS + 1):
        part = step / STEPS
        z = end * part
        weight = (1 if step in {0, STEPS} else 4 if step % 2 else 2) * exp(-edge * z - z * z / 2)
        mass += weight
        first += weight * part
        second += weight * part * part
    mean = first / mass
    return end * mean, end * end * (second / mass - mean * mean)
