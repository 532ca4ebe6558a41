"""A match on several cores: each worker plays every so many deals, with processes of its own.

The blocks come in the order of the deals, and are the same for any number of workers if the
bots play the same way whatever they have played before.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from arena.blocks._host_room import allow_many_files
from arena.blocks.runner import RunnerFailed
from arena.errors import ArenaError
from arena.process.forked import close_all_but, end_with_parent
from arena.process.placement import on_one_core
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchBlock
from arena.referee.roster import Roster
from arena.referee.terms import Terms


class ParallelMatch:
    """Games between these bots, on these deals, with seats drawn anew for every deal."""

    def __init__(
        self, specs: Sequence[BotSpec], terms: Terms, deals: Deals, *, workers: int
    ) -> None:
        self._match = (specs, terms, deals)
        self._workers = workers
        self.contestants = [contestant_of(spec) for spec in specs]

    def blocks(self, games: int, first: int = 0) -> Iterator[MatchBlock]:
        """Play this many games; yield their blocks in order. The first game gets this number."""
        seats = len(self._match[0])
        blocks = -(-games // seats)
        workers = min(self._workers, blocks)
        cores = sorted(os.sched_getaffinity(0), reverse=True)
        context = get_context("fork")
        staff: list[tuple[Any, Connection]] = []
        try:
            for share in range(workers):
                mine, other = context.Pipe(duplex=False)
                core = cores[share % len(cores)]
                task = (other, self._match, core, games, first, share, workers)
                process = context.Process(target=_work, args=task, daemon=True)
                process.start()
                other.close()
                staff.append((process, mine))
            for number in range(blocks):
                yield _hear(*staff[number % workers], number)
            for process, _ in staff:
                process.join()
        finally:
            for process, connection in staff:
                process.kill()
                process.join()
                connection.close()


def _hear(process: Any, connection: Connection, number: int) -> MatchBlock:
    """Return the next block of a worker; raise `RunnerFailed` with the error that it sends."""
    try:
        said = connection.recv()
    except EOFError:
        process.join()
        raise RunnerFailed(
            f"deal {number}: its worker has ended with exit code {process.exitcode}"
        ) from None
    if isinstance(said, MatchBlock):
        return said
    raise RunnerFailed(f"deal {number}: {said}")


def _work(
    connection: Connection,
    match: tuple[Sequence[BotSpec], Terms, Deals],
    core: int,
    games: int,
    first: int,
    share: int,
    shares: int,
) -> None:
    """Run a worker: play its share of the deals, and send each block."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    close_all_but({connection.fileno()})
    specs, terms, deals = match
    try:
        allow_many_files()
        with (
            on_one_core(core),
            Roster(specs, terms, core=core, rotations=len(specs)) as roster,
        ):
            this = Match(roster, deals, draw_seats=True)
            for block in this.blocks(games, first, share=share, shares=shares):
                connection.send(block)
    except BrokenPipeError:
        return  # nobody wants to know
    except ArenaError as error:
        connection.send(str(error))
    except Exception as error:  # noqa: BLE001 - it ends the match with a message, not a trace
        connection.send(f"{type(error).__name__}: {error}")
