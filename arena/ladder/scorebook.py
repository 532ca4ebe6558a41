"""The scorebook: everything that is derived from the log of games, block by block."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from arena.ladder._export_schema import check_timings
from arena.ladder.rating import Ratings, Tally
from arena.ladder.results import Results
from arena.ladder.store import Store, StoreError
from arena.programs.contestant import Contestant
from arena.records.difference import Difference, malformed
from arena.records.record import Record
from arena.records.record_schema import check_played
from arena.wording import brief

CACHE = "scorebook"

LoggedGame = tuple[Record, Mapping[str, Any]]
"""A record and its timings, which are empty if they are not known."""


class Scorebook:
    """Ratings and results up to some point of the log."""

    def __init__(self, contestants: Sequence[Contestant]) -> None:
        self.ratings = Ratings(len(contestants))
        self.results = Results()
        self.tables: dict[int, Tally] = {}
        """The counts for skills, by table size."""
        self.games = 0
        self._numbers = {each.digest: number for number, each in enumerate(contestants)}

    def add_block(self, games: Sequence[LoggedGame]) -> None:
        """Count all games of a block."""
        outcomes = []
        for record, timings in games:
            players = tuple(self._numbers[bot["digest"]] for bot in record["bots"])
            outcomes.append((players, tuple(record["places"])))
            self.results.add(players, record, timings)
        self.ratings.add_block(outcomes)
        self.tables.setdefault(len(outcomes[0][0]), Tally()).add(outcomes)
        self.games += len(games)

    def state(self) -> dict[str, Any]:
        """Return all state as plain data."""
        return {
            "games": self.games,
            "ratings": self.ratings.state(),
            "results": self.results.state(),
            "tables": [[size, tally.state()] for size, tally in self.tables.items()],
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any], contestants: Sequence[Contestant]) -> Scorebook:
        """Return the scorebook that gave this state, with room for those who came later."""
        book = cls(contestants)
        book.games = state["games"]
        book.ratings = Ratings.from_state(state["ratings"])
        book.ratings.grow(len(contestants))
        book.results = Results.from_state(state["results"])
        book.tables = {size: Tally.from_state(tally) for size, tally in state["tables"]}
        return book


def scorebook(store: Store) -> Scorebook:
    """Return the scorebook of a store: the saved one, with the games since then added."""
    book = _kept(store) or Scorebook(store.contestants())
    known = {contestant.digest for contestant in store.contestants()}
    logged = (_logged_game(store.path, known, *game) for game in store.log(book.games))
    for block in blocks(logged):
        book.add_block(block)
    return book


def _logged_game(path: Path, known: Collection[str], record: object, timings: object) -> LoggedGame:
    """Parse a game of the log; raise `StoreError` unless it has everything that is counted."""
    if not isinstance(record, str) or not isinstance(timings, str):
        raise StoreError(f"{path}: damaged: a game is no text")
    try:
        played, times = json.loads(record), json.loads(timings)
        check_timings(times, check_played(played))
        for bot in played["bots"]:
            if bot["digest"] not in known:
                raise malformed("bots", brief(bot["digest"]), "the digest of a contestant")
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path}: damaged: a game is no JSON: {error}") from None
    except Difference as difference:
        raise StoreError(f"{path}: damaged: {difference}") from None
    return played, times


def _kept(store: Store) -> Scorebook | None:
    """Return the scorebook saved in a store, or None if this version cannot use it."""
    try:
        kept = store.kept(CACHE)
        return None if kept is None else Scorebook.from_state(kept[1], store.contestants())
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def keep(store: Store, book: Scorebook) -> None:
    """Save a scorebook, so that the next one does not have to start from the first game."""
    store.keep(CACHE, book.games, book.state())


def blocks(games: Iterable[LoggedGame]) -> Iterator[list[LoggedGame]]:
    """Yield the games of a log, block by block."""
    for _, block in groupby(games, key=lambda game: game[0]["deal"]["block"]):
        yield list(block)
