"""The pages of a ladder as text: the same data, wherever the pages lie."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.cli.arguments import plugins
from arena.ladder.source import games_in, open_source
from arena.pages.axis import Axis
from arena.pages.ladder_data import GamesPage
from arena.pages.ladder_pages import ORDERS, LadderPages
from arena.publishing._reading import read_ladder
from arena.publishing._selection import PlayedGame, Selection
from arena.publishing._tables import Tables
from ladder.fields import definition, run


@dataclass(frozen=True)
class ServerLinks:
    """Addresses such as a server could have."""

    def standings(self, order: str = "rank") -> str:
        return f"/l/test?by={order}"

    def pairs(self) -> str:
        return "/l/test/pairs"

    def tables(self) -> str:
        return "/l/test/tables"

    def bot(self, name: str) -> str:
        return f"/l/test/bots/{name}"

    def games(self) -> str:
        return "/l/test/games"

    def games_of(self, name: str) -> str:
        return f"/l/test/games?bot={name}"

    def games_page(self, number: int) -> str:
        return f"/l/test/games?page={number}"

    def replay(self, game: int, decision: int | None = None) -> str:
        return f"/l/test/replay/{game}"

    def trust(self) -> str:
        return "/l/test/trust"

    def log(self) -> str:
        return "/l/test/log"

    def published(self) -> str:
        return "/l/test/standings.json"

    def feed(self) -> str:
        return "/l/test/feed"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The data of a ladder that was played."""
    folder = tmp_path_factory.mktemp("ladder")
    run(definition(folder, games=30, tables=(3,)))
    game = plugins().games["castors"]
    reading = read_ladder(open_source(folder / "test.ladder"), game)
    selection = Selection(game, {})
    for record, times in games_in(reading.source):
        selection.add(PlayedGame(record, times), counts=True)
    return Tables(reading, selection, selection.with_replays())


def test_a_server_has_the_same_pages_at_its_own_addresses(tables: Tables) -> None:
    """All links of all pages are those that were given; nothing else leads anywhere."""
    pages, links = LadderPages(tables.head), ServerLinks()
    games = [tables.game(each.record) for each in tables.selection.latest]
    made = [
        *(pages.standings(tables.standings(None), order, links) for order in ORDERS),
        pages.pairs(tables.pairs(), links),
        pages.tables(tables.tables(), links),
        pages.trust(tables.trust(None), links),
        pages.games(GamesPage(None, games, (), ("ada",), (3,)), links),
        *(pages.bot(each, links) for each in tables.bots()),
    ]
    for page in made:
        found = re.findall(r'(?:href|src)="([^"]*)"', page)
        assert found
        assert all(link.startswith("/l/test") for link in found)


@pytest.mark.parametrize(
    ("order", "figure"),
    [
        ("skill", lambda row: -row.skill),
        ("place", lambda row: row.mean_place),
        ("bot", lambda row: row.bot),
    ],
)
def test_standings_are_sorted_as_their_head_says(
    tables: Tables, order: str, figure: object
) -> None:
    """One column at a time says that it is sorted, and its rows are in that order."""
    assert callable(figure)
    chosen = next(each for each in ORDERS if each.key == order)
    page = LadderPages(tables.head).standings(tables.standings(None), chosen, ServerLinks())
    assert len(re.findall("<th [^>]*aria-sort=", page)) == 1
    assert f'class="of-{order}" aria-sort="{chosen.sort}"' in page
    rows = re.findall(r'<th scope="row" class="of-bot"><a href="[^"]*">([^<]*)</a>', page)
    assert rows == [row.bot for row in sorted(tables.overview.standings, key=figure)]


def test_who_has_not_played_squeezes_nobodys_interval(tables: Tables) -> None:
    """Nothing is known of a newcomer's skill, so it is not drawn, and others' are no smaller."""
    found = tables.standings(None)
    *others, last = found.overview.standings
    known = replace(found, overview=structs.replace(found.overview, standings=tuple(others)))
    newcomer = structs.replace(last, games=0, skill_low=-90.0, skill_high=90.0)
    overview = structs.replace(found.overview, standings=(*others, newcomer))
    pages, links = LadderPages(tables.head), ServerLinks()
    plots = [
        re.findall(r'<svg class="plot".*?</svg>', pages.standings(each, ORDERS[0], links))
        for each in (known, replace(found, overview=overview))
    ]
    assert len(plots[0]) == len(others)
    assert plots[0] == plots[1]


def test_an_axis_holds_all_intervals_and_zero() -> None:
    """Its ends are round, zero is one of its ticks, and nothing lies beyond."""
    for intervals in ([], [(-0.2, 0.1)], [(-37.2, 4.0), (1.0, 90.5)], [(5.0, 6.0)]):
        axis = Axis.of(intervals)
        assert 0.0 in axis.ticks
        for low, high in intervals:
            assert 0 <= axis.at(low) <= axis.at(high) <= 1


def test_games_worth_a_look_are_those_of_the_log(tables: Tables) -> None:
    """The closest, the clearest, and each bot's best and worst, by a second count."""
    records = [each.record for each in tables.selection.latest]
    whole = [each for each in records if not each.faults]

    def spread(scores: tuple[int, ...]) -> int:
        return max(scores) - min(scores)

    def gap(scores: tuple[int, ...]) -> int:
        first, second, *_ = sorted(scores)
        return second - first

    chosen = tables.selection
    closest = [spread(each.record.game.scores) for each in chosen.closest.games]
    assert closest == sorted(spread(each.game.scores) for each in whole)[: len(closest)]
    clearest = [gap(each.record.game.scores) for each in chosen.clearest.games]
    assert clearest == sorted((gap(each.game.scores) for each in whole), reverse=True)[:10]
    for name, of in chosen.of_bots.items():
        places = sorted(
            each.game.places[seat]
            for each in records
            for seat, bot in enumerate(each.bots)
            if bot.name == name
        )
        shown = [
            each.record.game.places[[bot.name for bot in each.record.bots].index(name)]
            for each in of.worst.games
        ]
        assert shown == places[::-1][: len(shown)]


def test_few_replays_are_kept_where_many_games_are_worth_one(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The last games come first; of earlier ones each bot has its turn, up to a limit."""
    from arena.publishing import _selection

    monkeypatch.setattr(_selection, "MOST_OTHERS", 4)
    few = Selection(tables.reading.game, {})
    few.latest = type(few.latest)(maxlen=5)
    for each in tables.selection.latest:
        few.add(each, counts=True)
    numbers = list(few.with_replays())
    last = [each.record.number for each in tables.selection.latest][-5:]
    assert numbers[-5:] == last
    assert len(numbers) == 9
