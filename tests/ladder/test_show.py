"""What a ladder shows: standings that a second count confirms, games, and replays."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from itertools import combinations, groupby, pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

from arena.cli.ladder.board import Board
from arena.ladder.rating import Ratings
from arena.ladder.run import Progress
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from command import arena, arena_here, assert_refused, on_a_terminal
from ladder.fields import definition, export, games_of, run
from records.recorded import head

pytestmark = pytest.mark.source_only


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that was played."""
    place = tmp_path_factory.mktemp("ladder")
    run(definition(place, games=100))
    return place


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict[str, Any]]:
    """Its games."""
    return games_of(export(folder))


def shown(folder: Path, *words: str) -> Any:
    """What a command shows, for programs."""
    done = arena_here("ladder", *words, "--json", cwd=folder)
    assert done.code == 0, done.err
    return done.json


def test_standings_agree_with_a_count_by_hand(folder: Path, records: list[dict[str, Any]]) -> None:
    """Games, wins, mean place, score and share of every bot, counted again from the log."""
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    places: Counter[str] = Counter()
    scores: Counter[str] = Counter()
    beaten: defaultdict[str, float] = defaultdict(float)
    met: Counter[str] = Counter()
    for record in records:
        names = [bot["name"] for bot in record["bots"]]
        result = dict(zip(names, record["places"], strict=True))
        for name, score in zip(names, record["scores"], strict=True):
            games[name] += 1
            wins[name] += result[name] == 1
            places[name] += result[name]
            scores[name] += score
        for one, other in combinations(names, 2):
            met[one] += 1
            met[other] += 1
            if result[one] == result[other]:
                beaten[one] += 0.5
                beaten[other] += 0.5
            else:
                beaten[one if result[one] < result[other] else other] += 1
    rows = shown(folder, "show")["standings"]
    assert len(rows) == 5
    for row in rows:
        name = row["bot"]
        assert row["games"] == games[name]
        assert row["wins"] == wins[name]
        assert row["mean_place"] == pytest.approx(places[name] / games[name], abs=1e-5)
        assert row["mean_score"] == pytest.approx(scores[name] / games[name], abs=1e-5)
        assert row["share"] == pytest.approx(beaten[name] / met[name], abs=1e-5)
        assert row["skill_low"] < row["skill"] < row["skill_high"]
        assert row["rank_best"] <= row["rank"] <= row["rank_worst"]
        assert row["rating"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-4)
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)


def test_results_by_table_and_seat_add_up(folder: Path, records: list[dict[str, Any]]) -> None:
    """Split up, the games and wins are those of the whole; seats are taken equally often."""
    rows = {row["bot"]: row for row in shown(folder, "show")["standings"]}
    for by in ("table", "seat"):
        split = shown(folder, "show", "--by", by)
        for name, row in rows.items():
            parts = [part for part in split if part["bot"] == name]
            assert sum(part["games"] for part in parts) == row["games"]
            assert sum(part["wins"] for part in parts) == row["wins"]
    seats = {(part["table"], part["seat"], part["games"]) for part in split}
    assert len(seats) == 3 + 4


def test_skills_at_a_table_are_those_of_its_games(
    folder: Path, records: list[dict[str, Any]]
) -> None:
    """Whoever asks who is better at tables of three need not hold a ladder for it."""
    rows = [row for row in shown(folder, "show", "--by", "table") if row["table"] == 3]
    names = [row["bot"] for row in rows]
    alone = Ratings()
    for _, games in groupby(records, key=lambda record: record["block"]):
        block = [([names.index(bot["name"]) for bot in g["bots"]], g["places"]) for g in games]
        if len(block) == 3:
            alone.add_block(block)
    for standing in alone.standings():
        row = rows[standing.contestant]
        assert row["skill"] == pytest.approx(standing.skill.value, abs=1e-5)
        assert row["skill_low"] == pytest.approx(standing.skill.low, abs=1e-5)
        assert row["skill_high"] == pytest.approx(standing.skill.high, abs=1e-5)
    assert [row["skill"] for row in rows] == sorted((row["skill"] for row in rows), reverse=True)


def test_pairs_mirror_each_other(folder: Path) -> None:
    """What one has won of the other is what that one has not; certainty likewise."""
    cells = {(cell["bot"], cell["against"]): cell for cell in shown(folder, "show", "--pairs")}
    assert len(cells) == 5 * 4
    for (a, b), cell in cells.items():
        other = cells[b, a]
        assert cell["meetings"] == other["meetings"]
        assert cell["share"] + other["share"] == pytest.approx(1, abs=1e-5)
        for key in ("confidence_above", "probability_above"):
            assert cell[key] + other[key] == pytest.approx(1, abs=1e-5)
        assert cell["difference"] == -other["difference"]
        assert cell["difference_low"] == -other["difference_high"] < cell["difference"]
        assert cell["margin_difference_low"] < cell["margin_difference"]


def test_margins_count_by_how_much_one_was_ahead(
    folder: Path, records: list[dict[str, Any]]
) -> None:
    """The skill by margins is the fit of what each is ahead by, on the game's scale."""
    rows = shown(folder, "show")["standings"]
    names = [row["bot"] for row in rows]
    alone = Ratings(5)
    for _, games in groupby(records, key=lambda record: record["block"]):
        block, margins = [], []
        for record in games:
            block.append(([names.index(bot["name"]) for bot in record["bots"]], record["places"]))
            scores = record["scores"]  # in Gang de Castors the lowest is the best
            won = [[NormalDist().cdf((b - a) / 5) for b in scores] for a in scores]
            margins.append([sum(row) - 0.5 for row in won])
        alone.add_block(block, margins)
    skills = alone.skills(margins=True)
    for number, row in enumerate(rows):
        assert row["margin_skill"] == pytest.approx(skills.points[number], abs=1e-5)
        assert row["margin_skill_low"] == pytest.approx(skills.low[number], abs=1e-5)
        assert row["margin_skill_high"] == pytest.approx(skills.high[number], abs=1e-5)
        assert row["margin_skill"] != row["skill"]


def test_one_bot_is_compared_with_each_of_the_others(folder: Path) -> None:
    """A difference has an interval of its own, and is that of the two skills."""
    skills = {row["bot"]: row["skill"] for row in shown(folder, "show")["standings"]}
    rows = shown(folder, "show", "--against", "bob")
    assert {row["against"] for row in rows} == {"ada", "cid", "dot", "eve"}
    for row in rows:
        assert row["bot"] == "bob"
        gap = skills["bob"] - skills[row["against"]]
        assert row["difference"] == pytest.approx(gap, abs=2e-6)
        assert row["difference_low"] < row["difference"] < row["difference_high"]
        assert row["margin_difference_low"] < row["margin_difference_high"]
        closer = abs(row["probability_above"] - 0.5) < abs(row["confidence_above"] - 0.5)
        assert closer  # bots that all play by chance are about equal
    text = arena_here("ladder", "show", "--against", "bob", cwd=folder).out
    for word in ("difference", "95 %", "better", "margins", "eve"):
        assert word in text
    refused = arena_here("ladder", "show", "--against", "zoe", cwd=folder)
    assert_refused(refused, "--against: expected one of ada, bob", "got 'zoe'")
    assert_refused(
        arena_here("ladder", "show", "--against", "bob", "--pairs", cwd=folder),
        "--pairs or --against",
    )


def test_the_history_of_a_bot_ends_where_it_stands(folder: Path) -> None:
    """Its points are evenly spaced, meet more and more, and the last is today's skill."""
    [only] = shown(folder, "show", "--history", "cid")
    points = only["points"]
    assert 10 <= len(points) <= 24
    for key in ("blocks", "meetings"):
        values = [point[key] for point in points]
        assert values == sorted(set(values))
    widths = [point["skill_high"] - point["skill_low"] for point in points]
    assert widths[-1] < widths[0] / 2
    row = next(row for row in shown(folder, "show")["standings"] if row["bot"] == "cid")
    assert points[-1]["skill"] == row["skill"]
    assert points[-1]["skill_low"] == row["skill_low"]


def test_spreadsheets_get_the_same_figures(folder: Path) -> None:
    """CSV has the columns and values of JSON."""
    rows = shown(folder, "show")["standings"]
    text = arena_here("ladder", "show", "--csv", cwd=folder).out
    read = list(csv.DictReader(io.StringIO(text)))
    assert [row["bot"] for row in read] == [row["bot"] for row in rows]
    assert [float(row["mu"]) for row in read] == [row["mu"] for row in rows]


def test_standings_for_people_have_it_all(folder: Path) -> None:
    """A table that fits a wide terminal, with what deals and log can be recognised by."""
    lines = arena_here("ladder", "show", cwd=folder).out.splitlines()
    assert max(map(len, lines)) <= 160
    for word in ("rank", "rating", "95 %", "mean place", "share", "faults", "ms/decision"):
        assert word in lines[2]
    assert lines[-3] == 'deals from the seed "practice"'
    log = export(folder).splitlines()
    assert lines[-2] == f"head of the log: {head(log)}"
    assert lines[-1] == "sandbox: none"


def test_games_are_found(folder: Path, records: list[dict[str, Any]]) -> None:
    """Filters and orders give the games that they say."""
    everything = shown(folder, "games", "--limit", "1000")
    assert [game["number"] for game in everything] == [record["number"] for record in records]
    assert [game["scores"] for game in everything] == [record["scores"] for record in records]
    own = shown(folder, "games", "--bot", "ada", "--limit", "1000")
    assert [game["number"] for game in own] == [
        record["number"] for record in records if "ada" in [bot["name"] for bot in record["bots"]]
    ]
    worst = shown(folder, "games", "--bot", "ada", "--sort", "worst", "--limit", "3")
    for game in worst:
        assert game["places"][game["bots"].index("ada")] == len(game["bots"])
    last = [
        game["scores"][game["bots"].index("ada")]
        for game in own
        if game["places"][game["bots"].index("ada")] == len(game["bots"])
    ]
    scores = [game["scores"][game["bots"].index("ada")] for game in worst]
    assert scores == sorted(last, reverse=True)[:3]  # in Gang de Castors the lowest score wins
    best = shown(folder, "games", "--bot", "ada", "--sort", "best", "--place", "1")
    scores = [game["scores"][game["bots"].index("ada")] for game in best]
    assert scores == sorted(scores)
    assert len(set(scores)) > 1
    fours = shown(folder, "games", "--seats", "4", "--limit", "1000")
    assert {len(game["bots"]) for game in fours} == {4}
    assert shown(folder, "games", "--faults") == []
    assert_refused(
        arena_here("ladder", "games", "--bot", "zoe", cwd=folder), "expected one of ada, bob"
    )
    assert_refused(arena_here("ladder", "games", "--sort", "worst", cwd=folder), "need --bot")


def test_a_game_of_a_ladder_can_be_replayed(folder: Path, records: list[dict[str, Any]]) -> None:
    """`arena replay show` takes a store or an export, and the number of a game."""
    export(folder)
    for name in ("test.ladder", "test.ladder.jsonl"):
        told = arena_here("replay", "show", name, "--game", "37", "--json", cwd=folder)
        assert told.code == 0, told.err
        assert told.json["scores"] == records[37]["scores"]
    assert_refused(
        arena_here("replay", "verify", "test.ladder", cwd=folder),
        "see `arena ladder verify test.ladder`",
    )


def test_an_export_is_not_written_into_a_store_nor_played_on(folder: Path) -> None:
    """Neither the log of a ladder nor its export becomes something else by a slip."""
    export(folder)
    before = {
        path: path.read_bytes()
        for path in (folder / "test.ladder" / "log", folder / "test.ladder.jsonl")
    }
    slip = ("ladder", "export", "test.ladder", "--output", "test.ladder/log")
    assert_refused(arena_here(*slip, cwd=folder), "test.ladder/log: lies in the store")
    match = ("play", "castors", "random", "random", "--append", "--record")
    assert_refused(arena_here(*match, "test.ladder.jsonl", cwd=folder), "is the log of a ladder")
    assert_refused(arena_here(*match, "test.ladder/log", cwd=folder), "line 1", "does not hold")
    assert before == {path: path.read_bytes() for path in before}
    assert not (folder / "test.ladder.times.jsonl").exists()


def test_a_narrow_terminal_gets_the_main_figures_whole(folder: Path) -> None:
    """At 80 columns no word is broken: some columns are left out, and it is said so."""
    text = on_a_terminal("ladder", "show", cwd=folder, columns=80).decode()
    for word in ("rank", "rating", "95 %", "games", "share", "shows more"):
        assert word in text
    assert "mean place" not in text


def test_a_wide_terminal_draws_the_intervals(folder: Path) -> None:
    """Each lies on one axis as its figures say, with zero; there is none where it is not wide."""
    rows = shown(folder, "show")["standings"]
    text = on_a_terminal("ladder", "show", cwd=folder, columns=200).decode()
    drawn = [line for line in text.splitlines() if "●" in line]
    assert len(drawn) == len(rows)
    low, high = (find(rows, key) for key in ("skill_low", "skill_high"))
    for sign, key in (("├", "skill_low"), ("●", "skill"), ("┤", "skill_high")):
        places = {
            row[key]: line.index(sign)
            for row, line in zip(rows, drawn, strict=True)
            if sign in line
        }
        ordered = [places[value] for value in sorted(places)]
        assert ordered == sorted(ordered), key
    assert drawn[low].index("├") < drawn[high].rindex("┤" if "┤" in drawn[high] else "●")
    assert any("┊" in line for line in drawn)
    narrow = on_a_terminal("ladder", "show", cwd=folder, columns=80).decode()
    piped = arena_here("ladder", "show", cwd=folder).out
    assert "●" not in narrow + piped


def find(rows: list[dict[str, Any]], key: str) -> int:
    """Which row has the least of these low ends, or the most of these high ones."""
    choose = min if key == "skill_low" else max
    return rows.index(choose(rows, key=lambda row: float(row[key])))


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder with a bot that was changed twice while it went on."""
    place = tmp_path_factory.mktemp("changed")
    assert arena("bot", "new", "mine", "--game", "castors", cwd=place).code == 0
    path = definition(place, bots=("ada", "bob"), tables=(3,), contestants=["mine"], games=6)
    for games in (6, 12, 18):
        run(path, "--games", str(games))
        with (place / "mine" / "bot.py").open("a") as file:
            file.write("# a better idea\n")
    return place


def test_versions_of_a_bot_are_told_apart(changed: Path) -> None:
    """Each has its own results wherever they are split up, for programs by its digest."""
    whole = {row["digest"]: row for row in shown(changed, "show")["standings"]}
    mine = {digest for digest, row in whole.items() if row["bot"] == "mine"}
    assert len(mine) == 3
    for by in ("table", "seat"):
        split = shown(changed, "show", "--by", by)
        for digest, row in whole.items():
            parts = [part for part in split if part["digest"] == digest]
            assert sum(part["games"] for part in parts) == row["games"]
            assert sum(part["wins"] for part in parts) == row["wins"]
            assert {part["version"] for part in parts} == {row["version"]}
    met = {(cell["digest"], cell["against_digest"]) for cell in shown(changed, "show", "--pairs")}
    assert not any({one, other} <= mine for one, other in met)
    assert {one for one, _ in met} == set(whole)
    played = shown(changed, "schedule", "test.ladder", "--blocks")
    for game in shown(changed, "games", "--limit", "1000"):
        seated = [played["contestants"][n] for n in played["blocks"][game["block"]]["contestants"]]
        assert {contestant["digest"] for contestant in seated} == set(game["digests"])


def test_a_history_goes_from_version_to_version(changed: Path) -> None:
    """Each version has its points while it plays, and a name alone means who plays now."""
    versions = shown(changed, "show", "--history", "mine")
    assert [version["active"] for version in versions] == [False, False, True]
    spans = [[point["blocks"] for point in version["points"]] for version in versions]
    for earlier, later in pairwise(spans):
        assert earlier[-1] <= later[0]
    for version in versions:
        against = shown(changed, "show", "--against", version["digest"][:8])
        assert {row["digest"] for row in against} == {version["digest"]}
        unmet = [row for row in against if row["against"] == "mine"]
        assert [row["share"] for row in unmet] == [None, None]
    assert shown(changed, "show", "--against", "mine")[0]["digest"] == versions[-1]["digest"]
    text = arena_here("ladder", "show", "--history", "mine", cwd=changed).out
    assert text.count("mine (gone, ") == 2


@pytest.mark.parametrize(
    "words",
    [
        ("show", "test.ladder"),
        ("show", "--against", "ada"),
        ("show", "--by", "table"),
        ("show", "--by", "seat"),
        ("show", "--pairs"),
        ("games", "--limit", "1000"),
        ("schedule", "test.ladder", "--blocks"),
    ],
)
def test_people_can_tell_versions_apart(changed: Path, words: tuple[str, ...]) -> None:
    """The one that plays has its name, those before it are gone, and each is marked."""
    rows = shown(changed, "show")["standings"]
    text = " ".join(arena_here("ladder", *words, cwd=changed).out.split())
    for row in rows:
        if not row["active"]:
            assert f"mine (gone, {row['digest'][:6]})" in text
    assert text.replace("mine (gone", "").count("mine") > 0


def test_the_board_has_the_names_of_the_standings(
    changed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who looks on while a ladder is played is not told that somebody leads who has gone."""
    monkeypatch.setattr("arena.cli.ladder.board.LEADERS", 5)
    with Store.open(changed / "test.ladder") as store:
        book, contestants = scorebook(store), store.ledger.contestants
        active = store.ledger.playing
    with Board(every=0.0) as board:
        board.show(Progress(book.games, 6, None, 1.0, contestants, active, book))
    told = capsys.readouterr().err
    for row in shown(changed, "show")["standings"]:
        gone = "" if row["active"] else f" (gone, {row['digest'][:6]})"
        assert f" {row['bot']}{gone} {row['rating']:.1f}" in told


def test_a_matrix_mixes_nobody_up(changed: Path) -> None:
    """Every version has its own shares in it, and none of those whom it never met."""
    cells = {(c["digest"], c["against_digest"]): c for c in shown(changed, "show", "--pairs")}
    digests = [row["digest"] for row in shown(changed, "show")["standings"]]
    lines = arena_here("ladder", "show", "--pairs", cwd=changed).out.splitlines()
    matrix = [line.split()[-len(digests) :] for line in lines if line.rstrip().endswith(("%", "·"))]
    assert matrix == [
        [f"{cells[one, other]['share']:.0%}" if (one, other) in cells else "·" for other in digests]
        for one in digests
    ]
