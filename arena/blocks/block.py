"""A block as it is handed out, and what comes back: plain data that can be sent anywhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from arena.games.game import Rules
from arena.process.limits import Limits
from arena.referee.clock import TimeControl
from arena.referee.deals import Deal
from arena.referee.record import Record


@dataclass(frozen=True)
class Contestant:
    """A bot at a version: with another digest it is another contestant."""

    name: str
    version: str
    digest: str

    def as_map(self) -> dict[str, str]:
        """As records have it."""
        return asdict(self)


@dataclass(frozen=True)
class Terms:
    """What all games of a ladder have in common."""

    ladder: str
    secret: bytes
    game: str
    rules: Rules
    control: TimeControl
    limits: Limits
    suspend: bool
    """Whether bots that are not asked are suspended."""
    fresh: bool
    """Whether every game is played by new processes."""


@dataclass(frozen=True)
class Block:
    """One deal: `contestants` by seat in its first game, one seat further on in each other."""

    terms: Terms
    number: int
    first_game: int
    contestants: tuple[Contestant, ...]

    def deal(self, rotation: int) -> Deal:
        """The deal of one of its games."""
        return Deal(self.terms.secret, self.terms.ladder, self.number, rotation)


@dataclass(frozen=True)
class BlockGame:
    """A game of a block: its record, not yet chained, and its timings, which stay beside it."""

    record: Record
    timings: dict[str, Any]


@dataclass(frozen=True)
class BlockResult:
    """The games of a block, in the order of its rotations."""

    number: int
    games: tuple[BlockGame, ...]
