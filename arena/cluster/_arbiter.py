"""The host as an arbiter: it plays a block itself where the results of machines differ."""

from __future__ import annotations

import asyncio
from pathlib import Path

from arena.blocks.block import BlockResult
from arena.blocks.runner import RunnerFailed, Venue
from arena.cluster import _messages as messages
from arena.cluster._parcels import write_parcel
from arena.cluster._pipe import Referees
from arena.sandbox.left_folders import temporary_folder

NAME = "the host"
TRIES = 5
"""How often a block is begun at most, if attempts at it are broken off here, too."""


class Arbiter:
    """Plays blocks on this host; its process is started when it is first needed."""

    def __init__(self, venue: Venue, job: messages.Job) -> None:
        self._venue = venue
        self._job = job
        self._referees: Referees | None = None
        self._one_at_a_time = asyncio.Lock()

    async def play(self, block: messages.SentBlock) -> list[BlockResult]:
        """Return the results of a block that is played twice, on the cards of the same attempt.

        There are fewer if stalls of this host break off one attempt after the other.
        """
        async with self._one_at_a_time:
            referees = await self._ready()
            found: list[BlockResult] = []
            for _ in range(TRIES):
                answer = await referees.ask(messages.Play(job=self._job.id, blocks=(block,)))
                if not isinstance(answer, messages.Played):
                    raise self._failed(answer)
                found += (one for one in answer.results if one.attempt == len(block.broken_off))
                if len(found) == 2:
                    break
            return found

    async def close(self) -> None:
        """End its process."""
        if self._referees is not None:
            await self._referees.close()

    async def _ready(self) -> Referees:
        if self._referees is not None:
            return self._referees
        referees = await Referees.start(NAME, self._venue.terms.sandbox.name, 1)
        self._referees = referees
        lacks = await self._take(referees)
        with temporary_folder("parcels") as folder:
            for identity in lacks.digests:
                await self._hand_over(referees, identity, folder / identity)
        if lacks.digests:
            await self._take(referees)
        return referees

    async def _take(self, referees: Referees) -> messages.Lacks:
        answer = await referees.ask(messages.TakeJob(job=self._job))
        if not isinstance(answer, messages.Lacks):
            raise self._failed(answer)
        return answer

    async def _hand_over(self, referees: Referees, identity: str, path: Path) -> None:
        built = next(each.built for each in self._job.programs if each.digest == identity)
        write_parcel(self._venue.bots[identity], path, built=built)
        answer = await referees.ask(
            messages.TakeParcel(
                job=self._job.id, digest=identity, at=0, data=path.read_bytes(), last=True
            )
        )
        if not isinstance(answer, messages.Done):
            raise self._failed(answer)

    def _failed(self, answer: messages.Answer) -> RunnerFailed:
        reason = answer.reason if isinstance(answer, messages.Failed) else str(answer)
        return RunnerFailed(f"this host cannot play a block that two machines differ on: {reason}")
