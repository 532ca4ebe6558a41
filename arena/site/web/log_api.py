"""Operations of the programs' interface for everybody who checks a ladder: its games, its log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from arena.errors import HostError
from arena.ladder.game_rows import GameFilter, GameRow, Place, newest_games
from arena.ladder.log_file import START
from arena.ladder.store_files import LOG
from arena.records.difference import Difference
from arena.records.verdicts import MEANINGS
from arena.site.play.ladders import Ladder, LogState
from arena.site.rules.people import NotNow, NotThere, NotUnderstood
from arena.site.rules.places import NoPlace, Places
from arena.site.web import log_forms
from arena.site.web.asking import address_of
from arena.site.web.operation import Call, Operation, Query, failure

MOST_GAMES: Final = 500
"""Games that are sent at a time."""
MOST_BYTES: Final = 2 << 20
"""Bytes of a log that are looked through at a time for games."""
PART: Final = 1 << 18
PATIENCE: Final = 60.0
"""Seconds in which somebody who downloads a log has to take the next part of it."""
HEAD: Final = "x-arena-head"
"""The header with the head of the log up to where it is sent."""


def games(call: Call) -> log_forms.GameList:
    """Games, the newest first: those of a part of the log, and where the next part is."""
    ladder = call.ladder
    state = _published(call, ladder)
    wanted = _wanted(call, state)
    most = call.count("limit") or MOST_GAMES
    at = _place(call, state)
    found: list[GameRow] = []
    try:
        for before, rows in newest_games(ladder.store / LOG, at, state.contestants, MOST_BYTES):
            found += filter(wanted.takes, rows)  # whole blocks, so that one can go on after them
            at = before
            if len(found) >= min(most, MOST_GAMES):
                break
    except (Difference, IndexError, OSError) as error:
        raise HostError(f"{ladder.name}: its log cannot be read: {error}") from None
    rest = f"{at.end}-{at.games}" if at.games > 0 else None
    return log_forms.GameList(ladder=ladder.name, games=tuple(found), next=rest)


def _published(call: Call, ladder: Ladder) -> LogState:
    """Return what the log of a ladder has; raise `Refused` if that is nobody's business yet."""
    state = call.site.ladders.log(ladder)
    if state is None:
        raise NotNow(f"{ladder.name} has not begun")
    if not state.shows_games:
        raise NotNow(f"the games and the log of {ladder.name} are published when it is closed")
    return state


def _wanted(call: Call, state: LogState) -> GameFilter:
    bot, verdict = call.text("bot"), call.text("verdict")
    known = sorted({each.name for each in state.contestants})
    if bot is not None and bot not in known:
        raise NotThere(f"bot: expected one of {', '.join(known[:50])}")
    if verdict is not None and verdict not in MEANINGS:
        raise NotUnderstood(f"verdict: expected one of {', '.join(MEANINGS)}")
    return GameFilter(
        bot=bot,
        verdict=verdict,
        faults=call.text("faults") == "true",
        seats=call.count("seats"),
        place=call.count("place"),
    )


def _place(call: Call, state: LogState) -> Place:
    """Return from where on games are wanted: the end, or what an earlier answer had as `next`."""
    text = call.text("before")
    if text is None:
        return Place(state.end, state.games)
    end, _, number = text.partition("-")
    good = all(each.isascii() and each.isdecimal() and len(each) < 16 for each in (end, number))
    if not good or int(end) > state.end or int(number) > state.games:
        raise NotUnderstood("before: expected what an earlier answer has as `next`")
    return Place(int(end), int(number))


def send_log(call: Call) -> Response:
    """Send the log of a ladder from an entry on, as `arena ladder export` writes it."""
    ladder = call.ladder
    state = _published(call, ladder)
    after = call.count("after") or 0
    if after > state.entries:
        raise NotUnderstood(f"after: the log has {state.entries} entries")
    log = ladder.store / LOG
    try:
        start = _end_of(log, after)
    except OSError as error:
        raise HostError(f"{ladder.name}: its log cannot be read: {error.strerror}") from None
    places = call.site.downloading, address_of(call.request, call.site.settings)
    return LogResponse(ladder.name, log, state, start, state.entries - after, *places)


def _end_of(log: Path, lines: int) -> int:
    """Return where so many lines of a file end."""
    end = 0
    with log.open("rb") as file:
        while lines and (part := file.read(PART)):
            count = part.count(b"\n")
            if count < lines:
                lines -= count
                end += len(part)
                continue
            at = -1
            for _ in range(lines):
                at = part.index(b"\n", at + 1)
            return end + at + 1
    return end


class LogResponse(Response):
    """The entries of a log from a place on, a line each, without what only its store needs."""

    media_type = "application/x-ndjson"

    def __init__(
        self,
        name: str,
        path: Path,
        state: LogState,
        start: int,
        lines: int,
        places: Places,
        who: str,
    ) -> None:
        self._places = places
        self._who = who
        self._path = path
        self._start = start
        self._end = state.end
        headers = {
            HEAD: f"{state.entries}:{state.root}",
            "content-length": str(state.end - start - lines * START),
            "content-disposition": f'attachment; filename="{name}.jsonl"',
        }
        super().__init__(None, headers=headers)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Send them, if there is a place for whoever asks."""
        try:
            with self._places.taken(self._who):
                await self._send(send)
        except NoPlace as error:
            await failure(error)(scope, receive, send)

    async def _send(self, send: Send) -> None:
        start = {
            "type": "http.response.start",
            "status": self.status_code,
            "headers": self.raw_headers,
        }
        try:
            await send(start)
            with self._path.open("rb") as file:
                file.seek(self._start)
                while part := await run_in_threadpool(self._next, file):
                    message = {"type": "http.response.body", "body": part, "more_body": True}
                    await asyncio.wait_for(send(message), PATIENCE)
            await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            return  # somebody takes nothing any more; the server closes what is not complete

    def _next(self, file: BinaryIO) -> bytes:
        """Return the next lines, without their checks; none that has come since."""
        left = self._end - file.tell()
        # Lines are read until they are longer than the hint.
        lines = file.readlines(min(PART, left) - 1) if left else []
        return b"".join(line[START:] for line in lines)


LOG_OPERATIONS: Final = (
    Operation(
        "GET", "/ladders/{ladder}/games", "Games of a ladder, the newest first",
        log_forms.GameList, games,
        query=(
            Query("bot", "string"), Query("verdict", "string"), Query("faults", "boolean"),
            Query("seats"), Query("place"), Query("limit"), Query("before", "string"),
        ),
    ),
    Operation(
        "GET", "/ladders/{ladder}/log", "The log of a ladder, from an entry on",
        log_forms.GameList, None, send=send_log, sends="application/x-ndjson",
        query=(Query("after"),),
    ),
)  # fmt: skip
