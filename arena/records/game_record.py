"""The record of one game: what its block's entry says of it, and under what it was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.records.entries import Contest, Contestant, Game, SeatFault
from arena.records.verdicts import FINISHED

T = TypeVar("T")


def rotated(order: Sequence[T], rotation: int) -> list[T]:
    """Return who sits where in a game of a block; each rotation moves everybody by one seat."""
    size = len(order)
    return [order[(seat + rotation) % size] for seat in range(size)]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a log, with all that is needed to play it again."""

    number: int
    """Its number in the log."""
    contest: Contest
    """What was played, on what terms."""
    sandbox: str
    """The label of the sandbox."""
    block: int
    rotation: int
    attempt: int
    key: bytes
    """The key of the block, from which the cards and the seats' seeds follow."""
    players: Sequence[int]
    """The contestants' numbers by seat."""
    bots: Sequence[Contestant]
    """The contestants by seat."""
    game: Game

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)

    @property
    def actions(self) -> Sequence[Sequence[Any]]:
        """What was decided, in turn."""
        return self.game.actions

    @property
    def faults(self) -> Sequence[SeatFault]:
        """The faults, in the order in which they came up."""
        return self.game.faults

    @property
    def notes(self) -> dict[int, str]:
        """The notes of the bots, by decision."""
        return dict(self.game.notes)

    @property
    def verdicts(self) -> list[str]:
        """How the game ended for each seat."""
        return verdicts(self.seats, self.faults)


def verdicts(seats: int, faults: Sequence[SeatFault]) -> list[str]:
    """Return how a game with these faults ended for each seat."""
    found = [FINISHED] * seats
    for fault in faults:
        found[fault.seat] = fault.verdict
    return found
