"""Operations of the programs' interface for those who watch games that have just finished."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import field
from starlette.responses import Response

from arena.ladder.game_rows import GameRow
from arena.records.entries import Form
from arena.site.play.programme import EVERY, GameKey, Programme
from arena.site.web.asking import address_of
from arena.site.web.operation import Call, Operation
from arena.site.web.sending import sent


class FinishedGame(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A game that is shown."""

    key: str
    """What it is asked for by, and linked to."""
    row: GameRow


class FinishedGames(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Games of a ladder that have just finished, the newest first: some of them, for all alike."""

    ladder: str
    games: tuple[FinishedGame, ...]
    closed: bool
    """Whether no more follow."""
    paused: bool
    every: int
    """Seconds at least between two that are added."""


class SeatForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Who sat in a seat, and how the game ended for him."""

    name: str
    version: str
    digest: str
    points: int
    place: int
    verdict: str
    micros: int | None


class GameReplay(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A game, step by step, as replay pages draw it.

    What is told and what lies in a zone comes with the viewers that it is for, as a sum of powers
    of two by their place among `viewers`. A step has what has changed.
    """

    game: str
    number: int
    period: str
    plotted: str
    low_wins: bool = field(name="lowWins")
    about: tuple[tuple[str, str], ...]
    seats: tuple[SeatForm, ...]
    viewers: tuple[int | None, ...]
    """Seats; null is somebody who sees everything."""
    suits: tuple[tuple[str, str], ...]
    seat_zones: tuple[tuple[Any, ...], ...] = field(name="seatZones")
    shared_zones: tuple[tuple[Any, ...], ...] = field(name="sharedZones")
    facts: tuple[tuple[str, str], ...]
    faces: tuple[tuple[str, int, str], ...]
    """Text, suit and name of every card and symbol, which steps name by number."""
    steps: tuple[dict[str, Any], ...]
    """`told`: what happened, in words; `z`: zones that have changed; `p`: the period; `by`: whose
    move it is; at a decision also `d`, its number, `s`, the seat, `k`, its kind, `note` and
    `faults`."""


def programme_form(programme: Programme) -> FinishedGames:
    """Return a programme as programs see it."""
    return FinishedGames(
        ladder=programme.ladder,
        games=tuple(FinishedGame(key=str(each.key), row=each.row) for each in programme.games),
        closed=programme.closed,
        paused=programme.paused,
        every=int(EVERY),
    )


async def programme(call: Call) -> Response:
    """Games that have just finished."""
    found = await call.site.finished_games.programme(call.ladder)
    text = msgspec.json.encode(programme_form(found))
    return sent(call.request, text, "application/json", found.identity)


async def game(call: Call) -> Response:
    """A finished game."""
    key = GameKey.read(call.part("key"))
    who = address_of(call.request, call.site.settings)
    shown = await call.site.finished_games.game(call.ladder, key, who)
    return sent(call.request, shown.data.encode(), "application/json", str(key), shown.packed)


WATCH_OPERATIONS: Final = (
    Operation(
        "GET", "/ladders/{ladder}/watch", "Games of a ladder that have just finished",
        FinishedGames, None, answer=programme,
    ),
    Operation(
        "GET", "/ladders/{ladder}/watch/{key}", "A finished game, step by step", GameReplay,
        None, answer=game,
    ),
)  # fmt: skip
