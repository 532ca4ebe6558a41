"""The normal distribution for arrays: `normal.cdf` from a table, to twelve digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import normal

EDGE = 9.0
"""Beyond this, the probability is 0 or 1 to eighteen digits."""
STEPS = 256
"""Points of the table for each standard deviation."""
_AT = [at / STEPS - EDGE for at in range(int(2 * EDGE * STEPS) + 2)]
_VALUES = np.array([normal.cdf(x) for x in _AT])
_SLOPES = np.array([normal.pdf(x) / STEPS for x in _AT])


def cdf(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of values below those in x."""
    at = (np.clip(x, -EDGE, EDGE) + EDGE) * STEPS
    first = at.astype(np.int64)
    t = at - first
    low, high = _VALUES[first], _VALUES[first + 1]
    # The cubic that has the values and slopes of both neighbours.
    rise = high - low
    left, right = _SLOPES[first], _SLOPES[first + 1]
    bend = 3 * rise - 2 * left - right + t * (left + right - 2 * rise)
    return np.asarray(low + t * (left + t * bend))
