"""What runs blocks: on this machine's cores by default, or wherever a plugin takes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping

from arena.blocks.block import Block, BlockResult
from arena.games.game import Game
from arena.process.spec import BotSpec


class RunnerFailed(Exception):
    """A block could not be played, through no fault of the bots."""


class Runner(ABC):
    """Takes blocks as fast as it can play them, and gives results as they come."""

    name: str

    @abstractmethod
    def run(
        self,
        blocks: Iterable[Block],
        game: Game,
        bots: Mapping[str, BotSpec],
        workers: int,
        arena: str,
    ) -> Generator[BlockResult, None, None]:
        """Play the blocks, in any order; `bots` has the programs by digest.

        `RunnerFailed` if that is not possible. Closing the generator ends everything.
        """
