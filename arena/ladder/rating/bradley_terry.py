"""Bradley–Terry strengths from the counts alone: a cross-check that ignores the games' order.

The better of two has the better place in a game with probability 1 / (1 + exp(-gap)). The fit
is Hunter's MM algorithm, one contestant after the other. Everybody has one more drawn game
against a phantom of strength zero, so that the strengths stay finite if somebody won or lost
every game. The fit shares no code with the skills.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from arena.ladder.rating.normal import ppf

SWEEPS = 2000
CONVERGED = 1e-10
TINY = 1e-9


def strengths(points: Sequence[Sequence[float]]) -> list[float]:
    """Return everybody's strength in logits; `points[a][b]` are the points that a took from b."""
    n = len(points)
    met = [[points[a][b] + points[b][a] for b in range(n)] for a in range(n)]
    rivals = [[(b, met[a][b]) for b in range(n) if met[a][b]] for a in range(n)]
    won = [sum(row) + 0.5 for row in points]
    odds = [1.0] * n
    for _ in range(SWEEPS):
        change = 0.0
        for a in range(n):
            mine = odds[a]
            weight = 1 / (mine + 1)
            for b, games in rivals[a]:
                weight += games / (mine + odds[b])
            odds[a] = won[a] / weight
            change = max(change, abs(odds[a] / mine - 1))
        # Only the phantom fixes the common level, which would take long to converge.
        chances = [x / (x + 1) for x in odds]
        off = n / 2 - sum(chances)
        sway = max(sum(p * (1 - p) for p in chances), TINY)
        level = exp(max(-1.0, min(1.0, off / sway)))
        odds = [x * level for x in odds]
        change = max(change, abs(level - 1))
        if change < CONVERGED:
            break
    return [log(x) for x in odds]


def gap_in_deviations(logits: float) -> float:
    """Return the gap that gives the same probability if performances are normally distributed."""
    gap = -ppf(1 / (1 + exp(min(abs(logits), 600.0))))
    return gap if logits > 0 else -gap
