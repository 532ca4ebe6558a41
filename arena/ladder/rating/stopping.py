"""When an order is certain, with an honest price for having looked more than once.

Whoever looks after every block until he likes what he sees will like it at last, whatever
the truth. So there are few looks, each at twice as many blocks as the one before, and look
number k may be wrong with only 1 / (k (k + 1)) of the doubt that is allowed as a whole.
Over all looks, however long it goes on, that makes no more than this doubt.
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
    """What a look shows of the order of neighbours."""

    certain: bool
    """Whether the order of all neighbours is certain to the level."""
    order: tuple[int, ...]
    """The contestants by skill: the order that this is about."""
    above: int
    below: int
    """The two neighbours whose order is least sure."""
    confidence: float
    """How sure it is."""
    needed: float
    """How sure it has to be at this look."""


def first_look(contestants: int) -> int:
    """After how many blocks the first look is; each other one is at twice as many."""
    return max(FEWEST_BLOCKS, BLOCKS_EACH * contestants)


def certainty(skills: Skills, among: Sequence[int], level: float, look: int) -> Certainty:
    """Whether the order of neighbours among these is certain at this look, counted from 1.

    The level holds for each pair, also if the two are in truth equal, and either order wrong.
    """
    if len(among) < 2:
        raise ValueError("an order needs two contestants")
    order = sorted(among, key=lambda a: (-skills.points[a], a))
    above, below = min(pairwise(order), key=lambda pair: skills.above(*pair))
    confidence = skills.above(above, below)
    needed = 1 - (1 - level) / 2 / (look * (look + 1))
    return Certainty(confidence >= needed, tuple(order), above, below, confidence, needed)
