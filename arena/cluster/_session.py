"""The host's side of a run on a cluster: it hands out blocks, and takes sound results.

All of it runs in one event loop, which turns only while somebody waits for results.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import replace
from random import SystemRandom
from time import monotonic
from typing import Any

from msgspec import structs

from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Cluster, Venue
from arena.cluster import _messages as messages
from arena.cluster._arbiter import Arbiter
from arena.cluster._connection import Connection
from arena.cluster._dispatch import Dispatch, Disputed, Settled
from arena.cluster._job import job_of
from arena.cluster._judgement import Judgement, judgement
from arena.cluster._machines import LOOK, Machine, Machines, expected, read
from arena.cluster._pacing import Pacing
from arena.cluster._result_checks import ResultChecks
from arena.cluster._shelf import Shelf
from arena.records.times import Comparison
from arena.wording import counted

READ = 8
"""Answers that are read and checked at a time: read, they take eight times as much memory."""


class Session:
    """One run on a cluster."""

    def __init__(
        self,
        link: Connection,
        cluster: Cluster,
        venue: Venue,
        blocks: Iterator[Block],
        checks: ResultChecks,
    ) -> None:
        self._venue = venue
        self._again = cluster.again
        self._random = SystemRandom()
        self._job = job_of(venue, cluster)
        self._places = {each.digest: at for at, each in enumerate(self._job.programs)}
        self._pacing = Pacing(len(venue.bots), max(venue.terms.game.players))
        self._dispatch = Dispatch(blocks, self._pacing.window, self._is_doubled)
        self._machines = Machines(link, self._job, venue, self)
        self._checks = checks
        self._reading = asyncio.Semaphore(READ)
        self._unsteady: set[str] = set()
        """The digests of bots that do not repeat themselves."""
        self._shelf = Shelf()
        self._idle: deque[tuple[Machine, asyncio.Future[list[Block]]]] = deque()
        """What machines are free for, in the order in which they asked."""
        self._looked = 0.0
        self._disputes: set[asyncio.Task[None]] = set()
        self._arbiter = Arbiter(venue, self._job)
        self.starts = 0
        self.status = ""
        """What is there, and what is under way, in a few words; as of the last second."""

    @property
    def done(self) -> bool:
        """Whether all blocks are played."""
        return self._dispatch.done and not self._shelf

    async def open(self) -> None:
        """Begin to look for machines."""
        self._machines.open()

    async def results(self) -> list[BlockResult]:
        """Return what has come in the order of the blocks; after a second also if nothing has."""
        await self._machines.wait()
        now = monotonic()
        if now - self._looked > LOOK:
            self._looked = now
            self._look(now)
        return self._shelf.take(next(iter(self._dispatch.under_way), None))

    def _look(self, now: float) -> None:
        """See what has changed since the last look, about a second ago."""
        under_way = counted(len(self._dispatch.under_way), "block")
        self.status = f"{self._machines.text}, {under_way} under way"
        self._follow(self._dispatch.expect(self._machines.expected))
        for number in self._dispatch.late(now, self._pacing.usual) if self._idle else ():
            self._lend(number, now)

    async def close(self) -> None:
        """End what is under way here and on the machines."""
        for task in self._disputes:
            task.cancel()
        await asyncio.gather(*self._disputes, return_exceptions=True)
        await self._machines.close()
        await self._arbiter.close()

    def ready(self, machine: Machine) -> Sequence[Coroutine[Any, Any, None]]:
        """Give a machine blocks from now on."""
        self._dispatch.expect(self._machines.expected)
        self._dispatch.join(machine.name)
        questions = self._pacing.join(machine.name, machine.referees)
        self._dispatch.window = self._pacing.window
        return [self._hand(machine) for _ in range(questions)]

    def gone(self, machine: Machine) -> None:
        """Let others play what a machine had."""
        self._pacing.leave(machine.name)
        self._follow(self._dispatch.expect(self._machines.expected))
        self._follow(self._dispatch.leave(machine.name))

    def _refuse(self, machine: str, reason: str) -> None:
        """Count nothing more of a machine that was wrong."""
        self._follow(self._dispatch.refuse(machine))
        self._machines.refuse(machine, reason)

    async def _hand(self, machine: Machine) -> None:
        """Keep one batch after the other under way on a machine."""
        while machine.hands and (blocks := await self._blocks_for(machine)):
            question = messages.Play(
                job=self._job.id,
                blocks=tuple(messages.sent(block, self._places) for block in blocks),
            )
            data = await self._machines.data(machine.address, question, plays=True)
            async with self._reading:
                await self._take(machine, blocks, expected(messages.Played, read(data)))

    async def _blocks_for(self, machine: Machine) -> list[Block]:
        """Wait for blocks for a machine, and return them; none when all are played."""
        free: asyncio.Future[list[Block]] = asyncio.get_running_loop().create_future()
        self._idle.append((machine, free))
        self._hand_out()
        return await free

    def _hand_out(self) -> None:
        """Give blocks to those that wait for some, as long as there are any.

        Nobody looks for himself: where a thousand wait, each result would have them all look.
        """
        now = monotonic()
        for _ in range(len(self._idle)):
            if not self._dispatch.has_some:
                break
            machine, free = self._idle.popleft()
            if free.done():
                continue  # the machine has gone
            blocks = self._dispatch.take(machine.name, self._pacing.most(machine.name), now)
            if blocks:
                free.set_result(blocks)
            else:
                self._idle.append((machine, free))
        if self._dispatch.done:
            for _, free in self._idle:
                if not free.done():
                    free.set_result([])
            self._idle.clear()

    async def _take(self, machine: Machine, blocks: list[Block], played: messages.Played) -> None:
        """Check the results of a machine, and see what follows from them."""
        asked = {block.number: block for block in blocks}
        if sorted(asked) != sorted(result.number for result in played.results):
            got = [result.number for result in played.results][:5]
            self._refuse(machine.name, f"asked for blocks {sorted(asked)[:5]}, sent {got}")
            return
        self._pacing.took(machine.name, played.seconds / len(blocks))
        self._dispatch.window = self._pacing.window
        order = [asked[result.number] for result in played.results]
        unsound = await self._checks.first_unsound(played.results, order)
        for result in played.results if unsound is None else played.results[: unsound.at]:
            self.starts += result.times.starts
            # Who is wrong is for this host to say.
            times = structs.replace(result.times, machine=machine.name, compared=())
            found = self._dispatch.arrived(machine.name, replace(result, times=times))
            if found is not None:
                self._follow([found])
        if unsound is not None:
            number = played.results[unsound.at].number
            text = f"its result of block {number} does not follow the rules: {unsound.reason}"
            self._refuse(machine.name, text)

    def _lend(self, number: int, now: float) -> None:
        """Have a block that is late played by somebody else as well, if anybody is free."""
        for _ in range(len(self._idle)):
            machine, free = self._idle.popleft()
            if free.done():
                continue
            blocks = self._dispatch.take_over(number, machine.name, now)
            if blocks:
                free.set_result(blocks)
                return
            self._idle.append((machine, free))

    def _follow(self, found: list[Settled | Disputed]) -> None:
        """See to what follows from results, or from who is there."""
        for each in found:
            if isinstance(each, Disputed):
                task = asyncio.ensure_future(self._machines.guarded(self._decide(each)))
                self._disputes.add(task)
                task.add_done_callback(self._disputes.discard)
            else:
                compared = tuple(Comparison(machine=name) for name in each.same)
                self._count(each.result, compared)
        self._hand_out()

    async def _decide(self, disputed: Disputed) -> None:
        """Play a block here, and see whose result is right."""
        verdict = await self._judgement(disputed)
        wrong = tuple(verdict.wrong)
        compared = tuple(
            Comparison(machine=name, differs=verdict.differs, wrong=wrong)
            for name in disputed.results
            if name != verdict.counts.times.machine
        )
        self._dispatch.settle(disputed.block.number, verdict.counts)
        self._count(verdict.counts, compared)
        for name, there in verdict.wrong.items():
            text = f"block {disputed.block.number} went otherwise there than on this host, twice"
            self._refuse(name, f"{text}: {there}")
        self._follow([])

    async def _judgement(self, disputed: Disputed) -> Judgement:
        """Play a block twice on the cards of each attempt that a result is of."""
        sent = messages.sent(disputed.block, self._places)
        played = {
            each.attempt: await self._arbiter.play(
                structs.replace(sent, broken_off=each.times.attempts)
            )
            for each in disputed.results.values()
        }
        found = judgement(disputed, played, self._job.contest, self._venue.terms.game)
        self._unsteady |= found.unsteady
        return found

    def _count(self, result: BlockResult, compared: tuple[Comparison, ...]) -> None:
        if compared:
            times = structs.replace(result.times, compared=compared)
            result = replace(result, times=times)
        self._shelf.add(result)
        self._machines.arrived.set()

    def _is_doubled(self, block: Block) -> bool:
        if self._random.random() >= self._again:
            return False
        return not any(each.digest in self._unsteady for each in block.contestants + block.swapped)
