"""Margins: what a place above an opponent is worth, by how many points apart they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.games.game import Game
from arena.ladder.rating.normal import cdf
from arena.records.entries import Form


class Scale(Form, frozen=True, kw_only=True):
    """How a game's points become margins."""

    margin: float
    """How many points are a clear margin."""
    low_wins: bool


def scale_of(game: Game) -> Scale | None:
    """Return the scale of a game; None if only places count in it."""
    return None if game.margin is None else Scale(margin=game.margin, low_wins=game.low_wins)


def points(
    scale: Scale | None, scores: Sequence[int], places: Sequence[int], faulty: Collection[int]
) -> list[float]:
    """Return what each seat has of its opponents, 1 of each at most; a pair has 1 together.

    An opponent who is about as good counts as a half, and one far below as a whole, if there is
    a scale; else only the places count. A seat with a fault has nothing of those who finished.
    """
    won = [0.0] * len(scores)
    for a in range(len(scores)):
        for b in range(a):
            if scale is None or a in faulty or b in faulty:
                share = 0.5 if places[a] == places[b] else float(places[a] < places[b])
            else:
                ahead = scores[b] - scores[a] if scale.low_wins else scores[a] - scores[b]
                share = cdf(ahead / scale.margin)
            won[a] += share
            won[b] += 1 - share
    return won


def shares(
    game: Game, scores: Sequence[int], places: Sequence[int], faulty: Collection[int]
) -> list[float]:
    """Return the share of the opponents that each seat has placed above, from 0 to 1."""
    won = points(scale_of(game), scores, places, faulty)
    return [each / (len(won) - 1) for each in won]
