"""The interface of runners, which play blocks: on this machine, or wherever a plugin has them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.blocks.block import Block, BlockResult
from arena.errors import HostError
from arena.programs.spec import BotSpec
from arena.referee.terms import Terms


class RunnerFailed(HostError):
    """A block could not be played, through no fault of the bots."""


@dataclass(frozen=True)
class Venue:
    """What a runner needs to play blocks, beside the blocks."""

    terms: Terms
    bots: Mapping[str, BotSpec]
    """The bots by digest."""
    workers: int
    """How many games to play at a time."""
    seconds: float | None = None
    """After how long no more results are wanted, if that is known."""


class Runner(ABC):
    """Takes blocks as fast as it can play them, and yields results as they come."""

    name: str
    starts = 0
    """How many processes of bots were started, where a runner counts them."""

    @abstractmethod
    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks, in any order, and yield their results: together what came together.

        Raise `RunnerFailed` if that is not possible. Closing the generator ends everything.
        """
