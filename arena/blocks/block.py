"""A block as it is handed out, and what comes back: plain data that can be sent anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.records.entries import Contestant, Game
from arena.records.game_record import rotated
from arena.records.times import BlockTimes
from arena.referee.deals import BlockDeals, Deal


@dataclass(frozen=True)
class Block:
    """One deal. `contestants` are by seat in its first game; each later game rotates them."""

    number: int
    first_game: int
    contestants: tuple[Contestant, ...]
    deals: BlockDeals
    """Its cards, for each attempt; those of no other block follow from them."""
    swapped: tuple[Contestant, ...] = ()
    """If there are any, nobody is rotated. The block has two games, and these sit at the second
    one, with the same cards and the same seeds of the seats as in the first."""

    @property
    def games(self) -> int:
        """How many games it has."""
        return 2 if self.swapped else len(self.contestants)

    def seated(self, game: int) -> Sequence[Contestant]:
        """Return who sits where in one of its games, counted from 0."""
        if self.swapped:
            return self.swapped if game else self.contestants
        return rotated(self.contestants, game)

    def deal(self, game: int, attempt: int) -> Deal:
        """Return the deal of one of its games."""
        return self.deals.deal(0 if self.swapped else game, attempt)


@dataclass(frozen=True)
class BlockResult:
    """The games of a block, in their order."""

    number: int
    attempt: int
    """How often it was broken off before."""
    games: tuple[Game, ...]
    times: BlockTimes
