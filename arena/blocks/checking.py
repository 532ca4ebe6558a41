"""Play the games of logged blocks again under the rules: on this machine, or where a runner can."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from arena.games.game import Game
from arena.machine.worker_processes import worker_processes
from arena.records.codec import read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Contest
from arena.records.game_record import GameRecord, rotated
from arena.referee.verification import check_game


@dataclass(frozen=True)
class LoggedBlock:
    """A block as a log has it: the number of its entry, that of its first game, and the line."""

    entry: int
    first_game: int
    line: bytes


@dataclass(frozen=True)
class Wrong:
    """The first thing that is wrong with some blocks, in a form that can be sent anywhere."""

    entry: int
    arguments: tuple[str, str, str, str]
    number: int | None
    decision: int | None

    def restored(self) -> Difference:
        """Return the difference that was found."""
        difference = Difference(*self.arguments)
        difference.number = self.number
        difference.decision = self.decision
        return difference


class Verdict(Protocol):
    """What will be known of some blocks."""

    def result(self) -> Wrong | None:
        """Wait, and return the first thing that is wrong; None if nothing is."""


class Checker(ABC):
    """Plays blocks again, several at a time."""

    processes: int
    """How many blocks it can look at at a time."""

    @abstractmethod
    def submit(self, blocks: Sequence[LoggedBlock]) -> Verdict:
        """Begin to play the games of these blocks again."""


Checking: TypeAlias = Callable[[Contest, Game, int], AbstractContextManager[Checker]]
"""Starts a checker with so many processes, and ends it."""


def check_blocks(blocks: Sequence[LoggedBlock], contest: Contest, game: Game) -> Wrong | None:
    """Play the games of some blocks again; return the first thing that is wrong."""
    for block in blocks:
        entry = read_entry(block.line)
        assert isinstance(entry, BlockPlayed)
        try:
            check_entry(entry, block.first_game, contest, game)
        except Difference as difference:
            by = (difference.place, difference.says, difference.wanted, difference.by)
            return Wrong(block.entry, by, difference.number, difference.decision)
    return None


def check_entry(entry: BlockPlayed, first_game: int, contest: Contest, game: Game) -> None:
    """Raise `Difference` unless the rules lead to what an entry says of its games."""
    for rotation, played in enumerate(entry.games):
        record = GameRecord(
            first_game + rotation,
            contest,
            "",
            entry.number,
            rotation,
            entry.attempt,
            bytes.fromhex(entry.key),
            rotated(entry.contestants, rotation),
            (),
            played,
        )
        check_game(record, game)


class _Pool(Checker):
    """Processes of this machine."""

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool = pool
        self.processes = processes

    def submit(self, blocks: Sequence[LoggedBlock]) -> Verdict:
        return self._pool.submit(_check_here, blocks)


@contextmanager
def checking_here(contest: Contest, game: Game, workers: int) -> Iterator[Checker]:
    """Start processes that check, and end them on exit."""
    with worker_processes(workers, _prepare, contest, game) as pool:
        yield _Pool(pool, workers)


_contest_and_game: tuple[Contest, Game]


def _prepare(contest: Contest, game: Game) -> None:
    global _contest_and_game  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    _contest_and_game = (contest, game)


def _check_here(blocks: Sequence[LoggedBlock]) -> Wrong | None:
    contest, game = _contest_and_game
    return check_blocks(blocks, contest, game)
