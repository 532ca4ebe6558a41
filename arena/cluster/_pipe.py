"""Ask the referees of this machine: their process, and the questions under way to it."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from itertools import count

from arena.cluster import _messages as messages
from arena.errors import HostError
from arena.machine.own_program import own_program

ROOM = 1 << 20
"""How many bytes wait in the pipe before the next question waits."""
ENDED = "the process of the referees has ended; see its last line"


class RefereesEnded(HostError):
    """The process of the referees has ended."""


class Referees:
    """The process, started and asked from an event loop."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._tickets = count()
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self.ended = asyncio.Event()
        self._listening = asyncio.ensure_future(self._listen())

    @classmethod
    async def start(cls, name: str, sandbox: str, number: int) -> Referees:
        """Start so many referees; raise `HostError` if the sandbox does not hold here."""
        words = (*own_program("arena.cluster._referees"), name, sandbox, str(number))
        process = await asyncio.create_subprocess_exec(
            *words, stdin=PIPE, stdout=PIPE, limit=ROOM, start_new_session=True
        )
        return cls(process)

    async def ask(self, question: messages.Question) -> messages.Answer:
        """Return the answer; raise `RefereesEnded` if there is none."""
        return messages.read_answer(await self._ask(messages.written(question)))

    async def pass_on(self, question: bytes) -> bytes:
        """Return the answer to a question as it has come."""
        return await self._ask(question)

    async def _ask(self, question: bytes) -> bytes:
        if self.ended.is_set():
            raise RefereesEnded(ENDED)
        ticket = next(self._tickets)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = answer
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(messages.framed(ticket, question))
            await stdin.drain()
            return await answer
        except (ConnectionError, BrokenPipeError):
            raise RefereesEnded(ENDED) from None
        finally:
            self._waiting.pop(ticket, None)

    async def _listen(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                length, ticket = messages.head(await stdout.readexactly(messages.HEAD))
                data = await stdout.readexactly(length)
                waiting = self._waiting.get(ticket)
                if waiting is not None and not waiting.done():
                    waiting.set_result(data)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.ended.set()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(RefereesEnded(ENDED))

    async def close(self) -> None:
        """End the process, with its referees and their bots."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._listening
