"""Finished games as they are watched: each is made once, for all who look at it.

Making a game's data plays the game again. So one is made at a time, whoever asks for the same one
waits for it, and the last ones are kept. What is in the programme is made for everybody; for any
other game there are few places.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, TypeAlias

from starlette.concurrency import run_in_threadpool

from arena.errors import HostError
from arena.games.game import Game
from arena.pages.replay_data import Json, ReplayData
from arena.pages.replay_page import data_text, story
from arena.records.difference import Difference
from arena.records.game_record import GameRecord
from arena.site.play.ladders import Ladder, Ladders
from arena.site.play.programme import GameKey, Programme, Programmes
from arena.site.rules.places import Places
from arena.site.web.templates import fragment

PAGES: Final = 16
"""How many pages with a game are kept, such as that of the newest."""
KEPT: Final = 64
"""How many games are kept as they are sent, with 100 to 200 kB each."""
OTHERS: Final = 8
OTHERS_EACH: Final = 2
"""How many can wait for games that are not in a programme, in all and of one address."""


@dataclass(frozen=True)
class ShownGame:
    """A finished game as it is sent."""

    key: GameKey
    title: str
    data: str
    """Its data in JSON, which can stand within a script element."""
    packed: bytes
    """The same, compressed."""
    told: str
    """The game in words, as a part of a page."""


Place: TypeAlias = tuple[str, GameKey]
"""The commitment of a log, and a game in it."""
KeptPage: TypeAlias = tuple[str, bytes, bytes]
"""What a page is told apart by, the page, and the same compressed."""


class FinishedGames:
    """Makes games, one at a time, and keeps the last."""

    def __init__(self, ladders: Ladders, programmes: Programmes) -> None:
        self._ladders = ladders
        self._programmes = programmes
        self._kept: OrderedDict[Place, ShownGame] = OrderedDict()
        self._making: dict[Place, asyncio.Task[ShownGame]] = {}
        self._pages: OrderedDict[tuple[str, GameKey, str], KeptPage] = OrderedDict()
        self._one = asyncio.Lock()
        self._others = Places(OTHERS, OTHERS_EACH, "games are made")

    async def programme(self, ladder: Ladder) -> Programme:
        """Return the programme of a ladder; raise `NotNow` while its games are not shown."""
        return await run_in_threadpool(self._programmes.of, ladder)

    async def game(self, ladder: Ladder, key: GameKey, who: Hashable) -> ShownGame:
        """Return a game as it is sent.

        Raise `NotThere` if there is none, `NotNow` while the ladder's games are not shown, and
        `NoPlace` if too many ask for what few look at.
        """
        programme = await self.programme(ladder)  # what is kept may not be shown any more
        place = programme.log, key
        kept = self._kept.get(place)
        if kept is not None:
            self._kept.move_to_end(place)
            return kept
        if any(each.key == key for each in programme.games):
            return await self._made(ladder, place)
        with self._others.taken(who):
            return await self._made(ladder, place)

    def page(
        self, ladder: Ladder, programme: Programme, game: ShownGame, make: Callable[[], str]
    ) -> KeptPage:
        """Return the page with a game and a programme; it is made if nobody has asked before."""
        place = ladder.name, game.key, programme.identity
        kept = self._pages.get(place)
        if kept is None:
            data = make().encode()
            identity = sha256(data).hexdigest()[:16]
            kept = self._pages[place] = identity, data, gzip.compress(data, 6, mtime=0)
            while len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        return kept

    async def _made(self, ladder: Ladder, place: Place) -> ShownGame:
        """Have a game made, or wait for it if it is made for somebody else."""
        making = self._making.get(place)
        if making is None:
            making = self._making[place] = asyncio.create_task(self._make(ladder, place))
            making.add_done_callback(lambda _: self._making.pop(place, None))
        return await asyncio.shield(making)  # who leaves meanwhile takes it from nobody

    async def _make(self, ladder: Ladder, place: Place) -> ShownGame:
        async with self._one:
            made = await run_in_threadpool(self._shown, ladder, place[1])
        self._kept[place] = made
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    def _shown(self, ladder: Ladder, key: GameKey) -> ShownGame:
        record = self._programmes.record(ladder, key)
        game = self._ladders.games[record.contest.game]
        try:
            found = replayed(record, game)
        except Difference as difference:
            raise HostError(f"{ladder.name}, game {key.number}: {difference}") from None
        data = data_text(found)
        told = fragment("game_told.html", game=found, story=story(found))
        title = f"{found['game']}, game {key.number}"
        return ShownGame(key, title, data, gzip.compress(data.encode(), 6, mtime=0), told)


def replayed(record: GameRecord, game: Game) -> Json:
    """Return the data of a game's page, as everybody and each of its seats saw it."""
    return ReplayData(record, game, [None, *range(record.seats)]).as_map()
