"""A stream of server-sent events as an answer, for whoever has a place."""

from __future__ import annotations

import asyncio
import random
import struct
import zlib
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import aclosing
from typing import Final

from starlette.responses import Response
from starlette.types import Message as Part
from starlette.types import Receive, Scope, Send

from arena.errors import ArenaError
from arena.site.rules.places import NoPlace, Places
from arena.site.web.broadcast import Message

LONGEST: Final = 3600.0
"""Seconds after which a stream ends, or up to a quarter later; browsers open another."""
AGAIN: Final = (2000, 8000)
"""Milliseconds after which browsers do so: not all at the same time."""
LATER: Final = "60"
"""Seconds after which somebody for whom there was no place can try again."""
GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
GZIP_LAST: Final = b"\x03\x00"
"""An empty block, after which a compressed stream ends."""


class EventStream(Response):
    """Sends messages as they come."""

    def __init__(
        self,
        messages: AsyncGenerator[Message],
        places: Places,
        who: Hashable,
        refusal: Callable[[ArenaError], Response],
    ) -> None:
        self._messages = messages
        self._places = places
        self._who = who
        self._refusal = refusal
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, until the messages end, whoever asked has left, or it has taken long."""
        try:
            with self._places.taken(self._who):
                await self._answer(scope, receive, send)
        except NoPlace as error:
            refusal = self._refusal(error)
            refusal.headers["retry-after"] = LATER
            await refusal(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        sender = _Packed(send) if _takes_gzip(scope) else _Plain(send)
        if scope["method"] == "HEAD":
            await sender.begin()
            await sender.end()
            return
        own = asyncio.current_task()
        assert own is not None
        left = False

        async def watch() -> None:
            nonlocal left
            while (await receive())["type"] != "http.disconnect":
                pass
            left = True
            own.cancel()

        watching = asyncio.create_task(watch())
        try:
            # Chance spreads the ends of streams that began at the same time.
            async with asyncio.timeout(LONGEST * random.uniform(1, 1.25)):
                await sender.begin()
                async with aclosing(self._messages) as messages:
                    async for each in messages:
                        await sender.tell(each)
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            if not left:
                raise
            own.uncancel()
            return
        finally:
            watching.cancel()
        await sender.end()


class _Plain:
    """Sends messages as they are."""

    encoding: tuple[tuple[bytes, bytes], ...] = ()

    def __init__(self, send: Send) -> None:
        self._send = send

    async def begin(self) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"x-accel-buffering", b"no"),
            (b"vary", b"accept-encoding"),
            *self.encoding,
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.tell(Message(f"retry: {random.randint(*AGAIN)}\n\n".encode()))

    async def tell(self, message: Message) -> None:
        await self._send(_part(message.plain))

    async def end(self) -> None:
        await self._send(_part(b"", more=False))


class _Packed(_Plain):
    """Sends messages compressed: the same bytes to all, but for what stands at the end."""

    encoding = ((b"content-encoding", b"gzip"),)

    def __init__(self, send: Send) -> None:
        super().__init__(send)
        self._check = self._size = 0

    async def tell(self, message: Message) -> None:
        packed = message.packed if self._size else GZIP_HEAD + message.packed
        self._check = zlib.crc32(message.plain, self._check)
        self._size += len(message.plain)
        await self._send(_part(packed))

    async def end(self) -> None:
        last = GZIP_LAST + struct.pack("<II", self._check, self._size & 0xFFFFFFFF)
        await self._send(_part(last, more=False))


def _part(body: bytes, *, more: bool = True) -> Part:
    return {"type": "http.response.body", "body": body, "more_body": more}


def _takes_gzip(scope: Scope) -> bool:
    given = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    return any(
        each.partition(b";")[0].strip() == b"gzip" and b"q=0" not in each.replace(b" ", b"")
        for each in given.split(b",")
    )
