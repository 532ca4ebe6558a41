"""What a log keeps of a game that was just played, and what lies beside the log."""

from __future__ import annotations

from arena.records.entries import Game
from arena.records.times import GameTimes, Pace
from arena.referee.table import Played


def logged(played: Played) -> Game:
    """Return a game as its block's entry has it."""
    return Game(
        actions=tuple(played.actions),
        notes=tuple(played.notes.items()),
        faults=tuple(played.faults),
        scores=tuple(played.scores),
        places=tuple(played.places),
    )


def timed(played: Played) -> GameTimes:
    """Return the times of a game, by seat and by decision, and the evidence of its faults."""
    seats = len(played.scores)
    times: list[list[int]] = [[] for _ in range(seats)]
    for seat, micros in zip(played.deciders, played.micros, strict=True):
        if micros:
            times[seat].append(micros)
    return GameTimes(
        paces=tuple(
            Pace(decisions=len(taken), micros=sum(taken), slowest=max(taken, default=0))
            for taken in times
        ),
        micros=tuple(played.micros),
        waits=tuple(played.waits.items()),
        evidence=tuple(played.evidence),
    )
