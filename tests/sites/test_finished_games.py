"""Games that have just finished, for everybody: which are shown, from where, and when not."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.discovery import discover
from arena.errors import ArenaError
from arena.ladder.game_rows import block_at
from arena.ladder.source import games_in, open_source
from arena.ladder.store_files import LOG
from arena.pages.replay_data import ReplayData
from arena.records.difference import Difference
from arena.site.folder import SiteFolder
from arena.site.play.ladders import Ladder, Ladders
from arena.site.play.programme import GameKey, Programmes
from arena.site.rules.people import NotNow, NotThere
from arena.site.rules.places import NoPlace
from arena.site.web import finished_games
from arena.site.web.finished_games import FinishedGames
from command import arena

from .conftest import Serve
from .served import Served, awaited
from .test_spectators import SETTINGS, Watched

pytestmark = pytest.mark.source_only
LADDER = """\
game = "gargon"
tables = [3, 4]
sandbox = "none"
{publish}
contestants = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]

[budget]
games = 24
"""


class Finished:
    """A folder with a ladder that plays when it is told to, and no server."""

    def __init__(self, path: Path, publish: str = "") -> None:
        folder = SiteFolder(path)
        folder.make()
        self.file = folder.ladders / "friday.toml"
        self.store = folder.ladders / "friday.ladder"
        self.file.write_text(LADDER.format(publish=publish))
        self.play()
        self.ladders = Ladders(folder, discover())
        self.programmes = Programmes(self.ladders, every=0.0)

    @property
    def ladder(self) -> Ladder:
        """The ladder."""
        return self.ladders.get("friday")

    def play(self, games: int = 0) -> None:
        """Play until there are so many games; by default as many as the definition says."""
        words = ("--games", str(games)) if games else ()
        done = arena("ladder", "run", str(self.file), "--store", str(self.store), *words, limit=600)
        assert done.code == 0, done.err

    def until(self, wanted: Callable[[], bool]) -> None:
        """Wait for what is known a short time after it is played."""
        deadline = time.monotonic() + 300
        while not wanted():
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A ladder that has played 24 games, or a few more."""
    return Finished(tmp_path_factory.mktemp("finished") / "own")


def test_the_newest_come_first_and_one_of_each_block(finished: Finished) -> None:
    """Whoever watches sees another deal in every game, and the same as all others."""
    programme = finished.programmes.of(finished.ladder)
    numbers = [each.key.number for each in programme.games]
    assert numbers == sorted(numbers, reverse=True)
    blocks = [each.row.block for each in programme.games]
    assert blocks == list(range(blocks[0], blocks[0] - len(blocks), -1))
    with_all = {record.number: record for record, _ in games_in(open_source(finished.store))}
    assert max(with_all) - numbers[0] < 4
    assert len({each.key.rotation for each in programme.games}) > 1
    for each in programme.games:
        record = finished.programmes.record(finished.ladder, each.key)
        played = with_all[each.key.number]
        assert (record.game, record.key, record.bots) == (played.game, played.key, played.bots)
        assert (record.block, record.rotation) == (played.block, played.rotation)


def test_a_game_is_read_where_it_stands(finished: Finished, tmp_path: Path) -> None:
    """In a log of months nothing is read but the game that is shown."""
    key = finished.programmes.of(finished.ladder).games[0].key
    log = tmp_path / LOG
    shutil.copy(finished.store / LOG, log)
    block = block_at(log, key.start)
    with log.open("r+b") as file:
        file.write(b"\0" * (key.start - 1))  # all that comes before is gone
    assert block_at(log, key.start) == block
    for wrong in (0, key.start - 1, key.start + 1, log.stat().st_size, 1 << 40):
        with pytest.raises(Difference):
            block_at(log, wrong)


def test_few_games_are_added_however_many_are_played(tmp_path: Path) -> None:
    """A ladder that plays hundreds a minute does not have the site make them all."""
    finished = Finished(tmp_path / "own")
    before = finished.programmes.of(finished.ladder)
    finished.play(80)

    def grown() -> bool:
        return finished.programmes.of(finished.ladder).games[0] != before.games[0]

    finished.until(grown)
    after = finished.programmes.of(finished.ladder)
    assert len(set(after.games) - set(before.games)) == 1
    assert after.games[0].key.number > before.games[0].key.number + 20
    assert after.identity != before.identity
    assert finished.programmes.of(finished.ladder) == after  # the log is as it was
    annulled = after.games[0].row.block
    words = (str(annulled), "--reason", "to see it go")
    done = arena("ladder", "annul", str(finished.store), *words)
    assert done.code == 0, done.err
    finished.until(
        lambda: (
            annulled
            not in {each.row.block for each in finished.programmes.of(finished.ladder).games}
        )
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda key: GameKey(key.number, key.rotation, key.start + 1),
        lambda key: GameKey(key.number, key.rotation, 0),
        lambda key: GameKey(key.number, key.rotation, 1 << 50),
        lambda key: GameKey(key.number + 900, key.rotation, key.start),
        lambda key: GameKey(key.number, 200, key.start),
        lambda key: GameKey(0, key.rotation + 1, key.start),
    ],
)
def test_no_key_leads_elsewhere(change: Callable[[GameKey], GameKey], finished: Finished) -> None:
    """Whoever changes a link finds no game; in no case does the site fail."""
    key = finished.programmes.of(finished.ladder).games[-1].key
    with pytest.raises(NotThere):
        finished.programmes.record(finished.ladder, change(key))


@pytest.mark.parametrize("text", ["", "1", "1-2", "1-2-3-4", "01-0-3", "-1-0-3", "1-0-9" * 9, "x"])
def test_what_is_no_key_is_no_game(text: str) -> None:
    """A link that was cut is told so."""
    with pytest.raises(NotThere):
        GameKey.read(text)


def test_nothing_is_shown_before_the_close_where_that_is_promised(tmp_path: Path) -> None:
    """With `publish = "after-close"` nobody learns a move or a note while the ladder goes on."""
    finished = Finished(tmp_path / "own", 'publish = "after-close"')
    with pytest.raises(NotNow, match="when it is closed"):
        finished.programmes.of(finished.ladder)
    with pytest.raises(NotNow):
        finished.programmes.record(finished.ladder, GameKey(0, 0, 0))
    done = arena("ladder", "close", str(finished.store), "--yes")
    assert done.code == 0, done.err

    def shown() -> bool:
        try:
            return finished.programmes.of(finished.ladder).closed
        except NotNow:
            return False

    finished.until(shown)
    assert finished.programmes.of(finished.ladder).games


class Counted(FinishedGames):
    """Finished games, with how often one was made."""

    made = 0

    def _shown(self, *words: Any) -> Any:
        self.made += 1
        return super()._shown(*words)


def test_five_hundred_who_look_on_cost_as_much_as_one(finished: Finished) -> None:
    """A game is made once, also for all who ask while it is made."""
    games = Counted(finished.ladders, finished.programmes)
    keys = [each.key for each in finished.programmes.of(finished.ladder).games[:3]]

    async def watch() -> None:
        for key in keys:
            asked = (games.game(finished.ladder, key, f"somebody {at}") for at in range(500))
            shown = await asyncio.gather(*asked)
            assert len({id(each) for each in shown}) == 1
            data = gzip.decompress(shown[0].packed).decode()
            assert data == shown[0].data
            assert len(shown[0].packed) < 40_000
            assert await games.game(finished.ladder, key, "later") is shown[0]

    awaited(watch())
    assert games.made == len(keys)


def test_few_wait_for_what_few_look_at(finished: Finished, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for all games of a ladder takes from nobody what everybody watches."""
    monkeypatch.setattr(finished_games, "KEPT", 1)
    games = FinishedGames(finished.ladders, finished.programmes)
    shown = finished.programmes.of(finished.ladder).games
    others = []
    for each in shown:
        for rotation in range(len(each.row.bots)):
            number = each.key.number - each.key.rotation + rotation
            others.append(GameKey(number, rotation, each.key.start))
    others = [key for key in others if all(key != each.key for each in shown)]

    async def ask() -> None:
        wanted = [games.game(finished.ladder, key, "greedy") for key in others[:6]]
        found = await asyncio.gather(*wanted, return_exceptions=True)
        assert sum(isinstance(each, NoPlace) for each in found) == 4
        wanted = [games.game(finished.ladder, key, key.number) for key in others[:20]]
        found = await asyncio.gather(
            *wanted, games.game(finished.ladder, shown[0].key, 0), return_exceptions=True
        )
        assert sum(isinstance(each, NoPlace) for each in found[:-1]) >= 1
        assert not isinstance(found[-1], ArenaError | Exception)

    awaited(ask())


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A site with a ladder of two sizes."""
    folder = tmp_path_factory.mktemp("watched") / "own"
    folder.mkdir(mode=0o700)
    (folder / "site.toml").write_text(SETTINGS.format(all=8, each=8))
    served = Served(folder)
    yield Watched(served, LADDER.format(publish=""))
    served.remove()


def test_programs_and_people_see_the_same(watched: Watched) -> None:
    """The interface has the games of the page, each as `arena replay html` would have it."""
    visitor = watched.site.visitor()
    programme = visitor.call("GET", "/ladders/friday/watch").json
    assert programme["games"]
    records = {record.number: record for record, _ in games_in(open_source(watched.store))}
    game = discover().games["gargon"]
    for each in programme["games"][:3]:
        found = visitor.call("GET", f"/ladders/friday/watch/{each['key']}").json
        record = records[each["row"]["number"]]
        whole = ReplayData(record, game, [None, *range(record.seats)]).as_map()
        assert found["steps"] == plain(whole["steps"])
        assert [seat["name"] for seat in found["seats"]] == list(each["row"]["bots"])
    page = visitor.get("/ladders/friday/watch")
    assert page.status == 200
    assert "What happened" in page.text
    for each in programme["games"]:
        assert f"?game={each['key']}" in page.text
    assert "on a page of their own" in visitor.get("/ladders/friday").text.lower()


def test_what_a_browser_has_is_not_sent_again(watched: Watched) -> None:
    """Five hundred who look every quarter of a minute are answered in a few bytes."""
    visitor = watched.site.visitor()
    key = visitor.call("GET", "/ladders/friday/watch").json["games"][0]["key"]
    for path in (
        "/api/v1/ladders/friday/watch",
        f"/api/v1/ladders/friday/watch/{key}",
        f"/ladders/friday/watch?game={key}",
        "/assets/watch.js",
        "/ladders/friday/watch.css",
    ):
        packed = visitor.send("GET", path, b"", {"Accept-Encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip", path
        assert gzip.decompress(packed.body) == visitor.get(path).body
        assert len(packed.body) < 60_000
        again = visitor.send("GET", path, b"", {"If-None-Match": packed.headers["etag"]})
        assert (again.status, again.body) == (304, b"")


def test_a_ladder_without_games_says_so(serve: Serve) -> None:
    """Nobody is shown an empty table, or a failure."""
    served = serve(settings="play = false\n")
    (served.folder / "ladders" / "friday.toml").write_text(LADDER.format(publish=""))
    visitor = served.visitor()
    page = visitor.get("/ladders/friday/watch")
    assert page.status == 200
    assert "There is nothing to watch yet" in page.text
    assert visitor.call("GET", "/ladders/friday/watch").status == 409
    assert visitor.get("/ladders/nope/watch").status == 404
    for key in ("", "0-0-0", "x"):
        assert visitor.get(f"/ladders/friday/watch?game={key}").status in (200, 404)
    assert "Watch games" not in visitor.get("/ladders/friday").text


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples are lists."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
