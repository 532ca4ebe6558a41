"""Stages and order in whole ladders: one log for any workers, and decisions that nobody can forge.

The ladder of these tests has two stages, a rule for bots that keep failing, and one that does.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Literal

import pytest

from arena.ladder.claims import DECISIONS, END, FAILS, NOT_SHOWN
from arena.ladder.source import open_source
from arena.ladder.store import Store
from arena.ladder.verification import Verified, verify_ladder
from arena.records.entries import Annulled, Entered, Leaving
from command import arena, assert_refused
from ladder.fields import FIVE, definition, export, games_of, run
from ladder.forging import Forgery, Json, games

pytestmark = pytest.mark.source_only

REGULATIONS = """
set_aside = { faults = 2, games = 6 }

[[stages]]
name = "qualification"
each = 30

[[stages]]
name = "final"
best = 3
tables = [3]
each = 24
prizes = 1
"""


def staged(folder: Path, more: str = REGULATIONS, **others: object) -> Path:
    """A definition with stages, and a bot that fails in every game."""
    path = definition(folder, games=None, more=more, **others)  # type: ignore[arg-type]
    listed = '{ bot = "python3 -c pass", name = "broken" }, "castors-hasty"]'
    text = path.read_text().replace("}]", "}, " + listed, 1)
    path.write_text(text)
    return path


def verified(path: Path) -> Verified:
    """What verification finds."""
    return verify_ladder(open_source(path), games(), 1, lambda _: None)


def states(found: Verified) -> dict[str, str]:
    """The state of each claim."""
    return {claim.key: claim.state for claim in found.claims}


@dataclass(frozen=True)
class Ladder:
    """A closed ladder, as it is exported."""

    folder: Path
    log: bytes
    standings: bytes

    def forgery(self) -> Forgery:
        """A copy to forge."""
        return Forgery(self.log.splitlines(), self.standings)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    """The ladder, played by one worker and closed."""
    folder = tmp_path_factory.mktemp("staged")
    done = run(staged(folder), "--workers", "1")
    assert "the last stage has ended" in done.err
    closed = arena("ladder", "close", "test.ladder", "--yes", cwd=folder)
    assert "(budget)" in closed.out
    log = export(folder)
    return Ladder(folder, log, (folder / "test.ladder.standings.json").read_bytes())


def test_a_ladder_is_played_to_its_prize(played: Ladder) -> None:
    """Who fails is set aside, the best play the final, and all of it is verified."""
    found = verified(played.folder / "test.ladder.jsonl")
    assert found.holds
    assert states(found)[DECISIONS] == states(found)[END] == "holds"
    shown = arena("ladder", "show", "test.ladder", "--json", cwd=played.folder).json
    rows = shown["standings"]
    assert [row.get("place") for row in rows] == [1, 2, 3, 4, 5, 6, None]
    assert [row["stage"] for row in rows[:3]] == ["final"] * 3
    assert (rows[-1]["bot"], rows[-1]["left"]) == ("broken", "set-aside")
    assert "6 of its last 6 games" in rows[-1]["left_reason"]
    assert [stage["state"] for stage in shown["stages"]] == ["ended", "ended"]
    entries = played.forgery().entries
    kinds = [entry["entry"] for entry in entries]
    assert any("stages" in entry for entry in entries[: kinds.index("block")])
    first = kinds[: kinds.index("stage")].count("block")
    seen = {
        bot["digest"]
        for game in games_of(played.log)
        if game["block"] >= first
        for bot in game["bots"]
    }
    assert seen == {row["digest"] for row in rows[:3]}


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_do_not_matter_for_what_follows_from_results(
    played: Ladder, tmp_path: Path, workers: int
) -> None:
    """Stages end and bots are set aside at the same blocks, and nothing is dealt twice."""
    run(staged(tmp_path), "--workers", str(workers))
    assert arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path).code == 0
    assert export(tmp_path) == played.log


def test_kills_do_not_matter_for_what_follows_from_results(played: Ladder, tmp_path: Path) -> None:
    """Killed at random moments and gone on, also without what was derived, it is the same log."""
    path = staged(tmp_path)
    chance = random.Random(7)
    command = [sys.executable, "-m", "arena", "ladder", "run", path.name, "--workers", "2"]
    for _ in range(5):
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
        sleep(chance.uniform(0.5, 3))
        process.kill()
        process.wait()
        (tmp_path / "test.ladder" / "derived").unlink(missing_ok=True)
    for games_now in (20, 40, 60):
        run(path, "--games", str(games_now))
    run(path)
    assert arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path).code == 0
    assert export(tmp_path) == played.log


def leaving(forgery: Forgery) -> Json:
    """The entry that sets somebody aside."""
    return next(e for e in forgery.find("enter") if "leave" in e)


def moved(forgery: Forgery, entry: Json, by: int) -> None:
    """Move an entry by so many others."""
    at = forgery.entries.index(entry)
    forgery.entries.remove(entry)
    forgery.entries.insert(at + by, entry)


def another_place(forgery: Forgery) -> None:
    """Exchange the winner and the second."""
    places = forgery.find("stage")[-1]["places"]
    places[0], places[1] = places[1], places[0]


def a_friend_plays_on(forgery: Forgery) -> None:
    """Let somebody play the final who is not among the best."""
    end = forgery.find("stage")[0]
    out = next(each for place in end["places"] for each in place if each not in end["qualified"])
    end["qualified"] = sorted([*end["qualified"][1:], out])


def another_reason(forgery: Forgery) -> None:
    """Say that the final was certain."""
    forgery.find("stage")[-1]["reason"] = "certain"
    forgery.entries[-1]["reason"] = "certain"


def no_end(forgery: Forgery) -> None:
    """Leave the end of the final out."""
    forgery.entries.remove(forgery.find("stage")[-1])


def a_rival_out(forgery: Forgery) -> None:
    """Set the best bot aside in the place of the one that fails."""
    leaving(forgery)["leave"][0]["contestant"] = forgery.number("castors-hasty")


def a_rival_out_as_well(forgery: Forgery) -> None:
    """Set somebody aside who never failed."""
    at = forgery.entries.index(forgery.blocks[2])
    gone = {"contestant": forgery.number("ada"), "kind": "set-aside", "reason": "it failed"}
    forgery.insert(at, {"entry": "enter", "leave": [gone]})


def another_word(forgery: Forgery) -> None:
    """Say another reason."""
    leaving(forgery)["leave"][0]["reason"] = "it was slow"


def nobody_out(forgery: Forgery) -> None:
    """Let the bot that fails play on."""
    forgery.entries.remove(leaving(forgery))


def out_early(forgery: Forgery) -> None:
    """Set it aside a block early."""
    moved(forgery, leaving(forgery), -1)


def out_late(forgery: Forgery) -> None:
    """Set it aside a block late."""
    moved(forgery, leaving(forgery), 1)


def a_milder_rule(forgery: Forgery) -> None:
    """Write another rule at the beginning, by which nobody is set aside."""
    change = next(e for e in forgery.find("change") if "set_aside" in e)
    change["set_aside"]["faults"] = 6


def a_shorter_stage(forgery: Forgery) -> None:
    """Write another budget at the beginning, by which the stage ends sooner."""
    change = next(e for e in forgery.find("change") if "stages" in e)
    change["stages"][0]["budget"]["each"] = 15


@pytest.mark.parametrize(
    "forge",
    [
        another_place,
        a_friend_plays_on,
        another_reason,
        no_end,
        a_rival_out,
        a_rival_out_as_well,
        another_word,
        nobody_out,
        out_early,
        out_late,
        a_milder_rule,
        a_shorter_stage,
    ],
)
def test_decisions_that_do_not_follow_are_found(
    played: Ladder, tmp_path: Path, forge: Callable[[Forgery], None]
) -> None:
    """Changed, missing, early or late: the claim on decisions fails, whatever else fits again."""
    forgery = played.forgery()
    forge(forgery)
    forgery.publish()
    assert states(verified(forgery.write(tmp_path)))[DECISIONS] == FAILS


def test_rules_that_were_changed_when_results_were_known_are_named(
    played: Ladder, tmp_path: Path
) -> None:
    """They may be right, but the log does not show why."""
    forgery = played.forgery()
    at = forgery.entries.index(forgery.blocks[1])
    forgery.insert(at, {"entry": "change", "set_aside": {"faults": 2, "games": 6}})
    forgery.publish()
    found = states(verified(forgery.write(tmp_path)))
    assert found[DECISIONS] == NOT_SHOWN


def test_who_is_disqualified_loses_his_place_and_the_others_keep_their_games(
    played: Ladder, tmp_path: Path
) -> None:
    """The second has the prize then, and ratings are as they were."""
    path = staged(tmp_path)
    run(path)
    before = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path).json["standings"]
    with Store.open(tmp_path / "test.ladder", write=True) as store:
        digests = [each.digest for each in store.ledger.contestants]
        winner = digests.index(before[0]["digest"])
        gone = Leaving(contestant=winner, kind="disqualified", reason="it asked its author")
        store.append(Entered(leave=(gone,)))
    after = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path).json["standings"]
    assert [row["bot"] for row in after] == [row["bot"] for row in (*before[1:], before[0])]
    assert [row.get("place") for row in after[:2]] == [1, 2]
    assert after[-1]["rank"] is None
    assert {row["bot"]: row["rating"] for row in after} == {
        row["bot"]: row["rating"] for row in before
    }
    assert verified(tmp_path / "test.ladder").holds
    run(path)  # nothing more is played, and nobody comes back


EARLY = """
[[stages]]
name = "qualification"
each = 240
width = 40

[[stages]]
name = "final"
best = 3
each = {each}
certain = 0.7
prizes = 1
"""


@pytest.mark.parametrize(("each", "reason"), [(300, "certain"), (24, "budget")])
def test_a_stage_ends_when_its_results_show_enough_and_says_why(
    tmp_path: Path, each: int, reason: Literal["certain", "budget"]
) -> None:
    """By narrow intervals, a certain prize, or its games; no other reason stands verification."""
    path = definition(
        tmp_path,
        games=None,
        tables=(3,),
        bots=FIVE[:3],
        contestants=["castors-odds"],
        more=EARLY.format(each=each),
    )
    shown = run(path, "--workers", "2")
    assert "stage qualification: ended as its intervals were narrow enough" in shown.out
    words = {"certain": "what it was to show was certain", "budget": "its games were played"}
    assert f"stage final: ended as {words[reason]}" in shown.out
    closed = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
    assert f"({reason})" in closed.out
    log = export(tmp_path)
    assert verified(tmp_path / "test.ladder.jsonl").holds
    standings = (tmp_path / "test.ladder.standings.json").read_bytes()
    for stage, other in ((0, "budget"), (1, "width")):
        forgery = Forgery(log.splitlines(), standings)
        forgery.find("stage")[stage]["reason"] = other
        forgery.publish()
        assert states(verified(forgery.write(tmp_path)))[DECISIONS] == FAILS


def test_a_stage_is_changed_by_a_wish_until_it_has_ended(tmp_path: Path) -> None:
    """The definition does not undo it, but counts again once it says something new."""
    path = staged(tmp_path)
    change = ("ladder", "stage", "test.ladder")
    because = ("--reason", "more bots than expected")
    run(path, "--games", "12")
    wider = arena(*change, "final", "--best", "4", "--each", "9", *because, cwd=tmp_path)
    assert wider.out.startswith("stage final: best = 4, prizes = 1, each = 9 from block "), wider
    run(path, "--games", "24")  # which reads the definition again
    cut = arena(*change, "qualification", "--each", "16", *because, cwd=tmp_path)
    assert cut.out.startswith("stage qualification: each = 16 from block "), cut
    on = arena(*change, "qualification", "--best", "4", *because, cwd=tmp_path)
    assert_refused(on, "qualification: this stage is on, and who plays in it stays")
    run(path)
    shown = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path).json
    finalists = [row for row in shown["standings"] if row.get("stage") == "final"]
    assert len(finalists) == 4
    with Store.open(tmp_path / "test.ladder") as store:
        first, last = (ended.block for ended in store.ledger.stages.ended)
    assert last - first == 4  # in which each of four has nine games
    over = arena(*change, "final", "--each", "40", *because, cwd=tmp_path)
    assert_refused(over, "final: this stage has ended, and its places are decided")
    found = verified(tmp_path / "test.ladder")
    assert found.holds
    assert states(found)[DECISIONS] == NOT_SHOWN
    staged_anew = [
        entry
        for entry in map(json.loads, export(tmp_path).splitlines())
        if "stages" in entry and entry.get("reason") == because[1]
    ]
    assert [entry["stages"][1]["best"] for entry in staged_anew] == [4, 4]


def test_annulled_blocks_are_played_again_with_other_cards(tmp_path: Path) -> None:
    """By the same contestants; everybody has his games again, and everything is verified."""
    path = definition(tmp_path, each=24, tables=(3,))
    first = run(path, "--json").json
    with Store.open(tmp_path / "test.ladder", write=True) as store:
        store.append(Annulled(blocks=(1, 3), reason="the host's disk was full"))
    again = run(path, "--json").json
    assert again["annulled_blocks"] == 2
    assert again["games"] == first["games"] + 6
    assert [row["games"] for row in again["standings"]] == [
        row["games"] for row in first["standings"]
    ]
    assert (again["meetings"]["least"], again["meetings"]["most"]) == (
        first["meetings"]["least"],
        first["meetings"]["most"],
    )
    entries = [json.loads(line) for line in export(tmp_path).splitlines()]
    blocks = [entry for entry in entries if entry["entry"] == "block"]
    tables = [sorted(block["contestants"]) for block in blocks]
    assert tables[-2:] == [tables[1], tables[3]]
    assert len({block["key"] for block in blocks}) == len(blocks)
    (tmp_path / "test.ladder" / "derived").unlink()
    assert verified(tmp_path / "test.ladder").holds
    assert run(path, "--json").json == again
