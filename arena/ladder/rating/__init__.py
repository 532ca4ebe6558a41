"""Ratings of a ladder from its log of games: TrueSkill, confidence intervals, a cross-check.

Everything is a pure function from outcomes to numbers, and imports nothing else of the arena.
Contestants are numbers from 0. This folder's README explains the mathematics and how it was
tested.
"""

from arena.ladder.rating.ratings import (
    Anchor,
    Estimate,
    Ratings,
    RatingsState,
    Standing,
    difference,
    estimate,
)
from arena.ladder.rating.stopping import first_look
from arena.ladder.rating.tally import Placing, Tally, TallyState

__all__ = [
    "Anchor",
    "Estimate",
    "Placing",
    "Ratings",
    "RatingsState",
    "Standing",
    "Tally",
    "TallyState",
    "difference",
    "estimate",
    "first_look",
]
