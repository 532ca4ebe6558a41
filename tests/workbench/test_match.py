"""`arena play` on several cores, its intervals, and the blocks that comparisons are made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.blocks.block import Block
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Venue
from arena.games.castors.game import Castors
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from command import arena, assert_refused, on_a_terminal

pytestmark = pytest.mark.source_only

FAILS = """
from arena_sdk import run

def choose(question):
    if question.start.number in (3, 4):
        raise SystemExit(1)
    return 0

run(choose, name="fails")
"""
TELLS = """
import os
from arena_sdk import run

def choose(question):
    seen = question.view["rows"][question.view["seat"]]
    question.note = f"{os.getpid()} {question.start.seed} {question.start.seat} {seen}"
    return 0

run(choose, name="tells")
"""


def bot(folder: Path, source: str) -> str:
    """A bot in a file; its command line."""
    (folder / "bot.py").write_text(source)
    return f"{sys.executable} bot.py"


@pytest.mark.parametrize("workers", ["2", "3", "9"])
def test_the_workers_of_a_match_change_nothing(tmp_path: Path, workers: str) -> None:
    """The log is the same to the byte, with faults and a last deal that is cut short."""
    fails = bot(tmp_path, FAILS)
    words = ("play", "castors", "random", fails, "castors-hasty", "--games", "11", "--seed", "2")
    told = []
    for name, number in (("one", "1"), ("more", workers)):
        done = arena(*words, "--workers", number, "--record", name, "--json", cwd=tmp_path)
        assert done.code == 0, done
        # What was last sent to a bot that failed depends on how long its process had played.
        faults = [line for line in done.err.splitlines() if line.startswith("game ")]
        told.append((faults, [{**each, "ms_per_decision": 0} for each in done.json]))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "more").read_bytes()
    assert told[0] == told[1]
    assert told[0][1][1]["faults"]
    assert arena("replay", "verify", "more", cwd=tmp_path).code == 0


def test_a_match_shows_how_sure_it_is() -> None:
    """Mean places and the differences between all pairs have intervals, each pair twice."""
    words = ("play", "castors", "random", "castors-hasty", "castors-odds")
    found = arena(*words, "--games", "45", "--seed", "3", "--json").json
    for each in found:
        low, high = each["place_interval"]
        assert 1 <= low < each["mean_place"] < high <= 3
    (better,) = (each for each in found[2]["better_by"] if each["than"] == 0)
    (worse,) = (each for each in found[0]["better_by"] if each["than"] == 2)
    assert better["places"] == pytest.approx(
        found[0]["mean_place"] - found[2]["mean_place"], abs=1e-3
    )
    assert worse["places"] == -better["places"]
    assert worse["interval"] == [-end for end in reversed(better["interval"])]
    assert better["interval"][0] > 0
    few = arena(*words, "--games", "12", "--seed", "3", "--json").json
    assert [each["place_interval"] for each in few] == [None] * 3


def test_the_differences_are_a_table_or_a_list(tmp_path: Path) -> None:
    """The table is left out where it does not fit, and a line says how to have the list."""
    words = ("play", "castors", "random", "castors-hasty", "random", "--games", "15", "--seed", "1")
    table = arena(*words)
    assert "better by so many places" in table.out
    assert "than castors-hasty (2)" in table.out
    assert "±" in table.out
    narrow = on_a_terminal(*words, cwd=tmp_path, columns=60).decode()
    assert "better by so many places" not in narrow
    assert "see --pairs" in narrow
    listed = arena(*words, "--pairs")
    assert "random (1)" in listed.out
    assert listed.out.count("random (3)") == 2
    assert "±" not in listed.out


def test_a_worker_of_a_match_that_fails_says_why(tmp_path: Path) -> None:
    """In one line with the exit code of a host, and no result."""
    command = f"{sys.executable} -m arena play castors random random --games 8 --workers 2"
    tight = ["sh", "-c", f"ulimit -n 20; exec {command} --seed 1"]
    done = subprocess.run(tight, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 3, done
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_no_workers_are_refused() -> None:
    """A match needs one at least."""
    refused = arena("play", "castors", "random", "random", "--workers", "0")
    assert_refused(refused, "--workers", "1<=x<=1024")


def test_a_swapped_block_has_one_deal_and_no_rotation(tmp_path: Path) -> None:
    """All see the same cards and have the same seeds in both games, in processes of their own."""
    bot(tmp_path, TELLS)
    specs = [
        BotSpec(name=name, run=("python3", "bot.py"), folder=tmp_path, files=("bot.py",))
        for name in ("new", "old", "other")
    ]
    new, old, other = contestants = [contestant_of(spec) for spec in specs]
    found = {each.digest: spec for each, spec in zip(contestants, specs, strict=True)}
    venue = Venue(Terms(Castors(), Castors().rules({})), found, 1)
    block = Block(0, 0, (other, new), Deals.of(b"", "test").block(0), (other, old))
    ((result,),) = LocalRunner().run([block], venue)
    assert len(result.games) == 2
    notes = [[note.split(" ", 1) for _, note in game.notes] for game in result.games]
    assert [told for _, told in notes[0]] == [told for _, told in notes[1]]
    assert {pid for pid, _ in notes[0]}.isdisjoint({pid for pid, _ in notes[1]})
    assert result.games[0].actions == result.games[1].actions
