"""The check of results under the rules, shared among the cores of the host.

The host's own process sees to machines and to the log. What takes most of its time is to play
games again, so that is done by processes beside it, where it has more than one core.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from arena.blocks.block import Block, BlockResult
from arena.cluster._soundness import unsound
from arena.games.game import Game
from arena.machine.calls import end_with_parent
from arena.machine.worker_processes import worker_processes
from arena.records.entries import Contest

MOST = 3
"""Processes that check, at most: what else the host does for a block takes about as long."""

_logger = logging.getLogger(__name__)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[BlockResult, ...])


@dataclass(frozen=True)
class Unsound:
    """The first of some results that the rules do not lead to, and why."""

    at: int
    reason: str


class ResultChecks:
    """Checks results, in processes of its own if there are any."""

    def __init__(self, contest: Contest, game: Game, pool: ProcessPoolExecutor | None) -> None:
        self._contest = contest
        self._game = game
        self._pool = pool

    async def first_unsound(
        self, results: Sequence[BlockResult], blocks: Sequence[Block]
    ) -> Unsound | None:
        """Return the first result that is not one of its block; None if all are."""
        if self._pool is not None:
            loop, data = asyncio.get_running_loop(), _encoder.encode(results)
            try:
                return await loop.run_in_executor(self._pool, _check_sent, data, blocks)
            except BrokenExecutor:
                _logger.warning("a process that checks results has ended; the host goes on alone")
                self._pool = None
        return _first_unsound(results, blocks, self._contest, self._game)


@contextmanager
def result_checks(contest: Contest, game: Game, cores: int) -> Iterator[ResultChecks]:
    """Start processes that check, if there is more than one core, and end them on exit."""
    processes = min(MOST, cores - 1)
    if processes < 1:
        yield ResultChecks(contest, game, None)
        return
    with worker_processes(processes, _prepare, contest, game, os.getpid()) as pool:
        yield ResultChecks(contest, game, pool)


def _first_unsound(
    results: Sequence[BlockResult], blocks: Sequence[Block], contest: Contest, game: Game
) -> Unsound | None:
    for at, (result, block) in enumerate(zip(results, blocks, strict=True)):
        if reason := unsound(result, block, contest, game):
            return Unsound(at, reason)
    return None


_contest_and_game: tuple[Contest, Game]


def _prepare(contest: Contest, game: Game, parent: int) -> None:
    global _contest_and_game  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    end_with_parent(parent)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _contest_and_game = (contest, game)


def _check_sent(data: bytes, blocks: Sequence[Block]) -> Unsound | None:
    return _first_unsound(_decoder.decode(data), blocks, *_contest_and_game)
