"""Ranks, and which ranks a contestant may have: those that no sure difference excludes."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ladder.rating.skill import Skills

DIGITS = 9
"""Values are compared to this many decimals; further ones are rounding errors."""


def ranks(values: Sequence[float]) -> list[int]:
    """Return everybody's rank, 1 for the highest; equals share the better rank."""
    rounded = [round(value, DIGITS) for value in values]
    return [1 + sum(other > value for other in rounded) for value in rounded]


def rank_interval(
    skills: Skills, contestant: int, doubt: float, among: Sequence[int] | None = None
) -> tuple[int, int]:
    """Return the best and the worst rank that a contestant may have, with confidence 1 - `doubt`.

    Holm's method makes the confidence hold for all differences of the contestant together. The
    rank is the one among these, by default among all.
    """
    others = range(len(skills.points)) if among is None else among
    n = len(others)
    found = skills.confidences_above(contestant).tolist()
    sure = [found[other] for other in others if other != contestant]
    sure.sort(key=lambda confidence: (-abs(confidence - 0.5), confidence))
    better = worse = 0
    for done, confidence in enumerate(sure):
        if min(confidence, 1 - confidence) > doubt / 2 / (len(sure) - done):
            break
        if confidence > 0.5:
            worse += 1
        else:
            better += 1
    return 1 + better, n - worse
