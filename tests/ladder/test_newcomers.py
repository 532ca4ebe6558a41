"""Fields that change: newcomers play their own games, and all that was said beforehand holds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.blocks.local_runner import LocalRunner
from arena.cli.arguments import plugins
from arena.cli.ladder.files import definition_in
from arena.ladder.field import enter
from arena.ladder.goal import Goal
from arena.ladder.opening import open_store
from arena.ladder.run import Progress, Run
from arena.records.entries import Budget
from arena.sandbox.sandbox import UNCONFINED
from command import arena, assert_refused
from ladder.fields import FIVE, definition, export, run
from ladder.forging import Forgery

pytestmark = pytest.mark.source_only

EACH = 60


def verified(folder: Path, path: str) -> dict[str, str]:
    """What verification says of each claim."""
    done = arena("ladder", "verify", path, "--json", cwd=folder)
    return {claim["key"]: claim["state"] for claim in done.json["claims"]}


def planned(path: Path, *words: str) -> dict[str, Any]:
    """What `schedule` says of the next run."""
    done = arena("ladder", "schedule", path.name, *words, "--json", cwd=path.parent)
    assert done.code == 0, done.err
    found: dict[str, Any] = done.json
    return found


def games_of(done: dict[str, Any]) -> dict[str, int]:
    """The games of each bot in the standings."""
    return {row["bot"]: row["games"] for row in done["standings"]}


def test_a_newcomer_adds_his_own_games_alone(tmp_path: Path) -> None:
    """As `schedule` has said; the log shows that it could end there, and its close says so."""
    tables = (3, 4)
    first = run(definition(tmp_path, bots=FIVE[:4], each=EACH, tables=tables), "--json").json
    path = definition(tmp_path, each=EACH, tables=tables)
    said = planned(path)
    more = run(path, "--json")
    assert "eve 1 is new and plays first" in more.err
    games = games_of(more.json)
    assert EACH <= games["eve"] < EACH + max(tables)
    assert more.json["games"] - first["games"] == games["eve"] == said["games"]
    assert {bot["name"]: bot["games_before"] + bot["games"] for bot in said["contestants"]} == games
    assert said["end"] == f"A run ends when the ladder has {more.json['games']} games."
    assert planned(path)["end"] == "A run plays nothing: all games are played."
    assert run(path, "--json").json == more.json
    closed = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
    assert "(budget)" in closed.out
    assert verified(tmp_path, "test.ladder")["end"] == "holds"


@pytest.mark.parametrize("workers", [*(pytest.param(n, marks=pytest.mark.wide) for n in (1, 2)), 4])
def test_newcomers_in_the_middle_change_no_byte_for_any_workers(
    tmp_path: Path, workers: int
) -> None:
    """Nor does it matter where a run was ended and what was derived before."""
    few = definition(tmp_path, bots=FIVE[:4], each=40)
    run(few, "--workers", "1")
    path = definition(tmp_path, each=40, contestants=["castors-hasty"])
    run(path, "--workers", "1")
    wanted = export(tmp_path)
    shutil.rmtree(tmp_path / "test.ladder")
    few = definition(tmp_path, bots=FIVE[:4], each=40)
    run(few, "--workers", str(workers), "--each", "20")
    run(few, "--workers", str(workers))
    path = definition(tmp_path, each=40, contestants=["castors-hasty"])
    for games in (20, 24, 30, 40):
        run(path, "--workers", str(workers), "--each", str(games))
        if games == 24:
            (tmp_path / "test.ladder" / "derived").unlink()
    assert export(tmp_path) == wanted


def test_with_games_in_all_nothing_is_played_beyond_them(tmp_path: Path) -> None:
    """A newcomer gets what is left of them, and is told if that is nothing."""
    first = run(definition(tmp_path, bots=FIVE[:4], games=60), "--json").json
    nothing = run(definition(tmp_path, games=60), "--json")
    assert nothing.json["games"] == first["games"]
    assert "eve 1 is new and does not play: all games are played" in nothing.err
    assert "budget: give newcomers games" in nothing.err
    some = run(definition(tmp_path, games=100), "--json").json
    assert 100 <= some["games"] < 104
    assert games_of(some)["eve"] == some["games"] - first["games"]


def test_a_new_version_retires_the_old_one_and_plays_its_own_games(tmp_path: Path) -> None:
    """The old one stays in the standings as it was, and neither plays any more for it."""
    assert arena("bot", "new", "mine", "--game", "castors", cwd=tmp_path).code == 0
    path = definition(tmp_path, bots=FIVE[:4], each=EACH, contestants=["mine"])
    before = run(path, "--json").json
    with (tmp_path / "mine" / "bot.py").open("a") as file:
        file.write("# the second version\n")
    after = run(path, "--json").json
    rows = [row for row in after["standings"] if row["bot"] == "mine"]
    old = next(row for row in rows if not row["active"])
    new = next(row for row in rows if row["active"])
    assert old["games"] == games_of(before)["mine"]
    assert EACH <= new["games"] < EACH + 4
    assert after["games"] - before["games"] == new["games"]
    entered = [json.loads(line) for line in export(tmp_path).splitlines() if b'"leave"' in line]
    assert entered[0]["leave"][0]["reason"].startswith("replaced by version")


def test_games_for_each_table_size(tmp_path: Path) -> None:
    """Tables are played as the budget says, from a definition and from the command line."""
    path = definition(tmp_path, games=None, more="[budget]\neach = { 3 = 90, 4 = 24 }")
    said = {each["size"]: each for each in planned(path)["tables"]}
    assert said[3]["games_each"][0] >= 90 > 3 * said[4]["games_each"][0] - 12
    done = run(path, "--json").json
    assert sum(each["games"] for each in said.values()) == done["games"]
    more = planned(path, "--each", "3=120", "--each", "4=24")
    assert run(path, "--each", "3=120", "--each", "4=24", "--json").json["games"] == (
        done["games"] + more["games"]
    )
    for words in (("--each", "9=3"), ("--each", "3=30"), ("--each", "many")):
        assert_refused(
            arena("ladder", "run", path.name, *words, cwd=tmp_path), "--each: expected one number"
        )


def test_a_run_ends_when_the_intervals_are_narrow(tmp_path: Path) -> None:
    """The log shows it, so that a close for that reason is verified."""
    path = definition(tmp_path, tables=(3,), games=None, more="[budget]\nwidth = 6")
    assert planned(path)["games"] == 0
    done = run(path, "--json")
    assert "all intervals are at most 6 wide" in done.err
    widths = [row["skill_high"] - row["skill_low"] for row in done.json["standings"]]
    assert max(widths) <= 6
    closed = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
    assert "(width)" in closed.out
    assert verified(tmp_path, "test.ladder")["end"] == "holds"


def test_the_time_ends_a_run_at_any_block(tmp_path: Path) -> None:
    """Also within a round; the next run goes on as if there had been no end."""
    path = definition(tmp_path, each=EACH)
    run(path, "--workers", "1")
    wanted = export(tmp_path)
    shutil.rmtree(tmp_path / "test.ladder")
    short = run(path, "--minutes", "0.000001", "--workers", "1", "--json")
    assert "the time is up" in short.err
    assert 0 < short.json["games"] <= 4
    run(path, "--workers", "1")
    assert export(tmp_path) == wanted


def forged(folder: Path) -> Forgery:
    """A closed ladder that a newcomer has entered."""
    run(definition(folder, bots=FIVE[:4], each=24, tables=(3,)))
    run(definition(folder, each=24, tables=(3,)))
    assert arena("ladder", "close", "test.ladder", "--yes", cwd=folder).code == 0
    log = export(folder)
    standings = (folder / "test.ladder.standings.json").read_bytes()
    return Forgery(log.splitlines(), standings)


def test_verification_refuses_what_does_not_follow_from_the_counts(tmp_path: Path) -> None:
    """A table of others than those who are due, and an end before a newcomer has his games."""
    forgery = forged(tmp_path)
    path = forgery.copy().write(tmp_path)
    assert verified(tmp_path, path.name)["tables"] == "holds"
    assert verified(tmp_path, path.name)["end"] == "holds"
    other = forgery.copy()
    last = other.blocks[-1]
    absent = next(number for number in range(5) if number not in last["contestants"])
    last["contestants"][0] = absent
    assert verified(tmp_path, other.write(tmp_path).name)["tables"] == "fails"
    early = forgery.copy()
    early.cut(len(early.blocks) - 1)
    early.close()
    assert verified(tmp_path, early.write(tmp_path).name)["end"] == "fails"


def test_progress_counts_to_a_total_that_holds(tmp_path: Path) -> None:
    """From the first block on it says how many games there will be, newcomers included."""
    for bots in (FIVE[:4], FIVE):
        ladder = definition_in(definition(tmp_path, bots=bots, each=40))
        totals: list[Progress] = []
        with open_store(ladder, tmp_path / "test.ladder") as store:
            enter(store, ladder)
            game = plugins().games["castors"]
            this = Run(store, ladder.bots, game, Goal(ladder.budget, Budget()))
            this.play(LocalRunner(), UNCONFINED, 1, totals.append)
            assert {each.total for each in totals} == {store.ledger.games}
