"""Standings as they change: one look, one computation and one text for all who watch a ladder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from enum import StrEnum
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.errors import ArenaError
from arena.site.play.ladders import Ladders
from arena.site.rules.people import NotThere
from arena.site.web import forms
from arena.site.web.boards import Boards
from arena.site.web.broadcast import Channel, Message, message

EVERY: Final = 2.0
"""Seconds between two looks whether a log has grown."""
ALIVE: Final = 15.0
"""Seconds after which streams without news are told that they are open."""
KIND: Final = "standings"
"""The kind of the events."""
NOT_BEGUN: Final = "0"
log = logging.getLogger("arena.site.streams")


class Told(StrEnum):
    """As what the standings are told."""

    PAGE = "page"
    JSON = "json"


class LiveStandings:
    """Tells all who listen how ladders stand; looks at no ladder to which nobody listens."""

    def __init__(self, ladders: Ladders, boards: Boards) -> None:
        self._ladders = ladders
        self._boards = boards
        self._channels: dict[tuple[str, Told], Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def messages(self, ladder: str, told: Told, has: str = "") -> AsyncGenerator[Message]:
        """Yield the standings of a ladder whenever they change, unless the listener has them."""
        channel = self._channels.get((ladder, told))
        if channel is None:
            channel = self._channels[ladder, told] = Channel()
            task = asyncio.create_task(self._tell(ladder, told, channel))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        async with aclosing(channel.messages(has)) as messages:
            async for each in messages:
                yield each

    def end(self) -> None:
        """Let all streams end."""
        for channel in self._channels.values():
            channel.end()
        for task in self._tasks:
            task.cancel()

    async def _tell(self, ladder: str, told: Told, channel: Channel) -> None:
        """Tell how a ladder stands for as long as somebody listens."""
        clock = asyncio.get_running_loop().time
        beaten = clock()
        try:
            while True:
                try:
                    newest = await run_in_threadpool(self._newest, ladder, told, channel.identity)
                    if newest is not None:
                        await channel.publish(newest)
                except NotThere:
                    return
                except (ArenaError, OSError) as error:
                    log.warning("%s: its standings are not told: %s", ladder, error)
                if clock() - beaten >= ALIVE:
                    beaten = clock()
                    await channel.beat()
                await asyncio.sleep(EVERY)
                if not channel.listeners:
                    return
        finally:
            del self._channels[ladder, told]
            channel.end()

    def _newest(self, name: str, told: Told, known: str) -> Message | None:
        """Return the standings as a message; None if they are those that are known."""
        ladder = self._ladders.get(name)
        if told is Told.PAGE:
            board = self._boards.of(ladder)
            if board.identity == known:
                return None
            return message(KIND, board.html, board.identity)
        overview = self._ladders.overview(ladder)
        head = overview.head if overview else NOT_BEGUN
        if head == known:
            return None
        found = forms.Standings(ladder=name, overview=overview)
        return message(KIND, msgspec.json.encode(found).decode(), head)
