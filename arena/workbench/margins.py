"""Margins: what a place above an opponent is worth, by how many points apart they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.games.game import Game
from arena.ladder.rating.normal import cdf


def shares(
    game: Game, scores: Sequence[int], places: Sequence[int], faulty: Collection[int]
) -> list[float]:
    """Return the share of the opponents that each seat has placed above, from 0 to 1.

    An opponent who is about as good counts as a half, and one far below as a whole, if the
    game says what a clear margin is; else only the places count. A seat with a fault has
    nothing of those who finished.
    """
    seats = range(len(scores))
    found = []
    for a in seats:
        won = [_share(game, scores, places, faulty, a, b) for b in seats if b != a]
        found.append(sum(won) / len(won))
    return found


def _share(
    game: Game,
    scores: Sequence[int],
    places: Sequence[int],
    faulty: Collection[int],
    a: int,
    b: int,
) -> float:
    """Return what seat `a` has of seat `b`; the two have 1 together."""
    if game.margin is None or a in faulty or b in faulty:
        return 0.5 if places[a] == places[b] else float(places[a] < places[b])
    ahead = scores[b] - scores[a] if game.low_wins else scores[a] - scores[b]
    return cdf(ahead / game.margin)
