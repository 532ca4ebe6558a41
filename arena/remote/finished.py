"""Games of a site's ladder that have just finished, one after the other, the newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from arena.ladder.game_rows import GameRow
from arena.remote.client import Client, SiteRefused

LEAST: Final = 5
"""Seconds between two looks for another game, whatever a site says."""
NOT_THERE: Final = 404


class FinishedGame(Struct, frozen=True):
    """A game that is shown, and what it is asked for by."""

    key: str
    row: GameRow


class FinishedGames(Struct, frozen=True):
    """The games that a site shows of a ladder, the newest first."""

    games: tuple[FinishedGame, ...]
    closed: bool
    every: int
    """Seconds at least between two that are added."""


class Replay(Struct, frozen=True):
    """A game, step by step; see `arena.pages.replay_data`."""

    game: str
    number: int
    seats: tuple[dict[str, Any], ...]
    faces: tuple[tuple[str, int, str], ...]
    steps: tuple[dict[str, Any], ...]


def finished_games(
    client: Client, ladder: str, wait: Callable[[float], object]
) -> Iterator[Replay]:
    """Yield games of a ladder as they are taken: always the newest that was not yielded before.

    `wait` is called with seconds while there is none. It ends when the ladder is closed.
    """
    path = f"/ladders/{quote(ladder, safe='')}/watch"
    seen: set[str] = set()
    while True:
        found = client.get(path, FinishedGames)
        new = next((each for each in found.games if each.key not in seen), None)
        if new is not None:
            seen.add(new.key)
            try:
                yield client.get(f"{path}/{quote(new.key, safe='')}", Replay)
            except SiteRefused as refused:
                if refused.status != NOT_THERE:  # else it has gone meanwhile
                    raise
        elif found.closed:
            return
        else:
            wait(max(LEAST, found.every))


def as_data(replay: Replay) -> dict[str, Any]:
    """Return a game as the pages have it."""
    found: dict[str, Any] = msgspec.to_builtins(replay)
    return found
