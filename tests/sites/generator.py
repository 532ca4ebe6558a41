"""A load: requests at moments that do not depend on the answers, and spectators who only listen.

It takes as little of its core as it can, as it may share that with the server.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

PATIENCE: Final = 30.0
"""Seconds after which an answer does not count as one any more."""
IDLE: Final = 10.0
"""Seconds for which a connection is kept that nobody needs; the server keeps it for longer."""
STILL: Final = 30.0
"""A spectator who has heard nothing for so many seconds has lost his stream."""


@dataclass(frozen=True)
class Request:
    """Something that is asked for."""

    kind: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    good: tuple[int, ...] = (200,)
    """The statuses of answers that are as they should be."""


@dataclass(frozen=True)
class Answered:
    """What became of a request."""

    kind: str
    seconds: float
    """From the moment at which it was due until the last byte of its answer."""
    wrong: str = ""
    """What is wrong with the answer."""


class Connection:
    """A connection on which one request follows another, as browsers and proxies have them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.used = time.monotonic()

    @classmethod
    async def open(cls, address: str) -> Connection:
        """Connect to a server."""
        where = urlsplit(address)
        return cls(*await asyncio.open_connection("127.0.0.1", where.port))

    async def ask(self, host: str, request: Request) -> tuple[int, int]:
        """Send a request; return the status and the size of its answer."""
        self._writer.write(head(host, request.path, request.headers))
        lines = (await self._reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        named = dict(line.split(b": ", 1) for line in lines[1:] if b": " in line)
        status = int(lines[0].split()[1])
        size = 0
        if named.get(b"transfer-encoding") == b"chunked":
            while part := int(await self._reader.readuntil(b"\r\n"), 16):
                await self._reader.readexactly(part + 2)
                size += part
            await self._reader.readexactly(2)
        else:
            size = int(named.get(b"content-length", b"0"))
            await self._reader.readexactly(size)
        if named.get(b"connection") == b"close":
            self.close()
        self.used = time.monotonic()
        return status, size

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        fresh = time.monotonic() - self.used < IDLE
        return fresh and not self._writer.is_closing() and not self._reader.at_eof()

    def close(self) -> None:
        """Close it."""
        self._writer.close()


class Spectator(asyncio.Protocol):
    """Somebody with an open stream, who takes what comes."""

    def __init__(self, host: str, request: Request) -> None:
        self._head = head(host, request.path, request.headers)
        self.began = self.last = time.monotonic()
        self.parts = 0
        self.size = 0
        self.status = b""
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._head)

    def data_received(self, data: bytes) -> None:
        if not self.parts:
            self.status = data[9:12]
        self.parts += 1
        self.size += len(data)
        self.last = time.monotonic()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    @property
    def wrong(self) -> str:
        """What is wrong with the stream; "" if nothing is."""
        if self.status != b"200":
            return f"was answered with {self.status.decode() or 'nothing'}"
        if self.lost:
            return "was cut off"
        quiet = time.monotonic() - self.last
        return f"was quiet for {quiet:.0f} s" if quiet > STILL else ""


class Load:
    """So many requests a second, and so many spectators."""

    def __init__(self, address: str, choose: Callable[[], Request], seed: int = 1) -> None:
        self.address = address
        self.host = urlsplit(address).netloc
        self.answered: list[Answered] = []
        self.spectators: list[Spectator] = []
        self._choose = choose
        self._chance = random.Random(seed)
        self._idle: list[Connection] = []
        self._under_way: set[asyncio.Task[None]] = set()

    async def watch(self, requests: Sequence[Request], at_once: int = 25) -> None:
        """Open streams, some at a time."""
        loop = asyncio.get_running_loop()
        port = urlsplit(self.address).port
        for start in range(0, len(requests), at_once):
            made = [
                loop.create_connection(
                    lambda each=each: Spectator(self.host, each), "127.0.0.1", port
                )
                for each in requests[start : start + at_once]
            ]
            self.spectators += [spectator for _, spectator in await asyncio.gather(*made)]
            await asyncio.sleep(0.1)

    async def ask(self, rate: float, seconds: float) -> None:
        """Ask for so long, at random moments; wait for the last answers."""
        due = time.monotonic()
        ends = due + seconds
        while (due := due + self._chance.expovariate(rate)) < ends:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            task = asyncio.create_task(self._ask(self._choose(), due))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        await asyncio.gather(*self._under_way)
        for each in self._idle:
            each.close()

    def leave(self) -> None:
        """Close all streams."""
        for each in self.spectators:
            each.transport.close()

    async def _ask(self, request: Request, due: float) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                status, _ = await self._answer(request)
            wrong = "" if status in request.good else f"{request.path}: {status}"
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            wrong = f"{request.path}: {error!r}"
        self.answered.append(Answered(request.kind, time.monotonic() - due, wrong))

    async def _answer(self, request: Request) -> tuple[int, int]:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                break
            connection.close()
        else:
            connection = await Connection.open(self.address)
        try:
            found = await connection.ask(self.host, request)
        except BaseException:
            connection.close()
            raise
        if connection.is_open:
            self._idle.append(connection)
        return found


def head(host: str, path: str, headers: Mapping[str, str]) -> bytes:
    """Return a request as it is sent."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()
