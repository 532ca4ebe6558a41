"""Broadcast: what is told to all who listen is made once, and kept once.

What is told is how things stand. So a listener who is slow misses what came meanwhile, gets the
newest when he is ready for it, and nothing is kept for him.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

AT_ONCE: Final = 32
"""Listeners that are woken before others who wait for the server have their turn."""


@dataclass(frozen=True)
class Message:
    """A message of a stream of server-sent events."""

    plain: bytes
    identity: str = ""
    """What its content is told apart by."""

    @cached_property
    def packed(self) -> bytes:
        """The message compressed, such that any others can come before it and after it."""
        packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(zlib.Z_FULL_FLUSH)


BEAT: Final = Message(b": still there\n\n")
"""Says that a stream is there although nothing is new."""


def message(kind: str, content: str, identity: object) -> Message:
    """Return the message of an event."""
    lines = "".join(f"data: {line}\n" for line in content.splitlines()) or "data:\n"
    text = f"event: {kind}\nid: {identity}\n{lines}\n"
    return Message(text.encode(), str(identity))


class Channel:
    """The newest message for all who listen."""

    def __init__(self) -> None:
        self.listeners = 0
        self._newest: Message | None = None
        self._number = 0
        """How many messages there were."""
        self._waiting: set[asyncio.Future[None]] = set()
        self._beats = 0
        self._ended = False

    @property
    def identity(self) -> str:
        """What the newest message is told apart by; "" if there was none."""
        return self._newest.identity if self._newest else ""

    async def publish(self, newest: Message) -> None:
        """Tell all who listen that this is the newest."""
        self._newest = newest
        self._number += 1
        await self._wake()

    async def beat(self) -> None:
        """Tell all who have the newest that the stream is there."""
        self._beats += 1
        await self._wake()

    def end(self) -> None:
        """Let all streams end."""
        self._ended = True
        for each in self._waiting:
            each.set_result(None)
        self._waiting = set()

    async def messages(self, has: str = "") -> AsyncGenerator[Message]:
        """Yield the newest message, unless the listener has this one, and all that follow."""
        seen = 0
        if self._newest is not None and self._newest.identity == has:
            seen = self._number
        beats = self._beats
        self.listeners += 1
        try:
            while not self._ended:
                if self._newest is not None and seen != self._number:
                    seen, beats = self._number, self._beats
                    yield self._newest
                elif beats != self._beats:
                    beats = self._beats
                    yield BEAT
                else:
                    await self._news()
        finally:
            self.listeners -= 1

    async def _news(self) -> None:
        news = asyncio.get_running_loop().create_future()
        self._waiting.add(news)
        try:
            await news
        finally:
            self._waiting.discard(news)

    async def _wake(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for number, each in enumerate(waiting, 1):
            if not each.done():  # its listener may have left
                each.set_result(None)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
