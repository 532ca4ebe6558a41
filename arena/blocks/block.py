"""A block as it is handed out, and what comes back: plain data that can be sent anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.programs.contestant import Contestant
from arena.records.record import Record


@dataclass(frozen=True)
class Block:
    """One deal. `contestants` are by seat in its first game; each later game rotates them."""

    number: int
    first_game: int
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True)
class BlockGame:
    """A game of a block: its record, not yet chained, and its timings, which are not part of it."""

    record: Record
    timings: dict[str, Any]


@dataclass(frozen=True)
class BlockResult:
    """The games of a block, in the order of its rotations."""

    number: int
    games: tuple[BlockGame, ...]
