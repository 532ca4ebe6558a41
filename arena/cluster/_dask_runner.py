"""The runner `dask`: blocks are played by the machines of a Dask cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.blocks.block import Block, BlockResult
from arena.blocks.checking import Checker
from arena.blocks.runner import Cluster, Crew, Runner, Venue
from arena.cluster._connection import check_installed, connection
from arena.cluster._job import contest_of
from arena.cluster._result_checks import ResultChecks, result_checks
from arena.games.game import Game
from arena.machine.calls import usable_cores
from arena.records.entries import Contest
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.sandbox import NONE

if TYPE_CHECKING:
    from arena.cluster._local import LocalCluster


class DaskRunner(Runner):
    """Plays blocks on a cluster; without an address, on one of processes of this machine."""

    name = "dask"

    def __init__(self) -> None:
        self._cluster = Cluster()

    def on(self, cluster: Cluster) -> DaskRunner:
        """Return a runner for this cluster; raise `UnusableRunner` if it cannot be reached so."""
        check_installed()
        if cluster.scheduler:
            connection(cluster)
        runner = copy(self)
        runner._cluster = cluster
        return runner

    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks; yield sound results as they come."""
        self.starts = 0
        with self.crew(venue) as crew:
            for results in crew.play(blocks):
                self.starts = crew.starts
                yield results

    @contextmanager
    def crew(self, venue: Venue) -> Iterator[Crew]:
        """Return who plays several stretches of blocks, on one cluster."""
        check_installed()
        with ExitStack() as stack:
            terms = venue.terms
            cores = len(usable_cores())
            checks = stack.enter_context(result_checks(contest_of(terms), terms.game, cores))
            cluster, local = self._found(stack, terms.sandbox.name, venue.workers)
            yield _DaskCrew(venue, cluster, local, checks)

    @contextmanager
    def checking(self, contest: Contest, game: Game, workers: int) -> Iterator[Checker]:
        """Have games checked by the machines of the cluster."""
        from arena.cluster._rechecking import checking_there  # noqa: PLC0415 - takes a while

        check_installed()
        with ExitStack() as stack:
            cluster, local = self._found(stack, NONE, workers)
            see_to = (lambda: None) if local is None else local.see_to
            link = connection(cluster)
            again = self._cluster.again
            yield stack.enter_context(checking_there(link, again, contest, game, see_to))

    def _found(
        self, stack: ExitStack, sandbox: str, workers: int
    ) -> tuple[Cluster, LocalCluster | None]:
        """Return where the cluster is; start one on this machine if none is named."""
        from arena.cluster._local import LocalCluster  # noqa: PLC0415 - seldom needed

        if self._cluster.scheduler:
            return self._cluster, None
        folder = stack.enter_context(temporary_folder("local"))
        local = LocalCluster(sandbox, workers, folder)
        stack.callback(local.close)
        return replace(self._cluster, scheduler=local.address), local


class _DaskCrew(Crew):
    """The machines of a cluster, for one stretch of blocks after the other.

    Each stretch is a job of its own: what its machines have fetched they keep.
    """

    def __init__(
        self, venue: Venue, cluster: Cluster, local: LocalCluster | None, checks: ResultChecks
    ) -> None:
        self._venue = venue
        self._cluster = cluster
        self._local = local
        self._checks = checks

    def play(self, blocks: Iterable[Block]) -> Generator[Sequence[BlockResult], None, None]:
        from arena.cluster._session import Session  # noqa: PLC0415 - it takes a while to load

        venue = replace(self._venue, bots=dict(self._venue.bots))
        before = self.starts
        with ExitStack() as stack:
            loop = asyncio.new_event_loop()
            stack.callback(loop.close)
            asyncio.set_event_loop(loop)
            stack.callback(asyncio.set_event_loop, None)
            link = connection(self._cluster)
            session = Session(link, self._cluster, venue, iter(blocks), self._checks)
            stack.callback(lambda: loop.run_until_complete(session.close()))
            loop.run_until_complete(session.open())
            while not session.done:
                found = loop.run_until_complete(session.results())
                if self._local is not None:
                    self._local.see_to()
                self.starts, self.status = before + session.starts, session.status
                yield found
        self.status = ""
