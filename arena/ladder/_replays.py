"""Replays of a ladder's blocks on all cores: their games are played again under the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask

from arena.games.game import Game
from arena.ladder._ending import Due
from arena.records.codec import read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Contest
from arena.records.game_record import GameRecord, rotated
from arena.referee.verification import check_game

CHUNK = 5
"""Blocks that a process checks at a time."""
AHEAD = 4
"""Chunks for each process that are read ahead."""


@dataclass(frozen=True)
class Followed:
    """A block that follows from what is before it; its games are still to be played again."""

    at: int
    """The number of the entry."""
    first_game: int
    line: bytes
    entry: BlockPlayed
    due: Due | None


@dataclass(frozen=True)
class Batch:
    """Some blocks in their order."""

    blocks: list[Followed]
    wrong: tuple[int, Difference] | None = None
    """The entry, and what is wrong with its first game that does not follow the rules."""


@contextmanager
def processes(workers: int, contest: Contest, game: Game) -> Iterator[ProcessPoolExecutor]:
    """Start the processes that check, and end them on exit.

    They ignore Ctrl-C; this process handles it and ends them. Here it is blocked while they are
    started and ended, since an interrupt half-way ends in a traceback.
    """
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        context = get_context("fork")
        pool = ProcessPoolExecutor(workers, context, initializer=_prepare, initargs=(contest, game))
        try:
            pool.submit(int)  # starts all of them, and they inherit the blocked signal
            pthread_sigmask(SIG_SETMASK, before)
            yield pool
        finally:
            pthread_sigmask(SIG_BLOCK, {SIGINT})
            pool.shutdown(cancel_futures=True)
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def checked(pool: ProcessPoolExecutor, batches: Iterable[Batch], workers: int) -> Iterator[Batch]:
    """Yield the batches in order, with what is wrong with their games."""
    rest = iter(batches)
    waiting: deque[tuple[Batch, Future[_Wrong | None]]] = deque()
    for batch in islice(rest, AHEAD * workers):
        waiting.append((batch, _submit(pool, batch)))
    while waiting:
        batch, checked = waiting.popleft()
        wrong = checked.result()
        if wrong is None:
            yield batch
        else:
            yield Batch(batch.blocks, (wrong.entry, wrong.restored()))
        for more in islice(rest, 1):
            waiting.append((more, _submit(pool, more)))


def _submit(pool: ProcessPoolExecutor, batch: Batch) -> Future[_Wrong | None]:
    blocks = [(block.at, block.first_game, block.line) for block in batch.blocks]
    return pool.submit(_check_blocks, blocks)


@dataclass(frozen=True)
class _Wrong:
    """A `Difference` in a form that can be sent between processes."""

    entry: int
    arguments: tuple[str, ...]
    number: int | None
    decision: int | None

    def restored(self) -> Difference:
        difference = Difference(*self.arguments)
        difference.number = self.number
        difference.decision = self.decision
        return difference


_contest_and_game: tuple[Contest, Game]


def _prepare(contest: Contest, game: Game) -> None:
    global _contest_and_game  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    _contest_and_game = (contest, game)


def _check_blocks(blocks: list[tuple[int, int, bytes]]) -> _Wrong | None:
    """Play the games of some blocks again; return the first thing that is wrong."""
    contest, game = _contest_and_game
    for at, first, line in blocks:
        entry = read_entry(line)
        assert isinstance(entry, BlockPlayed)
        for rotation, played in enumerate(entry.games):
            record = GameRecord(
                first + rotation,
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
            try:
                check_game(record, game)
            except Difference as difference:
                by = (difference.place, difference.says, difference.wanted, difference.by)
                return _Wrong(at, by, difference.number, difference.decision)
    return None
