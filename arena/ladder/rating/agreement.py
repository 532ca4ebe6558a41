"""Whether the ratings agree with fits that do not depend on the order of the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.ladder.rating.bradley_terry import gap_in_deviations, strengths
from arena.ladder.rating.normal import cdf
from arena.ladder.rating.skill import UNIT, Skills
from arena.ladder.rating.tally import Tally, pairs

DOUBT = 0.05
"""How probable a false alarm may be, over all pairs together."""
MODEL = 0.02
"""A difference of probabilities that may be due to the shape of the fits' curves."""


@dataclass(frozen=True)
class Disagreement:
    """Two contestants of whom the ratings say something else than the counts.

    All numbers are probabilities that the first places above the second in a game.
    """

    above: int
    below: int
    """The order is TrueSkill's."""
    rated: float
    """By TrueSkill's ratings."""
    fitted: float
    """By Bradley–Terry."""
    low: float
    """The least that it may be, by all but chance."""
    high: float
    """The most."""

    @property
    def reversed(self) -> bool:
        """Whether the two are surely the other way round."""
        return self.high < 0.5


@dataclass(frozen=True)
class CrossCheck:
    """What the other fit says, and where that differs from TrueSkill by more than chance."""

    strengths: list[float]
    """By Bradley–Terry, in points; the mean is zero."""
    disagreements: list[Disagreement]
    """Reversed ones first, then by how much they differ."""

    @property
    def agrees(self) -> bool:
        """Whether no two are surely the other way round than TrueSkill has them."""
        return not any(disagreement.reversed for disagreement in self.disagreements)


def check(mus: Sequence[float], tally: Tally, skills: Skills) -> CrossCheck:
    """Hold TrueSkill's ratings against Bradley–Terry strengths, pair by pair."""
    logits = strengths(tally.points)
    order = sorted(range(len(mus)), key=lambda a: (-mus[a], a))
    found = []
    for a, b in combinations(order, 2):
        gap = gap_in_deviations(logits[a] - logits[b])
        noise = skills.noise(a, b, DOUBT / pairs(len(mus))) / UNIT
        rated, low, high = cdf((mus[a] - mus[b]) / UNIT), cdf(gap - noise), cdf(gap + noise)
        if high < 0.5 or not low - MODEL <= rated <= high + MODEL:
            found.append(Disagreement(a, b, rated, cdf(gap), low, high))
    found.sort(key=lambda pair: (not pair.reversed, -abs(pair.rated - pair.fitted)))
    mean = sum(logits) / max(1, len(logits))
    return CrossCheck([gap_in_deviations(logit - mean) * UNIT for logit in logits], found)
