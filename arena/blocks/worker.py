"""A worker of this machine: a forked process that plays batches of blocks, one after the other.

Batches and their results go through a pipe. A worker that ends before a batch is done is
replaced, and the batch is played again, with the same results.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Protocol

from arena.blocks._block_player import BlockPlayer, Part
from arena.blocks._unchanged import BotChanged
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import RunnerFailed, Venue
from arena.errors import HostError
from arena.machine.calls import end_with_parent
from arena.process.forked import close_all_but, ignore_interrupts, interrupts_held
from arena.process.placement import on_one_core
from arena.programs.spec import BotSpec
from arena.referee.attempts import Attempts

STDERR = 2
BATCH = 16
"""Blocks in a batch, at most."""
BATCH_SECONDS = 0.5
"""How long a batch should take; blocks that take longer are handed out one at a time."""
ATTEMPTS = 3
"""How often a batch is tried if its worker ends."""

_logger = logging.getLogger(__name__)


class Errand(Protocol):
    """What a worker does with its referee."""

    @property
    def blocks(self) -> Sequence[Any]:
        """The blocks that it is about."""

    def done_by(self, player: BlockPlayer) -> Sequence[Any]:
        """Do it, and return what came of it."""


@dataclass(frozen=True)
class Whole:
    """Blocks to play whole, and for some of them the attempts that were broken off before."""

    blocks: list[Block]
    attempts: Mapping[int, Attempts] = field(default_factory=dict)

    def done_by(self, player: BlockPlayer) -> Sequence[BlockResult]:
        """Play them."""
        return player.play(self.blocks, self.attempts)


@dataclass(frozen=True)
class Share:
    """Some games of each of these blocks, by rotation; others play the rest."""

    wanted: list[tuple[Block, list[int]]]

    @property
    def blocks(self) -> list[Block]:
        """The blocks."""
        return [block for block, _ in self.wanted]

    def done_by(self, player: BlockPlayer) -> Sequence[Part]:
        """Play them."""
        return player.play_parts(self.wanted)


@dataclass(frozen=True)
class FieldChange:
    """Bots that a worker has to know for its next batch, and those that it need not know any more.

    The first are by digest.
    """

    come: Mapping[str, BotSpec]
    gone: Collection[str]


@dataclass(frozen=True)
class Done:
    """A batch that was played."""

    results: Sequence[Any]
    seconds: float
    starts: int
    """How many processes the worker has started for it."""


class Worker:
    """A process that plays batches of blocks, one after the other."""

    def __init__(self, venue: Venue, core: int) -> None:
        self.venue = venue
        self._core = core
        self.batches: deque[Errand] = deque()
        self.pace = 1
        """The most blocks that its next batch should have."""
        self.seconds_each = 0.0
        """How long its last batch took for a block; 0 before the first."""
        self.starts = 0
        """How many processes it has started."""
        self.starts_each = 0.0
        """How many it has started for each block of its last batch."""
        self._ended = 0
        self._known: set[str] = set()
        """The bots that the process knows, by digest."""
        self._start()

    def give(self, batch: Errand) -> None:
        """Hand one more batch to the worker."""
        self.batches.append(batch)
        self._tell_field()
        self._send(batch)

    def take(self) -> Sequence[Any]:
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
            self.starts_each = answer.starts / blocks
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
        self._known = set(self.venue.bots)

    def _tell_field(self) -> None:
        """Tell the process which bots are new in the venue, and which are gone from it."""
        bots = self.venue.bots
        if self._known == bots.keys():
            return
        come = {digest: spec for digest, spec in bots.items() if digest not in self._known}
        self._send(FieldChange(come, self._known - bots.keys()))
        self._known = set(bots)

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

    def _send(self, batch: Errand | FieldChange) -> None:
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
                if isinstance(batch, FieldChange):
                    player.change_field(batch.come, batch.gone)
                    continue
                began, before = monotonic(), player.starts
                results = batch.done_by(player)
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


def _named(batch: Sequence[Any]) -> str:
    first, last = batch[0].number, batch[-1].number
    return f"block {first}" if first == last else f"blocks {first} to {last}"
