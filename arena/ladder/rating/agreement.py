"""Whether the ratings agree with a fit that does not depend on the order of the games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arena.ladder.rating.bradley_terry import gap_in_deviations, strengths
from arena.ladder.rating.meetings import Array, Numbers
from arena.ladder.rating.normal import cdf
from arena.ladder.rating.normal_table import cdf as cdfs
from arena.ladder.rating.skill import UNIT, Skills
from arena.ladder.rating.tally import Tally, pairs

DOUBT = 0.05
"""The allowed probability of a false alarm, over all pairs together."""
MODEL = 0.02
"""Differences of probabilities up to this may come from the shapes of the two fits' curves."""

NEAR = 1e-4
"""Probabilities from tables are less than this off, so what is surely within is left out."""
LOGITS = np.linspace(-60, 60, 12_001)
GAPS = np.array([gap_in_deviations(each) for each in LOGITS.tolist()])
TOGETHER = 64
"""How many contestants are compared with all others at a time."""


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


def check(mus: Sequence[float], tally: Tally, skills: Skills, playing: Sequence[int]) -> CrossCheck:
    """Compare TrueSkill's ratings with Bradley–Terry strengths, pair by pair.

    The pairs are those that have met, and those of whom both play now. Others, of whom one left
    before the other came, are as many as the square of all who ever entered.
    """
    logits = strengths(tally.points)
    found = []
    for one, other, noise in _suspects(mus, logits, skills, playing):
        a, b = (one, other) if (-mus[one], one) < (-mus[other], other) else (other, one)
        gap = gap_in_deviations(logits[a] - logits[b])
        rated, low, high = cdf((mus[a] - mus[b]) / UNIT), cdf(gap - noise), cdf(gap + noise)
        if high < 0.5 or not low - MODEL <= rated <= high + MODEL:
            found.append(Disagreement(a, b, rated, cdf(gap), low, high))
    order = {a: at for at, a in enumerate(sorted(range(len(mus)), key=lambda a: (-mus[a], a)))}
    found.sort(key=lambda pair: (order[pair.above], order[pair.below]))
    found.sort(key=lambda pair: (not pair.reversed, -abs(pair.rated - pair.fitted)))
    mean = sum(logits) / max(1, len(logits))
    return CrossCheck([gap_in_deviations(logit - mean) * UNIT for logit in logits], found)


def _suspects(
    mus: Sequence[float], logits: Sequence[float], skills: Skills, playing: Sequence[int]
) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs that may disagree, each with how far its gap may be off, in deviations."""
    rated, fitted = np.array(mus) / UNIT, np.array(logits)
    for one, other, noise in _noises(skills, playing, DOUBT / max(1, pairs(len(mus)))):
        sign = np.where(rated[one] < rated[other], -1.0, 1.0)
        ahead = sign * (rated[one] - rated[other])
        gap = sign * np.interp(fitted[one] - fitted[other], LOGITS, GAPS)
        low, high = cdfs(gap - noise), cdfs(gap + noise)
        chance = cdfs(ahead)
        inside = (low - MODEL + NEAR < chance) & (chance < high + MODEL - NEAR)
        few = np.flatnonzero((high < 0.5 + NEAR) | ~inside)
        yield from zip(one[few].tolist(), other[few].tolist(), noise[few].tolist(), strict=True)


def _noises(
    skills: Skills, playing: Sequence[int], doubt: float
) -> Iterator[tuple[Numbers, Numbers, Array]]:
    """Yield the pairs that are compared, with how far their gaps may be off, in deviations."""
    there = np.zeros(len(skills.points), np.bool_)
    there[list(playing)] = True
    one, other, noises = skills.noises_met(doubt)
    apart = ~(there[one] & there[other])
    yield one[apart], other[apart], noises[apart] / UNIT
    everybody = np.flatnonzero(there)
    for first in range(0, len(everybody), TOGETHER):
        chosen = everybody[first : first + TOGETHER]
        rows, columns = np.nonzero(everybody[None, :] < chosen[:, None])
        noises = skills.noises_of(chosen, doubt)[rows, everybody[columns]]
        yield chosen[rows], everybody[columns], noises / UNIT
