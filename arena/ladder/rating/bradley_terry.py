"""Bradley–Terry strengths from the counts alone: a cross-check that ignores the games' order.

The better of two has the better place in a game with probability 1 / (1 + exp(-gap)). The fit
is Hunter's MM algorithm, one contestant after the other. Everybody has one more drawn game
against a phantom of strength zero, so that the strengths stay finite if somebody won or lost
every game. The fit shares no code with the skills.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np

from arena.ladder.rating.normal import ppf

SWEEPS = 2000
CONVERGED = 1e-10
TINY = 1e-9


def strengths(points: Sequence[Sequence[float]]) -> list[float]:
    """Return everybody's strength in logits; `points[a][b]` are the points that a took from b."""
    n = len(points)
    won = np.array(points, np.float64).reshape(n, n)
    met = won + won.T
    total = won.sum(axis=1) + 0.5
    odds = np.ones(n)
    for _ in range(SWEEPS):
        before = odds.copy()
        for a in range(n):
            mine = odds[a]
            odds[a] = total[a] / (1 / (mine + 1) + float((met[a] / (mine + odds)).sum()))
        change = float(np.abs(odds / before - 1).max(initial=0.0))
        # Only the phantom fixes the common level, which would take long to converge.
        chances = odds / (odds + 1)
        off = n / 2 - float(chances.sum())
        sway = max(float((chances * (1 - chances)).sum()), TINY)
        level = exp(max(-1.0, min(1.0, off / sway)))
        odds *= level
        change = max(change, abs(level - 1))
        if change < CONVERGED:
            break
    return [log(x) for x in odds.tolist()]


def gap_in_deviations(logits: float) -> float:
    """Return the gap that gives the same probability if performances are normally distributed."""
    gap = -ppf(1 / (1 + exp(min(abs(logits), 600.0))))
    return gap if logits > 0 else -gap
