"""Play blocks on this machine: one worker per core, which it shares with the bots of its games.

When this process ends in any way, its workers end, and their bots too.

A bot has one process for each game of a block. While a worker can keep those of all bots, it plays
whole blocks. In a large field that would start processes for every game. There each worker has
some games of every block, so that every process runs in one place; it plays first one game of
each of many blocks and then the next, so that a process plays many games before it is ended.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic

from arena.blocks._block_player import Part
from arena.blocks.block import Block, BlockResult
from arena.blocks.division import Division
from arena.blocks.runner import Crew, Runner, Venue
from arena.blocks.worker import BATCH, BATCH_SECONDS, Share, Whole, Worker
from arena.machine.calls import usable_cores
from arena.records.entries import Game
from arena.records.times import BlockTimes, GameTimes
from arena.referee.attempts import Attempts

AHEAD = 2
"""Batches that a worker has at a time, so that it never waits for the next."""
WINDOW = 4 * BATCH
"""For each worker, how many blocks may be done or under way after the oldest unfinished one."""
FEW = 256
"""Up to so many processes of all bots, each worker has them all and plays whole blocks."""
SHARED = 1000
"""Blocks whose games workers share at a time, at most; twice as many can wait for the oldest."""
SHARED_EACH = 2
"""How many of them there are for each bot, at most."""
SHARED_SECONDS = 20.0
"""How long a batch of shared blocks should take."""
MANY_STARTS = 0.2
"""From so many starts of processes for each block on, all blocks that may wait come in one batch.
Then a worker has no batch ahead, but a process that has no room plays twice as many games."""


class LocalRunner(Runner):
    """Plays blocks on the cores of this machine."""

    name = "local"

    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks; yield the results in the order in which they are done."""
        self.starts = 0
        with self.crew(venue) as crew:
            for results in crew.play(blocks):
                self.starts = crew.starts
                yield results

    @contextmanager
    def crew(self, venue: Venue) -> Iterator[Crew]:
        """Return workers that play several stretches of blocks, and keep the processes of bots."""
        cores = sorted(usable_cores(), reverse=True)
        staff = [Worker(venue, cores[number % len(cores)]) for number in range(venue.workers)]
        try:
            yield _LocalCrew(venue, staff)
            for worker in staff:
                if not worker.batches:  # else it was interrupted
                    worker.finish()
        finally:
            for worker in staff:
                worker.end()


class _LocalCrew(Crew):
    """Workers of this machine."""

    def __init__(self, venue: Venue, staff: list[Worker]) -> None:
        self._venue = venue
        self._staff = staff

    def play(self, blocks: Iterable[Block]) -> Generator[Sequence[BlockResult], None, None]:
        processes = len(self._venue.bots) * max(self._venue.terms.game.players)
        hand_out = _hand_out if processes <= FEW else _share_out
        for results in hand_out(iter(blocks), self._staff):
            self.starts = sum(worker.starts for worker in self._staff)
            yield results


def _hand_out(blocks: Iterator[Block], staff: list[Worker]) -> Iterator[list[BlockResult]]:
    """Keep every worker busy, but stay within `WINDOW` of the oldest unfinished block.

    A block is taken only when a worker can have it at once, so that whoever wants to change what
    is played has to wait for few.
    """
    under_way: set[int] = set()
    number: int | None = None
    """The number of the next block, once there was one."""
    more = True
    while more or under_way:
        while more and (worker := _idle(staff)):
            oldest = min(under_way, default=number)
            batch: list[Block] = []
            while len(batch) < worker.pace and (
                number is None or oldest is None or number < oldest + WINDOW * len(staff)
            ):
                block = next(blocks, None)
                if block is None:
                    more = False
                    break
                batch.append(block)
                number = block.number + 1
            if not batch:
                break
            under_way.update(block.number for block in batch)
            worker.give(Whole(batch))
        if not under_way:
            break
        results = []
        for worker in _ready(staff):
            for result in worker.take():
                assert isinstance(result, BlockResult)
                results.append(result)
        under_way.difference_update(result.number for result in results)
        yield results


def _share_out(blocks: Iterator[Block], staff: list[Worker]) -> Iterator[list[BlockResult]]:
    """Have the games of blocks shared by all workers, and put their parts together."""
    under_way: dict[int, Gathered] = {}
    number: int | None = None
    more = True
    pace = BATCH * len(staff)
    venue = staff[0].venue
    division = Division(len(staff), len(venue.bots))
    most = min(SHARED, SHARED_EACH * len(venue.bots))
    ends = monotonic() + (inf if venue.seconds is None else venue.seconds)
    ahead = AHEAD
    while more or under_way:
        while more and all(len(worker.batches) < ahead for worker in staff):
            oldest = min(under_way, default=number)
            batch: list[Block] = []
            while len(batch) < pace * AHEAD // ahead and (
                number is None or oldest is None or number < oldest + 2 * SHARED
            ):
                block = next(blocks, None)
                if block is None:
                    more = False
                    break
                batch.append(block)
                number = block.number + 1
            if not batch:
                break
            under_way.update((block.number, Gathered(block)) for block in batch)
            for worker, share in zip(staff, division.divide(batch), strict=True):
                for block, _ in share:
                    under_way[block.number].missing += 1
                if share:
                    worker.give(Share(share))
        if not under_way:
            break
        results = []
        for worker in _ready(staff):
            for result in worker.take():
                gathered = under_way[result.number]
                whole = result if isinstance(result, BlockResult) else gathered.add(result)
                if whole is not None:
                    del under_way[whole.number]
                    results.append(whole)
                elif gathered.broken_off is not None and not gathered.missing:
                    again = {gathered.block.number: gathered.broken_off}
                    _least_busy(staff).give(Whole([gathered.block], again))
            ahead = 1 if max(worker.starts_each for worker in staff) > MANY_STARTS else AHEAD
            longest = max(worker.seconds_each for worker in staff)
            if longest:
                left = max(BATCH_SECONDS, (ends - monotonic()) / AHEAD)
                pace = max(1, min(most, int(min(SHARED_SECONDS, left) / longest)))
        yield results


class Gathered:
    """What has come of a block whose games workers share."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.missing = 0
        """How many parts are still to come."""
        self.broken_off: Attempts | None = None
        """The attempt, if a stall of the host has broken it off."""
        self._games: dict[int, tuple[Game, GameTimes]] = {}

    def add(self, part: Part) -> BlockResult | None:
        """Add a part; return the whole block if there is nothing missing and it was not stalled."""
        self.missing -= 1
        self._games.update(part.games)
        if part.attempts.broken_off and self.broken_off is None:
            self.broken_off = part.attempts
        if self.missing or self.broken_off is not None:
            return None
        played = [self._games[rotation] for rotation in range(self.block.games)]
        times = BlockTimes(
            first_game=self.block.first_game, games=tuple(times for _, times in played)
        )
        return BlockResult(self.block.number, 0, tuple(game for game, _ in played), times)


def _idle(staff: list[Worker]) -> Worker | None:
    """Return the worker with the fewest batches, None if it cannot take one more.

    Where a block takes long, having the next one at once gains nothing.
    """
    worker = _least_busy(staff)
    quick = 0 < worker.seconds_each < BATCH_SECONDS
    return worker if len(worker.batches) < (AHEAD if quick else 1) else None


def _least_busy(staff: list[Worker]) -> Worker:
    return min(staff, key=lambda worker: len(worker.batches))


def _ready(staff: list[Worker]) -> list[Worker]:
    """Return the workers that have sent something, or have ended."""
    busy = {worker.connection: worker for worker in staff if worker.batches}
    return [busy[found] for found in wait(list(busy)) if isinstance(found, Connection)]
