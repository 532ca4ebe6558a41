"""The data of replays, made in several processes; a game that is made once is never made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

from arena.games.game import Game
from arena.machine.worker_processes import worker_processes
from arena.pages.links import REPLAYS, Links
from arena.pages.replay_data import ReplayData
from arena.pages.replay_page import data_page
from arena.publishing._selection import PlayedGame
from arena.records.canonical import canonical_bytes
from arena.records.difference import Difference
from arena.referee.verification import check_game
from arena.version import VERSION

CHUNK = 8
"""Games that a process makes at a time."""


class DoesNotHold(Exception):
    """A game that does not follow the rules; the text says where."""


def replay_name(number: int) -> str:
    """Return the name of the file with a game's data."""
    return f"{REPLAYS}/{number}.html"


def replay_key(played: PlayedGame) -> str:
    """Return what the data of a game follows from, but for its record, which never changes."""
    times = canonical_bytes(played.times) if played.times else b""
    return sha256(_program().encode() + times).hexdigest()[:32]


def replay_pages(
    games: Mapping[int, PlayedGame], game: Game, links: Links, workers: int
) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of these games, and the pages with their data.

    Raise `DoesNotHold` at a game that cannot be played again as it stands in the log.
    """
    numbers = list(games)
    chunks = [numbers[at : at + CHUNK] for at in range(0, len(numbers), CHUNK)]
    if workers == 1 or len(chunks) <= 1:
        _prepare(games, game, links)
        for chunk in chunks:
            yield from _made(chunk)
        return
    with worker_processes(min(workers, len(chunks)), _prepare, games, game, links) as pool:
        for made in pool.map(_made, chunks):
            yield from made


@cache
def _program() -> str:
    """What makes the data: with another program it is made again."""
    sources = sorted(
        (each.name, each.read_bytes())
        for each in files("arena.pages").iterdir()
        if each.name.endswith(".py")
    )
    return VERSION + sha256(repr(sources).encode()).hexdigest()


_work: tuple[Mapping[int, PlayedGame], Game, Links]


def _prepare(games: Mapping[int, PlayedGame], game: Game, links: Links) -> None:
    global _work  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    _work = games, game, links


def _made(numbers: Sequence[int]) -> list[tuple[int, bytes]]:
    games, game, links = _work
    found = []
    for number in numbers:
        record, times = games[number].record, games[number].times
        try:
            check_game(record, game)
            data = ReplayData(record, game, [None, *range(record.seats)], times).as_map()
        except Difference as difference:
            difference.number = number
            raise DoesNotHold(str(difference)) from None
        found.append((number, data_page(data, links.replay(number)).encode()))
    return found


Report = Callable[[int, int], None]
"""Called with how many replays are made, and how many there are to make."""
