"""Who plays blocks on a cluster: its machines, stretch after stretch, and what checks results."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Cluster, Crew, Venue
from arena.cluster._connection import connection
from arena.cluster._job import contest_of
from arena.cluster._result_checks import ResultChecks, result_checks
from arena.cluster._session import Session
from arena.machine.calls import usable_cores

if TYPE_CHECKING:
    from arena.cluster._local import LocalCluster


@contextmanager
def dask_crew(venue: Venue, cluster: Cluster, local: LocalCluster | None) -> Iterator[Crew]:
    """Return the machines of a cluster as a crew; all their results are checked here."""
    terms = venue.terms
    with result_checks(contest_of(terms), terms.game, len(usable_cores())) as checks:
        yield _DaskCrew(venue, cluster, local, checks)


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
