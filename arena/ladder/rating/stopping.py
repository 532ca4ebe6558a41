"""When an order is certain, with an honest price for having looked more than once.

Whoever looks after every block until he likes what he sees will like it at last, whatever
the truth. So there are few looks, each at twice as many blocks as the one before, and look
number k may be wrong with only 1 / (k (k + 1)) of the doubt that is allowed as a whole.
Over all looks, however long it goes on, that makes no more than this doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from arena.ladder.rating.skill import Skills

FEWEST_BLOCKS = 16
BLOCKS_EACH = 4


@dataclass(frozen=True)
class Certainty:
    """What is known at this number of blocks of the order of neighbours."""

    certain: bool
    """Whether the order of all neighbours is; only ever at a look."""
    order: tuple[int, ...]
    """The contestants by skill: the order that this is about."""
    above: int
    below: int
    """The two neighbours whose order is least sure."""
    confidence: float
    """How sure it is."""
    needed: float
    """How sure it has to be at this look or, between looks, at the next."""
    next_look: int
    """At how many blocks the next look is."""


def look(blocks: int, contestants: int) -> tuple[int, int]:
    """Which look is due with so many blocks or the next ones, and at how many it is."""
    number, at = 1, max(FEWEST_BLOCKS, BLOCKS_EACH * contestants)
    while at < blocks:
        number, at = number + 1, 2 * at
    return number, at


def certainty(skills: Skills, blocks: int, level: float) -> Certainty:
    """Whether every neighbour's order is certain to this level, after so many blocks.

    The level holds for each pair, also if the two are in truth equal, and either order wrong.
    """
    if len(skills.points) < 2:
        raise ValueError("an order needs two contestants")
    order = sorted(range(len(skills.points)), key=lambda a: (-skills.points[a], a))
    above, below = min(pairwise(order), key=lambda pair: skills.above(*pair))
    confidence = skills.above(above, below)
    number, at = look(blocks, len(order))
    needed = 1 - (1 - level) / 2 / (number * (number + 1))
    return Certainty(
        certain=blocks == at and confidence >= needed,
        order=tuple(order),
        above=above,
        below=below,
        confidence=confidence,
        needed=needed,
        next_look=look(blocks + 1, len(order))[1],
    )
