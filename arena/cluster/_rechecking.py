"""Verification on a cluster: machines play the games of a log again under the rules."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from arena.blocks.checking import Checker, LoggedBlock, Wrong
from arena.blocks.runner import Cluster, Venue
from arena.cluster import _messages as messages
from arena.cluster._connection import Connection
from arena.cluster._job import job_of
from arena.cluster._machines import LOOK, Machine, Machines, expected, read
from arena.games.game import Game
from arena.records.entries import Contest
from arena.referee.terms import Terms

_logger = logging.getLogger(__name__)


@dataclass
class _Asked:
    """Blocks that are to be looked at, and what was found."""

    question: messages.Recheck
    answer: messages.Rechecked | None = None


class ClusterChecker(Checker):
    """Has the machines of a cluster look at blocks; who waits for an answer turns the loop."""

    processes = 64

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        link: Connection,
        venue: Venue,
        see_to: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._see_to = see_to
        self._job = job_of(venue, Cluster())
        self._waiting: deque[_Asked] = deque()
        self._news = asyncio.Event()
        self._machines = Machines(link, self._job, venue, self)

    async def open(self) -> None:
        """Begin to look for machines."""
        self._machines.open()

    async def close(self) -> None:
        """End what is under way."""
        await self._machines.close()

    def submit(self, blocks: Sequence[LoggedBlock]) -> _Verdict:
        entries = tuple((each.entry, each.first_game, each.line) for each in blocks)
        asked = _Asked(messages.Recheck(job=self._job.id, entries=entries))
        self._waiting.append(asked)
        self._news.set()
        return _Verdict(self, asked)

    def wait_for(self, asked: _Asked) -> messages.Rechecked:
        """Return the answer when it is there."""
        while asked.answer is None:
            self._loop.run_until_complete(self._machines.wait())
            self._see_to()
        return asked.answer

    def ready(self, machine: Machine) -> Sequence[Coroutine[Any, Any, None]]:
        """Give a machine blocks from now on."""
        return [self._hand(machine) for _ in range(messages.AHEAD * machine.referees)]

    def gone(self, machine: Machine) -> None:
        """What a machine had was put back by its hands."""

    async def _hand(self, machine: Machine) -> None:
        while True:
            if not self._waiting:
                self._news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), LOOK)
                continue
            asked = self._waiting.popleft()
            try:
                data = await self._machines.data(machine.address, asked.question, plays=True)
                asked.answer = expected(messages.Rechecked, read(data))
            finally:
                if asked.answer is None:
                    self._waiting.appendleft(asked)
                    self._news.set()
            self._machines.arrived.set()


@dataclass(frozen=True)
class _Verdict:
    """What will be known of some blocks."""

    checker: ClusterChecker
    asked: _Asked

    def result(self) -> Wrong | None:
        """Wait, and return the first thing that is wrong; None if nothing is."""
        wrong = self.checker.wait_for(self.asked).wrong
        return None if wrong is None else Wrong(*wrong)


@contextmanager
def checking_there(
    link: Connection, contest: Contest, game: Game, see_to: Callable[[], None]
) -> Iterator[ClusterChecker]:
    """Have blocks looked at by the machines of a cluster; `see_to` is called while they do."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    venue = Venue(Terms(game, contest.rules), {}, 0, tell=_logger.warning)
    checker = ClusterChecker(loop, link, venue, see_to)
    try:
        loop.run_until_complete(checker.open())
        yield checker
    finally:
        loop.run_until_complete(checker.close())
        asyncio.set_event_loop(None)
        loop.close()
