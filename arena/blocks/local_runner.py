"""Play blocks on this machine: one worker per core, which it shares with the bots of its games.

A worker is a forked process. Batches of blocks, and their results, go through a pipe. A worker
that ends before a batch is done is replaced, and the batch is played again, with the same
results. When this process ends in any way, its workers end, and their bots too.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from arena.blocks._block_player import BlockPlayer, allow_many_files
from arena.blocks._unchanged import BotChanged
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Runner, RunnerFailed, Venue
from arena.errors import HostError
from arena.machine.calls import end_with_parent, usable_cores
from arena.process.forked import close_all_but, ignore_interrupts, interrupts_held
from arena.process.placement import on_one_core

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
        try:
            yield from _hand_out(iter(blocks), staff)
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
            worker.give(batch)
        results = [result for worker in _ready(staff) for result in worker.take()]
        under_way.difference_update(result.number for result in results)
        yield results


def _idle(staff: list[Worker]) -> Worker | None:
    """Return the worker with the fewest batches, None if it cannot take one more."""
    worker = min(staff, key=lambda worker: len(worker.batches))
    return worker if len(worker.batches) < AHEAD else None


def _ready(staff: list[Worker]) -> list[Worker]:
    """Return the workers that have sent something, or have ended."""
    busy = {worker.connection: worker for worker in staff if worker.batches}
    return [busy[found] for found in wait(list(busy)) if isinstance(found, Connection)]


@dataclass(frozen=True)
class Done:
    """A batch that was played."""

    results: list[BlockResult]
    seconds: float


class Worker:
    """A process that plays batches of blocks, one after the other."""

    def __init__(self, venue: Venue, core: int) -> None:
        self._hired_for = (venue, core)
        self.batches: deque[list[Block]] = deque()
        self.pace = 1
        """The most blocks that its next batch should have."""
        self._ended = 0
        self._start()

    def give(self, batch: list[Block]) -> None:
        """Hand one more batch to the worker."""
        self.batches.append(batch)
        self._send(batch)

    def take(self) -> list[BlockResult]:
        """Return the results of its first batch; none if it has to begin again in a new process."""
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            self._replace()
            return []
        if isinstance(answer, Done):
            self._ended = 0
            batch = self.batches.popleft()
            pace = BATCH_SECONDS * len(batch) / max(answer.seconds, 1e-6)
            self.pace = max(1, min(BATCH, int(pace)))
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
        arguments = (other, *self._hired_for)
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
                f"{_named(self.batches[0])}: the worker ended {ATTEMPTS} times "
                f"(the last time with exit code {code}); see the host's log, "
                "for example for a lack of memory"
            )
        _logger.warning("a worker has ended and is replaced; its batches are played again")
        self._start()
        for batch in self.batches:
            self._send(batch)

    def _send(self, batch: list[Block]) -> None:
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
        allow_many_files()
        with on_one_core(core), BlockPlayer(venue, core) as player:
            while (batch := connection.recv()) is not None:
                began = monotonic()
                results = player.play(batch)
                connection.send(Done(results, monotonic() - began))
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
