"""Whether the ratings agree with a fit that does not depend on the order of the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.ladder.rating.bradley_terry import gap_in_deviations, strengths
from arena.ladder.rating.normal import cdf
from arena.ladder.rating.skill import UNIT, Skills
from arena.ladder.rating.tally import Tally, pairs

DOUBT = 0.05
"""The allowed probability of a false alarm, over all pairs together."""
MODEL = 0.02
"""Differences of probabilities up to this may come from the shapes of the two fits' curves."""


@dataclass(frozen=True)
class Disagreement:
    """Two contestants whose ratings disagree with the counts of their games.

    The floats are probabilities that `above` has the better place in a game.
    """

    above: int
    below: int
    """They are in TrueSkill's order."""
    rated: float
    """From TrueSkill's ratings."""
    fitted: float
    """From the Bradley–Terry fit."""
    low: float
    """The lower end of the interval of `fitted`."""
    high: float
    """Its upper end."""

    @property
    def reversed(self) -> bool:
        """Whether the counts put the two surely the other way round."""
        return self.high < 0.5


@dataclass(frozen=True)
class CrossCheck:
    """The Bradley–Terry fit, and where TrueSkill differs from it by more than chance."""

    strengths: list[float]
    """Bradley–Terry strengths in points; the mean is zero."""
    disagreements: list[Disagreement]
    """Reversed pairs first, then by how much they differ."""

    @property
    def agrees(self) -> bool:
        """Whether no pair is reversed."""
        return not any(disagreement.reversed for disagreement in self.disagreements)


def check(mus: Sequence[float], tally: Tally, skills: Skills) -> CrossCheck:
    """Compare TrueSkill's ratings with Bradley–Terry strengths, pair by pair."""
    logits = strengths(tally.matrix())
    order = sorted(range(len(mus)), key=lambda a: (-mus[a], a))
    noises = (skills.noises(DOUBT / max(1, pairs(len(mus)))) / UNIT).tolist()
    found = []
    for a, b in combinations(order, 2):
        gap = gap_in_deviations(logits[a] - logits[b])
        noise = noises[a][b]
        rated, low, high = cdf((mus[a] - mus[b]) / UNIT), cdf(gap - noise), cdf(gap + noise)
        if high < 0.5 or not low - MODEL <= rated <= high + MODEL:
            found.append(Disagreement(a, b, rated, cdf(gap), low, high))
    found.sort(key=lambda pair: (not pair.reversed, -abs(pair.rated - pair.fitted)))
    mean = sum(logits) / max(1, len(logits))
    return CrossCheck([gap_in_deviations(logit - mean) * UNIT for logit in logits], found)
