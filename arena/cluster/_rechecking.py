"""Verification on a cluster: machines play the games of a log again under the rules."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from arena.blocks.checking import Checker, LoggedBlock, Wrong, check_blocks
from arena.blocks.runner import Cluster, Venue
from arena.cluster import _messages as messages
from arena.cluster._connection import Connection
from arena.cluster._job import job_of
from arena.cluster._machines import LOOK, Machine, Machines, expected, read
from arena.games.game import Game
from arena.records.entries import Contest
from arena.referee.terms import Terms

_logger = logging.getLogger(__name__)


@dataclass(eq=False)
class _Asked:
    """Blocks that are to be looked at, and what was found."""

    blocks: Sequence[LoggedBlock]
    question: messages.Recheck
    said: dict[str, Wrong | None] = field(default_factory=dict)
    """What each machine has found that was asked."""
    found: bool = False
    """Whether `wrong` is what counts."""
    wrong: Wrong | None = None


class ClusterChecker(Checker):
    """Has the machines of a cluster look at blocks; who waits for an answer turns the loop.

    A share of the blocks is looked at by two machines. Where one finds something wrong, or two do
    not say the same, this host looks itself, and uses no more whoever has said something else.
    """

    processes = 64

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        link: Connection,
        venue: Venue,
        contest: Contest,
        again: float,
        see_to: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._see_to = see_to
        self._contest = contest
        self._game = venue.terms.game
        self._again = again
        self._random = SystemRandom()
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
        asked = _Asked(blocks, messages.Recheck(job=self._job.id, entries=entries))
        self._waiting.append(asked)
        self._news.set()
        return _Verdict(self, asked)

    def wait_for(self, asked: _Asked) -> Wrong | None:
        """Return what was found when it is known."""
        while not asked.found:
            self._loop.run_until_complete(self._machines.wait())
            self._see_to()
        return asked.wrong

    def ready(self, machine: Machine) -> Sequence[Coroutine[Any, Any, None]]:
        """Give a machine blocks from now on."""
        return [self._hand(machine) for _ in range(messages.AHEAD * machine.referees)]

    def gone(self, machine: Machine) -> None:
        """What a machine had was put back by its hands."""

    async def _hand(self, machine: Machine) -> None:
        while machine.hands:
            asked = self._next(machine)
            if asked is None:
                await self._see_to_what_is_left()
                self._news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), LOOK)
                continue
            with self._taken(asked):
                data = await self._machines.data(machine.address, asked.question, plays=True)
                answer = expected(messages.Rechecked, read(data)).wrong
                asked.said[machine.name] = None if answer is None else Wrong(*answer)
                await self._took(asked)

    def _next(self, machine: Machine) -> _Asked | None:
        """Return the first blocks that this machine has not looked at."""
        for asked in self._waiting:
            if machine.name not in asked.said:
                self._waiting.remove(asked)
                return asked
        return None

    async def _see_to_what_is_left(self) -> None:
        """Look here at what was to have a second look, by machines that have gone meanwhile."""
        for asked in [each for each in self._waiting if each.said]:
            if asked in self._waiting and not self._others(asked):
                self._waiting.remove(asked)
                with self._taken(asked):
                    await self._settle(asked)

    def _others(self, asked: _Asked) -> bool:
        """Whether there is a machine that has not looked at some blocks."""
        return any(each.name not in asked.said for each in self._machines.ready)

    @contextmanager
    def _taken(self, asked: _Asked) -> Iterator[None]:
        """Put blocks back in the end if nothing is known of them, as their machine has gone.

        Its hands end when it is refused, whatever they are at.
        """
        try:
            yield
        finally:
            if not asked.found and asked not in self._waiting:
                self._put_back(asked)

    def _put_back(self, asked: _Asked) -> None:
        self._waiting.appendleft(asked)
        self._news.set()

    async def _took(self, asked: _Asked) -> None:
        """See what follows from the last answer about some blocks."""
        first, *others = asked.said.values()
        if first is not None or any(each is not None for each in others):
            await self._settle(asked)
        elif others or self._random.random() >= self._again:
            asked.found = True
            self._machines.arrived.set()
        elif self._others(asked):
            self._put_back(asked)
        else:
            await self._settle(asked)

    async def _settle(self, asked: _Asked) -> None:
        """Look at some blocks here, and use no more who has found something else."""
        game = self._game
        asked.wrong = await asyncio.to_thread(check_blocks, asked.blocks, self._contest, game)
        for name, said in asked.said.items():
            if said != asked.wrong:
                entries = f"entries {asked.blocks[0].entry} to {asked.blocks[-1].entry}"
                found = "nothing" if asked.wrong is None else "something"
                there = "nothing" if said is None else f"entry {said.entry}"
                self._machines.refuse(name, f"found {there} wrong in {entries}, this host {found}")
        asked.found = True
        self._machines.arrived.set()


@dataclass(frozen=True)
class _Verdict:
    """What will be known of some blocks."""

    checker: ClusterChecker
    asked: _Asked

    def result(self) -> Wrong | None:
        """Wait, and return the first thing that is wrong; None if nothing is."""
        return self.checker.wait_for(self.asked)


@contextmanager
def checking_there(
    link: Connection, again: float, contest: Contest, game: Game, see_to: Callable[[], None]
) -> Iterator[ClusterChecker]:
    """Have blocks looked at by the machines of a cluster; `see_to` is called while they do.

    The share `again` of them is looked at by two machines, or this host.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    venue = Venue(Terms(game, contest.rules), {}, 0, tell=_logger.warning)
    checker = ClusterChecker(loop, link, venue, contest, again, see_to)
    try:
        loop.run_until_complete(checker.open())
        yield checker
    finally:
        loop.run_until_complete(checker.close())
        asyncio.set_event_loop(None)
        loop.close()
