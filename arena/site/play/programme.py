"""The programme of a ladder: which of its finished games are shown, the same to all who watch.

A ladder plays more games than anybody can watch. From time to time the newest one is added, so that
however many look on, few games are read and made. A game is finished when all rotations of its
block are in the log: then nobody plays its deal any more. It is read where its block stands in the
log, and nothing else of the log is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from threading import Lock
from typing import Final

from arena.errors import HostError
from arena.ladder.game_rows import GameRow, Place, block_at, newest_games
from arena.ladder.store_files import LOG
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed
from arena.records.game_record import GameRecord, rotated
from arena.site.play.ladders import Ladder, Ladders, LogState
from arena.site.rules.people import NotNow, NotThere

EVERY: Final = 15.0
"""Seconds at least between two games that are added."""
LISTED: Final = 24
"""How many games a programme has."""
AT_FIRST: Final = 12
"""How many games of earlier blocks are looked for when somebody comes after a long time."""
MOST_BYTES: Final = 4 << 20
"""Bytes of a log that are looked through for these."""
LARGEST: Final = 1 << 53
_KEY: Final = re.compile(r"(\d{1,16})-(\d{1,3})-(\d{1,16})", re.ASCII)


@dataclass(frozen=True)
class GameKey:
    """What a finished game is found by."""

    number: int
    """Its number in the log."""
    rotation: int
    start: int
    """Where the line of its block begins in the file of the log."""

    def __str__(self) -> str:
        return f"{self.number}-{self.rotation}-{self.start}"

    @classmethod
    def read(cls, text: str) -> GameKey:
        """Return the key in a text; raise `NotThere` if there is none."""
        found = _KEY.fullmatch(text)
        key = cls(*map(int, found.groups())) if found else None
        if key is None or str(key) != text or max(key.number, key.start) >= LARGEST:
            raise NotThere("there is no such game")
        return key


@dataclass(frozen=True)
class Finished:
    """A game of a programme."""

    key: GameKey
    row: GameRow


@dataclass(frozen=True)
class Programme:
    """The games that are shown of a ladder, the newest first."""

    ladder: str
    log: str
    """The commitment of the log that they are of."""
    games: tuple[Finished, ...]
    closed: bool
    """Whether no more follow."""
    paused: bool

    @property
    def identity(self) -> str:
        """What it is told apart by."""
        told = self.log, [str(each.key) for each in self.games], self.closed, self.paused
        return sha256(repr(told).encode()).hexdigest()[:16]

    def after(self, key: GameKey) -> Finished | None:
        """Return the game that follows on this one: the newest before it."""
        older = (each for each in self.games if each.key.number < key.number)
        return next(older, None)


@dataclass
class _Kept:
    """The last programme of a ladder."""

    programme: Programme | None = None
    end: int = -1
    """Up to where the log was known."""
    until: float = 0.0
    busy: Lock = field(default_factory=Lock)


class Programmes:
    """The programmes of all ladders. One is looked after only while somebody asks for it."""

    def __init__(self, ladders: Ladders, every: float = EVERY) -> None:
        self._ladders = ladders
        self._every = every
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()

    def of(self, ladder: Ladder) -> Programme:
        """Return the programme of a ladder; raise `NotNow` while its games are not shown."""
        state = self._log(ladder)
        with self._lock:
            kept = self._kept.setdefault(ladder.name, _Kept())
        known = kept.programme
        if known is not None and time.monotonic() < kept.until:
            return known
        if known is None:
            kept.busy.acquire()
        elif not kept.busy.acquire(blocking=False):
            return known  # somebody looks for news now
        try:
            if kept.programme is None or time.monotonic() >= kept.until:
                kept.programme = self._renewed(ladder, state, kept)
                kept.end, kept.until = state.end, time.monotonic() + self._every
            return kept.programme
        finally:
            kept.busy.release()

    def _renewed(self, ladder: Ladder, state: LogState, kept: _Kept) -> Programme:
        """Return the programme by what the log has now."""
        programme = kept.programme
        games = programme.games if programme and programme.log == state.commitment else ()
        games = tuple(each for each in games if each.key.start < state.end)  # it may be repaired
        if state.end != kept.end or not games:
            games = (*self._news(ladder, state, games), *games)[:LISTED]
        games = tuple(each for each in games if each.row.block not in state.annulled)
        return Programme(ladder.name, state.commitment, games, state.closed, state.paused)

    def record(self, ladder: Ladder, key: GameKey) -> GameRecord:
        """Return a finished game, read where it stands; raise `NotThere` if it is not there."""
        state = self._log(ladder)
        if key.start >= state.end:
            raise NotThere("there is no such game")
        try:
            block = block_at(ladder.store / LOG, key.start)
            return _record(block, key, state)
        except (Difference, IndexError):
            raise NotThere("there is no such game") from None
        except OSError as error:
            raise HostError(f"{ladder.name}: its log cannot be read: {error.strerror}") from None

    def _log(self, ladder: Ladder) -> LogState:
        state = self._ladders.log(ladder)
        if state is None:
            raise NotNow(f"{ladder.name} has not begun")
        if not state.shows_games:
            raise NotNow(f"the games of {ladder.name} are shown when it is closed")
        return state

    def _news(self, ladder: Ladder, state: LogState, known: tuple[Finished, ...]) -> list[Finished]:
        """Return the newest game; if none is known, one of each of the newest blocks."""
        newest = known[0].key.start if known else -1
        try:
            found = _one_of_each(ladder, state, newest)
            return list(islice(found, 1 if known else AT_FIRST))
        except (Difference, IndexError, OSError) as error:
            raise HostError(f"{ladder.name}: its log cannot be read: {error}") from None


def _one_of_each(ladder: Ladder, state: LogState, newest: int) -> Iterator[Finished]:
    """Yield a game of each block after this place, the newest first."""
    place = Place(state.end, state.games)
    for before, rows in newest_games(ladder.store / LOG, place, state.contestants, MOST_BYTES):
        if before.end <= newest:
            return
        if rows[0].block in state.annulled:
            continue
        # Not always the same rotation, as in each of them other seats begin.
        row = rows[rows[0].block % len(rows)]
        yield Finished(GameKey(row.number, row.rotation, before.end), row)


def _record(block: BlockPlayed, key: GameKey, state: LogState) -> GameRecord:
    """Return a game of a block; `NotThere` for a number that it cannot have.

    At tables of several sizes there are several that it could have. Who changes a link can give
    a game a wrong number, and nothing else.
    """
    first, tables = key.number - key.rotation, state.contest.tables
    possible = block.number * min(tables) <= first <= block.number * max(tables)
    if key.rotation >= len(block.games) or not possible:
        raise NotThere("there is no such game")
    players = rotated(block.contestants, key.rotation)
    return GameRecord(
        number=key.number,
        contest=state.contest,
        sandbox="",  # the log says it elsewhere
        block=block.number,
        rotation=key.rotation,
        attempt=block.attempt,
        key=bytes.fromhex(block.key),
        players=players,
        bots=[state.contestants[number] for number in players],
        game=block.games[key.rotation],
    )
