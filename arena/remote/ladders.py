"""What a site tells everybody of its ladders: which there are, how they stand, their games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urlencode

from msgspec import Struct

from arena.errors import ArenaError
from arena.ladder.game_rows import GameFilter, GameRow
from arena.ladder.overview import Overview
from arena.remote.client import Client

AT_A_TIME: Final = 500
"""Games that are asked for at a time, at the most."""


class Ladder(Struct, frozen=True):
    """A ladder of a site."""

    name: str
    game: str
    tables: tuple[int, ...]
    begun: bool
    takes_submissions: bool


class LadderList(Struct, frozen=True):
    """All ladders of a site."""

    ladders: tuple[Ladder, ...]


class Standings(Struct, frozen=True):
    """How a ladder stands; there is no overview before it has begun."""

    ladder: str
    overview: Overview | None


class Games(Struct, frozen=True):
    """Games of a part of a log, the newest first, and from where on the next part is."""

    games: tuple[GameRow, ...]
    next: str | None


class UnknownLadder(ArenaError):
    """No ladder was named, and there is not just one."""


def ladders(client: Client) -> tuple[Ladder, ...]:
    """Return all ladders of a site."""
    return client.get("/ladders", LadderList).ladders


def chosen(client: Client, name: str | None) -> str:
    """Return the name of a ladder: this one, or the only one that the site has."""
    if name is not None:
        if "/" in name or name in ("", ".", ".."):
            raise UnknownLadder(f"expected the name of a ladder, got {name!r}")
        return name
    names = [each.name for each in ladders(client)]
    if len(names) == 1:
        return names[0]
    known = f"one of {', '.join(names)}" if names else "but the site has none"
    raise UnknownLadder(f"{client.address}: expected the name of a ladder, {known}")


def standings(client: Client, ladder: str) -> Overview | None:
    """Return how a ladder stands; None before it has begun."""
    return client.get(f"/ladders/{quote(ladder, safe='')}/standings", Standings).overview


def games(client: Client, ladder: str, wanted: GameFilter) -> Iterator[GameRow]:
    """Yield the games of a ladder that are looked for, the newest first, as they are taken."""
    given = {
        "bot": wanted.bot,
        "verdict": wanted.verdict,
        "faults": "true" if wanted.faults else None,
        "seats": wanted.seats,
        "place": wanted.place,
        "limit": AT_A_TIME,
    }
    query = {key: value for key, value in given.items() if value is not None}
    path = f"/ladders/{quote(ladder, safe='')}/games"
    before: dict[str, str] = {}
    while True:
        found = client.get(f"{path}?{urlencode({**query, **before})}", Games)
        yield from found.games
        if found.next is None:
            return
        before = {"before": found.next}
