"""Ratings of a ladder from its log of games: TrueSkill, intervals that hold, a cross-check.

Pure: outcomes in, numbers out; it imports nothing of the rest. Contestants are numbers from 0.
The mathematics and how it was tested are in this folder's README.
"""

from arena.ladder.rating.ratings import Anchor, Ratings, Standing
from arena.ladder.rating.stopping import first_look
from arena.ladder.rating.tally import Placing, Tally

__all__ = ["Anchor", "Placing", "Ratings", "Standing", "Tally", "first_look"]
