"""Bradley–Terry strengths from the counts alone: a cross-check that ignores the games' order.

The better of two has the better place in a game with probability 1 / (1 + exp(-gap)). The fit
is Newton's method, whose steps are solved by conjugate gradients. Everybody has one more drawn game
against a phantom of strength zero, so that the strengths stay finite if somebody won or lost
every game. The fit shares no code with the skills.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating.normal import ppf

NEWTON_STEPS = 200
CONVERGED = 1e-11
LEFT = 1e-13
"""The part of a step's square that may be left."""

Array = NDArray[np.float64]


def strengths(points: Sequence[Mapping[int, float]]) -> list[float]:
    """Return everybody's strength in logits; `points[a][b]` are those that a took from b.

    Who have met have points of each other.
    """
    n = len(points)
    pairs = sorted((a, b) for a, row in enumerate(points) for b in row if b < a)
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T
    took = np.array([points[a][b] for a, b in pairs], np.float64)
    met = took + np.array([points[b][a] for a, b in pairs], np.float64)
    won = np.bincount(one, took, n) + np.bincount(other, met - took, n) + 0.5
    found = np.zeros(n)
    for _ in range(NEWTON_STEPS):
        chances = _logistic(found[one] - found[other])
        expected = np.bincount(one, met * chances, n)
        expected = expected + np.bincount(other, met * (1 - chances), n)
        phantom = _logistic(found)
        information = met * chances * (1 - chances)
        own = phantom * (1 - phantom)
        step = _step(one, other, information, own, won - expected - phantom)
        longest = float(np.abs(step).max(initial=0.0))
        found += step / max(1.0, longest)
        if longest < CONVERGED:
            break
    return found.tolist()


def _step(
    one: NDArray[np.int64], other: NDArray[np.int64], information: Array, own: Array, off: Array
) -> Array:
    """Return Newton's step, by conjugate gradients with the diagonal as preconditioner."""
    n = len(off)
    diagonal = own + np.bincount(one, information, n) + np.bincount(other, information, n)
    found = np.zeros(n)
    left = off.copy()
    steep = left / diagonal
    direction = steep.copy()
    size = begun = float(left @ steep)
    for _ in range(4 * n + 4):
        if size <= LEFT * LEFT * begun or size == 0:
            break
        drawn = information * (direction[one] - direction[other])
        image = own * direction + np.bincount(one, drawn, n) - np.bincount(other, drawn, n)
        along = size / float(direction @ image)
        found += along * direction
        left -= along * image
        steep = left / diagonal
        size, before = float(left @ steep), size
        direction = steep + size / before * direction
    return found


def _logistic(gaps: Array) -> Array:
    """Return the probabilities of the better place."""
    return np.asarray(1 / (1 + np.exp(-np.clip(gaps, -600.0, 600.0))))


def gap_in_deviations(logits: float) -> float:
    """Return the gap that gives the same probability if performances are normally distributed."""
    gap = -ppf(1 / (1 + exp(min(abs(logits), 600.0))))
    return gap if logits > 0 else -gap
