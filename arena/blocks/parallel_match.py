"""A match on several cores: each worker plays every so many deals, with processes of its own.

The blocks come in the order of the deals, and are the same for any number of workers if the
bots play the same way whatever they have played before.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Protocol

from arena.blocks._host_room import allow_many_files
from arena.blocks.runner import RunnerFailed
from arena.errors import ArenaError
from arena.machine.calls import end_with_parent, usable_cores
from arena.process.forked import close_all_but, ignore_interrupts, interrupts_held
from arena.process.placement import on_one_core
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchBlock
from arena.referee.roster import Roster
from arena.referee.terms import Terms

STDERR = 2


class KeepsStderr(Protocol):
    """Takes what bots write to stderr, from all workers."""

    @property
    def descriptors(self) -> set[int]:
        """The open files that it writes to."""

    def of(self, bot: int) -> Callable[[bytes], object]:
        """Return what takes the output of this bot's processes."""

    def check(self) -> None:
        """Raise `ArenaError` if something could not be written."""


@dataclass(frozen=True)
class _Task:
    """What all workers of a match play."""

    specs: Sequence[BotSpec]
    terms: Terms
    deals: Deals
    stderr: KeepsStderr | None
    games: int
    first: int
    shares: int


class ParallelMatch:
    """Games between these bots, on these deals, with seats drawn anew for every deal.

    What a worker logs goes to stderr as it does here; its name is "worker 1" and so on.
    """

    def __init__(
        self,
        specs: Sequence[BotSpec],
        terms: Terms,
        deals: Deals,
        *,
        workers: int,
        stderr: KeepsStderr | None = None,
    ) -> None:
        self._match = (specs, terms, deals, stderr)
        self._workers = workers
        self.contestants = [contestant_of(spec) for spec in specs]

    def blocks(self, games: int, first: int = 0) -> Iterator[MatchBlock]:
        """Play this many games; yield their blocks in order. The first game gets this number."""
        seats = len(self._match[0])
        blocks = -(-games // seats)
        workers = min(self._workers, blocks)
        cores = sorted(usable_cores(), reverse=True)
        task = _Task(*self._match, games, first, workers)
        context = get_context("fork")
        staff: list[tuple[Any, Connection]] = []
        try:
            for share in range(workers):
                mine, other = context.Pipe(duplex=False)
                core = cores[share % len(cores)]
                name = f"worker {share + 1}"
                process = context.Process(
                    target=_work, args=(other, task, core, share), name=name, daemon=True
                )
                with interrupts_held():
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


def _work(connection: Connection, task: _Task, core: int, share: int) -> None:
    """Run a worker: play its share of the deals, and send each block."""
    end_with_parent()
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    kept = set() if task.stderr is None else task.stderr.descriptors
    close_all_but({connection.fileno(), STDERR, *kept})
    takes = None if task.stderr is None else task.stderr.of
    specs = task.specs
    try:
        allow_many_files()
        with (
            on_one_core(core),
            Roster(specs, task.terms, core=core, rotations=len(specs), stderr=takes) as roster,
        ):
            this = Match(roster, task.deals, draw_seats=True)
            for block in this.blocks(task.games, task.first, share=share, shares=task.shares):
                if task.stderr is not None:
                    task.stderr.check()
                connection.send(block)
    except BrokenPipeError:
        return  # nobody wants to know
    except ArenaError as error:
        connection.send(str(error))
    except Exception as error:  # noqa: BLE001 - it ends the match with a message, not a trace
        connection.send(f"{type(error).__name__}: {error}")
