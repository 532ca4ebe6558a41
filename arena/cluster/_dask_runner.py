"""The runner `dask`: blocks are played by the machines of a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.blocks.block import Block, BlockResult
from arena.blocks.checking import Checker
from arena.blocks.runner import Cluster, Crew, Runner, Venue
from arena.cluster._connection import check_installed, connection
from arena.games.game import Game
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
        from arena.cluster._crew import dask_crew  # noqa: PLC0415 - it takes a while to load

        with ExitStack() as stack:
            cluster, local = self._found(stack, venue.terms.sandbox.name, venue.workers)
            yield stack.enter_context(dask_crew(venue, cluster, local))

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
