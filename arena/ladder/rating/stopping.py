"""When an order is certain, corrected for testing more than once.

Testing after every block finds certainty sooner or later, whatever the truth. So there are few
tests, called looks, each at twice as many blocks as the one before. Look number k may be wrong
with only 1 / (k (k + 1)) of the allowed doubt. Over all looks, however many, the sum is at most
the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.ladder.rating.skill import Skills

FEWEST_BLOCKS = 16
BLOCKS_EACH = 4


@dataclass(frozen=True)
class Certainty:
    """The result of a look at the order of neighbours."""

    certain: bool
    """Whether the order of all neighbours is certain to the level."""
    order: tuple[int, ...]
    """The contestants by skill, the best first."""
    above: int
    below: int
    """The two neighbours whose order is least sure."""
    confidence: float
    """How sure their order is."""
    needed: float
    """How sure it has to be at this look."""


def first_look(contestants: int) -> int:
    """Return after how many blocks the first look is; each later one is at twice as many."""
    return max(FEWEST_BLOCKS, BLOCKS_EACH * contestants)


def certainty(skills: Skills, among: Sequence[int], level: float, look: int) -> Certainty:
    """Test whether the order of neighbours among these is certain; looks are counted from 1.

    All neighbours have to pass at one look. So the level holds for the order as a whole as long as
    some pair is in truth equal, and for each pair: a tied pair cannot hide among others.
    """
    if len(among) < 2:
        raise ValueError("an order needs two contestants")
    order = sorted(among, key=lambda a: (-skills.points[a], a))
    above, below = min(pairwise(order), key=lambda pair: skills.confidence_above(*pair))
    confidence = skills.confidence_above(above, below)
    needed = 1 - (1 - level) / 2 / (look * (look + 1))
    return Certainty(confidence >= needed, tuple(order), above, below, confidence, needed)
