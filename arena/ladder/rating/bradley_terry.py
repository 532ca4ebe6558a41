"""Bradley–Terry strengths from the counts alone: a second opinion that knows no order of games.

The better of two is above in a game with probability 1 / (1 + exp(-gap)). The fit is Hunter's
MM algorithm, one contestant after the other, with one drawn game of everybody against a
phantom of strength zero, so that it stays finite where somebody won or lost every game. It
shares no code with the skills.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from arena.ladder.rating.normal import ppf

SWEEPS = 2000
CONVERGED = 1e-10
TINY = 1e-9


def strengths(points: Sequence[Sequence[float]]) -> list[float]:
    """Everybody's strength, in logits; row by row, the points that each took from each."""
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
        # The level of all together hangs on the phantom alone, and would take long to settle.
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
    """The gap that gives the same probability where performances are normally distributed."""
    gap = -ppf(1 / (1 + exp(min(abs(logits), 600.0))))
    return gap if logits > 0 else -gap
