"""Aims: who acted against whom in a block, and how often he could have, by playing it again."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.game import Action, Game, State
from arena.ladder.rating.partiality import Aims
from arena.records.difference import Difference
from arena.records.game_record import GameRecord
from arena.referee.replay import Replay


def aims_in(block: Sequence[GameRecord], game: Game) -> Aims:
    """Count them in the games of a block; raise `Difference` where these break the rules.

    What is played for a seat that has failed is not counted.
    """
    players = block[0].players
    seats = len(players)
    acts, chances = ([[0] * seats for _ in players] for _ in range(2))
    for record in block:
        places = [(seat + record.rotation) % seats for seat in range(seats)]

        def count(state: State, action: Action, places: Sequence[int] = places) -> None:
            place = places[state.turn]
            for seat, acted in game.aims(state, action).items():
                chances[place][places[seat]] += 1
                acts[place][places[seat]] += acted

        try:
            for _ in Replay(record, game, before=count).steps():
                pass
        except Difference as difference:
            difference.number = record.number
            raise
    return Aims(players, acts, chances)
