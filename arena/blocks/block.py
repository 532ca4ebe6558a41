"""A block as it is handed out, and what comes back: plain data that can be sent anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.entries import Contestant, Game
from arena.records.times import BlockTimes
from arena.referee.deals import BlockDeals


@dataclass(frozen=True)
class Block:
    """One deal. `contestants` are by seat in its first game; each later game rotates them."""

    number: int
    first_game: int
    contestants: tuple[Contestant, ...]
    deals: BlockDeals
    """Its cards, for each attempt; those of no other block follow from them."""


@dataclass(frozen=True)
class BlockResult:
    """The games of a block, in the order of its rotations."""

    number: int
    attempt: int
    """How often it was broken off before."""
    games: tuple[Game, ...]
    times: BlockTimes
