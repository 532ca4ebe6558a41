"""Play blocks on this machine: one worker per core, which it shares with the bots of its games.

A worker is a forked process. Batches of blocks, and their results, go through a pipe. A worker
that ends before a batch is done is replaced, and the batch is played again, with the same
results. When this process ends in any way, its workers end, and their bots too.

A bot has one process for each rotation. While a worker can keep those of all bots, it plays whole
blocks. In a large field that would start processes for every game. There the games of many blocks
are played rotation by rotation, and each worker has some of the rotations, so that every process
runs in one place and plays many games before it is ended.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from arena.blocks._block_player import BlockPlayer, Part
from arena.blocks._unchanged import BotChanged
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Runner, RunnerFailed, Venue
from arena.errors import HostError
from arena.machine.calls import end_with_parent, usable_cores
from arena.process.forked import close_all_but, ignore_interrupts, interrupts_held
from arena.process.placement import on_one_core
from arena.records.entries import Game
from arena.records.times import BlockTimes, GameTimes
from arena.referee.attempts import Attempts

STDERR = 2
AHEAD = 2
"""Batches that a worker has at a time, so that it never waits for the next."""
BATCH = 16
"""Blocks in a batch, at most."""
BATCH_SECONDS = 0.5
"""How long a batch should take; blocks that take longer are handed out one at a time."""
WINDOW = 4 * BATCH
"""For each worker, how many blocks may be done or under way after the oldest unfinished one."""
ATTEMPTS = 3
"""How often a batch is tried if its worker ends."""
FEW = 256
"""Up to so many processes of all bots, each worker has them all and plays whole blocks."""
SHARED = 1000
"""Blocks whose games workers share at a time, at most; twice as many can wait for the oldest."""
SHARED_EACH = 2
"""How many of them there are for each bot, at most."""
SHARED_SECONDS = 20.0
"""How long a batch of shared blocks should take."""

_logger = logging.getLogger(__name__)


class LocalRunner(Runner):
    """Plays blocks on the cores of this machine."""

    name = "local"

    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks; yield the results in the order in which they are done."""
        cores = sorted(usable_cores(), reverse=True)
        staff = [Worker(venue, cores[number % len(cores)]) for number in range(venue.workers)]
        processes = len(venue.bots) * max(venue.terms.game.players)
        hand_out = _hand_out if processes <= FEW else _share_out
        self.starts = 0
        try:
            for results in hand_out(iter(blocks), staff):
                self.starts = sum(worker.starts for worker in staff)
                yield results
            for worker in staff:
                worker.finish()
        finally:
            for worker in staff:
                worker.end()


def _hand_out(blocks: Iterator[Block], staff: list[Worker]) -> Iterator[list[BlockResult]]:
    """Keep every worker busy, but stay within `WINDOW` of the oldest unfinished block."""
    under_way: set[int] = set()
    upcoming = next(blocks, None)
    while upcoming is not None or under_way:
        while upcoming is not None and (worker := _idle(staff)):
            end = min(under_way, default=upcoming.number) + WINDOW * len(staff)
            batch: list[Block] = []
            while upcoming is not None and len(batch) < worker.pace and upcoming.number < end:
                batch.append(upcoming)
                upcoming = next(blocks, None)
            if not batch:
                break
            under_way.update(block.number for block in batch)
            worker.give(Whole(batch))
        results = [
            result
            for worker in _ready(staff)
            for result in worker.take()
            if isinstance(result, BlockResult)  # nobody has been given parts
        ]
        under_way.difference_update(result.number for result in results)
        yield results


def _share_out(blocks: Iterator[Block], staff: list[Worker]) -> Iterator[list[BlockResult]]:
    """Have the games of blocks shared by all workers, and put their parts together."""
    under_way: dict[int, _Gathered] = {}
    upcoming = next(blocks, None)
    pace = BATCH * len(staff)
    venue = staff[0].venue
    most = min(SHARED, SHARED_EACH * len(venue.bots))
    ends = monotonic() + (inf if venue.seconds is None else venue.seconds)
    while upcoming is not None or under_way:
        while upcoming is not None and all(len(worker.batches) < AHEAD for worker in staff):
            end = min(under_way, default=upcoming.number) + 2 * SHARED
            batch: list[Block] = []
            while upcoming is not None and len(batch) < pace and upcoming.number < end:
                batch.append(upcoming)
                upcoming = next(blocks, None)
            if not batch:
                break
            under_way.update((block.number, _Gathered(block)) for block in batch)
            for worker, share in zip(staff, _shares(batch, len(staff)), strict=True):
                for block, _ in share:
                    under_way[block.number].missing += 1
                if share:
                    worker.give(Share(share))
        for worker in _ready(staff):
            done: list[BlockResult] = []
            for result in worker.take():
                gathered = under_way[result.number]
                whole = result if isinstance(result, BlockResult) else gathered.add(result)
                if whole is not None:
                    del under_way[whole.number]
                    done.append(whole)
                elif gathered.broken_off is not None and not gathered.missing:
                    again = {gathered.block.number: gathered.broken_off}
                    _least_busy(staff).give(Whole([gathered.block], again))
            yield done
            longest = max(worker.seconds_each for worker in staff)
            if longest:
                left = max(BATCH_SECONDS, (ends - monotonic()) / AHEAD)
                pace = max(1, min(most, int(min(SHARED_SECONDS, left) / longest)))


def _shares(batch: list[Block], workers: int) -> list[list[tuple[Block, list[int]]]]:
    """Divide the games of these blocks equally, so that a worker has few different rotations."""
    games = [
        (rotation, at)
        for rotation in range(max(block.games for block in batch))
        for at, block in enumerate(batch)
        if rotation < block.games
    ]
    shares = []
    for number in range(workers):
        first = len(games) * number // workers
        last = len(games) * (number + 1) // workers
        rotations: dict[int, list[int]] = {}
        for rotation, at in games[first:last]:
            rotations.setdefault(at, []).append(rotation)
        shares.append([(batch[at], mine) for at, mine in sorted(rotations.items())])
    return shares


class _Gathered:
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
    """Return the worker with the fewest batches, None if it cannot take one more."""
    worker = _least_busy(staff)
    return worker if len(worker.batches) < AHEAD else None


def _least_busy(staff: list[Worker]) -> Worker:
    return min(staff, key=lambda worker: len(worker.batches))


def _ready(staff: list[Worker]) -> list[Worker]:
    """Return the workers that have sent something, or have ended."""
    busy = {worker.connection: worker for worker in staff if worker.batches}
    return [busy[found] for found in wait(list(busy)) if isinstance(found, Connection)]


@dataclass(frozen=True)
class Whole:
    """Blocks to play whole, and for some of them the attempts that were broken off before."""

    blocks: list[Block]
    attempts: Mapping[int, Attempts] = field(default_factory=dict)


@dataclass(frozen=True)
class Share:
    """Some games of each of these blocks, by rotation; others play the rest."""

    wanted: list[tuple[Block, list[int]]]

    @property
    def blocks(self) -> list[Block]:
        """The blocks."""
        return [block for block, _ in self.wanted]


@dataclass(frozen=True)
class Done:
    """A batch that was played."""

    results: Sequence[BlockResult | Part]
    seconds: float
    starts: int
    """How many processes the worker has started for it."""


class Worker:
    """A process that plays batches of blocks, one after the other."""

    def __init__(self, venue: Venue, core: int) -> None:
        self.venue = venue
        self._core = core
        self.batches: deque[Whole | Share] = deque()
        self.pace = 1
        """The most blocks that its next batch should have."""
        self.seconds_each = 0.0
        """How long its last batch took for a block; 0 before the first."""
        self.starts = 0
        """How many processes it has started."""
        self._ended = 0
        self._start()

    def give(self, batch: Whole | Share) -> None:
        """Hand one more batch to the worker."""
        self.batches.append(batch)
        self._send(batch)

    def take(self) -> Sequence[BlockResult | Part]:
        """Return the results of its first batch; none if it has to begin again in a new process."""
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            self._replace()
            return []
        if isinstance(answer, Done):
            self._ended = 0
            self.starts += answer.starts
            blocks = len(self.batches.popleft().blocks)
            self.seconds_each = max(answer.seconds, 1e-6) / blocks
            self.pace = max(1, min(BATCH, int(BATCH_SECONDS / self.seconds_each)))
            return answer.results
        raise RunnerFailed(answer)

    def finish(self) -> None:
        """Tell the worker that no more batches come, and wait until it and its bots have ended."""
        try:
            self.connection.send(None)
        except OSError:
            return
        self._process.join()

    def end(self) -> None:
        """Kill the worker."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def _start(self) -> None:
        context = get_context("fork")
        self.connection, other = context.Pipe()
        arguments = (other, self.venue, self._core)
        self._process: Any = context.Process(target=_work, args=arguments, daemon=True)
        with interrupts_held():
            self._process.start()
        other.close()

    def _replace(self) -> None:
        self.end()
        self._ended += 1
        if self._ended == ATTEMPTS:
            code = self._process.exitcode
            raise RunnerFailed(
                f"{_named(self.batches[0].blocks)}: the worker ended {ATTEMPTS} times "
                f"(the last time with exit code {code}); see the host's log, "
                "for example for a lack of memory"
            )
        _logger.warning("a worker has ended and is replaced; its batches are played again")
        self._start()
        for batch in self.batches:
            self._send(batch)

    def _send(self, batch: Whole | Share) -> None:
        try:
            self.connection.send(batch)
        except OSError:
            pass  # it has ended; `take` finds out


def _work(connection: Connection, venue: Venue, core: int) -> None:
    """Run a worker: play the batches that it is given until there are no more."""
    end_with_parent()
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    logs = {STDERR} if _logger.isEnabledFor(logging.DEBUG) else set()
    close_all_but({connection.fileno(), *logs})
    player = None
    try:
        with on_one_core(core), BlockPlayer(venue, core) as player:
            while (batch := connection.recv()) is not None:
                began, before = monotonic(), player.starts
                results: Sequence[BlockResult | Part] = (
                    player.play_parts(batch.wanted)
                    if isinstance(batch, Share)
                    else player.play(batch.blocks, batch.attempts)
                )
                connection.send(Done(results, monotonic() - began, player.starts - before))
    except EOFError:
        return  # the process that hands out blocks has ended
    except (BotChanged, HostError) as error:
        connection.send(f"{_place(player)}: {error}")
    except Exception as error:  # noqa: BLE001 - it ends the run with a message, not a trace
        connection.send(f"{_place(player)}: {type(error).__name__}: {error}")


def _place(player: BlockPlayer | None) -> str:
    if player is None or player.playing is None:
        return "a worker"
    return f"block {player.playing}"


def _named(batch: list[Block]) -> str:
    first, last = batch[0].number, batch[-1].number
    return f"block {first}" if first == last else f"blocks {first} to {last}"
