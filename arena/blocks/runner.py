"""What runs blocks: on this machine's cores by default, or wherever a plugin takes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass

from arena.blocks.block import Block, BlockResult
from arena.games.game import Game
from arena.process.host import HostError
from arena.process.sandbox import Sandbox
from arena.process.spec import BotSpec


class RunnerFailed(HostError):
    """A block could not be played, through no fault of the bots."""


@dataclass(frozen=True)
class Venue:
    """What it takes to play blocks, beside the blocks."""

    game: Game
    bots: Mapping[str, BotSpec]
    """The programs by digest."""
    sandbox: Sandbox
    workers: int
    """How many games at a time."""
    arena: str
    """The version of the arena, as bots are told it."""


class Runner(ABC):
    """Takes blocks as fast as it can play them, and gives results as they come."""

    name: str

    @abstractmethod
    def run(self, blocks: Iterable[Block], venue: Venue) -> Generator[BlockResult, None, None]:
        """Play the blocks, in any order.

        `RunnerFailed` if that is not possible. Closing the generator ends everything.
        """
