"""What the referees of a machine have to do: tasks, and the pieces that each of them does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.blocks.block import BlockResult
from arena.blocks.checking import LoggedBlock, Wrong, check_blocks
from arena.blocks.division import Division
from arena.blocks.local_runner import Gathered
from arena.blocks.runner import Venue
from arena.blocks.worker import Errand
from arena.games.game import Game
from arena.records.entries import Contest, Contestant


@dataclass
class TakenJob:
    """A job whose programs are all here."""

    id: str
    venue: Venue
    contest: Contest
    contestants: tuple[Contestant, ...]
    division: Division
    """How its blocks are shared by the referees."""
    used: float
    """When it was last asked for, or worked at."""


@dataclass
class Task:
    """Something that was asked, and what is still missing of its answer."""

    ticket: int
    job: TakenJob
    missing: int
    gathered: dict[int, Gathered]
    results: list[BlockResult]
    seconds: float = 0.0


@dataclass(frozen=True)
class Piece:
    """What one referee does of a task; `lane` is the number of its core, None for any."""

    task: Task
    errand: Errand
    lane: int | None = None


@dataclass(frozen=True)
class Check:
    """An errand: logged blocks whose games are played again under the rules."""

    blocks: list[LoggedBlock]
    contest: Contest
    game: Game

    def done_by(self, player: object) -> Sequence[Wrong | None]:
        """Look at them."""
        return [check_blocks(self.blocks, self.contest, self.game)]
