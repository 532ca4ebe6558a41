"""`arena compare`: real programs, seen through the command."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.games.castors.game import Castors
from command import Outcome, arena, arena_here, assert_refused

pytestmark = pytest.mark.source_only

FIELD = ("--field", "random,castors-reference")
PAIR = ("castors-thresholds", "castors-hasty", "--game", "castors")
QUICK = (*PAIR, *FIELD, "--design", "swap", "--seed", "1")
PLAYS = """
from arena_sdk import run

run(lambda question: 0, name="plays")
"""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of its own for journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "arena" / "compare"


def compare(*words: str, cwd: Path | None = None) -> Outcome:
    """Run `arena compare` with JSON."""
    return arena("compare", *words, "--json", cwd=cwd, limit=600)


def write_bot(folder: Path, version: str = "1", games: str = "") -> Path:
    """A bot in a folder, which plays the first legal action."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(PLAYS)
    (folder / "bot.toml").write_text(
        f'name = "plays"\nversion = "{version}"\nrun = ["python3", "bot.py"]\n{games}\n'
    )
    return folder


def test_it_ends_with_who_is_better_and_how_sure_that_is(state: Path) -> None:
    """One sentence has all that an author asks, tables have it by size and by seat."""
    done = arena("compare", *PAIR, *FIELD, "--seed", "1", limit=600)
    assert done.code == 0, done
    *_, last = done.out.splitlines()
    for part in (
        "castors-thresholds is better than castors-hasty: castors-thresholds places above ",
        "% more of its opponents (95 % at any time: ",
        "20 decides), after ",
        " games) at tables of 2, 3",
        "with random, castors-reference by the design '",
        ", which asks who does better ",
    ):
        assert part in last, last
    for row in ("all", "table of 2", "table of 3", "seat 0", "seat 1", "seat 2"):
        assert row in done.out
    assert "the pilot of " in done.err
    assert "games, which do not count, chose the design" in done.err
    assert "10 deals: " in done.err


def test_the_other_way_round_it_is_worse(state: Path) -> None:
    """Exit code 1 and a verdict say that the new one is not better."""
    new, old, *rest = QUICK
    done = compare(old, new, *rest)
    assert done.code == 1
    assert done.json["verdict"] == "worse"
    low, high = done.json["interval"]
    assert low <= done.json["difference"] <= high
    assert done.json["difference"] < 0
    assert done.json["evidence"] >= 20 or done.json["p"] <= 0.05
    assert sum(each["deals"] for each in done.json["by_table"]) == done.json["deals"]
    assert sum(each["deals"] for each in done.json["by_seat"]) == done.json["deals"]


def test_the_workers_change_nothing(state: Path) -> None:
    """One core or two: the same deals, the same evidence, the same journal to the byte."""
    words = (*PAIR, *FIELD, "--seed", "3", "--deals", "40")
    one = compare(*words, "--workers", "1")
    (journal,) = state.iterdir()
    first = journal.read_bytes()
    two = compare(*words, "--workers", "2", "--fresh")
    assert one.json["pilot"]["games"] > 0
    assert two.json == one.json
    assert journal.read_bytes() == first


def test_a_killed_comparison_goes_on(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After SIGKILL in the midst of a line it ends as one that was never interrupted.

    The temporary folder of the killed one is removed, too.
    """
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    words = (*PAIR, *FIELD, "--seed", "3", "--deals", "30")
    command = [sys.executable, "-m", "arena", "compare", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
        while lines(state) < 20:
            assert killed.poll() is None
            time.sleep(0.01)
        killed.kill()
    (journal,) = state.iterdir()
    with journal.open("ab") as file:
        file.write(b'{"games":[{"pla')
    kept = lines(state)
    assert [each.is_dir() for each in temporary.glob("arena-*-compare-*")] == [True]
    resumed = compare(*words)
    assert not list(temporary.iterdir())
    assert f"{kept - 1} deals were played before" in resumed.err
    assert compare(*words).json == resumed.json  # the journal is whole again
    whole = compare(*words, "--fresh")
    assert "were played before" not in whole.err
    assert resumed.json == whole.json


def lines(state: Path) -> int:
    """How many whole lines the only journal has."""
    return sum(path.read_bytes().count(b"\n") for path in state.glob("*.jsonl"))


def test_ctrl_c_keeps_what_was_played(state: Path) -> None:
    """Exit code 130, a word on how to go on, and the deals are there."""
    command = [sys.executable, "-m", "arena", "compare", *PAIR, *FIELD, "--seed", "4"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as stopped:
        while lines(state) < 10:
            assert stopped.poll() is None
            time.sleep(0.01)
        stopped.send_signal(signal.SIGINT)
        _, said = stopped.communicate(timeout=300)
    assert stopped.returncode == 130
    assert "deals are kept in" in said
    assert "run the same command to go on" in said
    assert lines(state) >= 10


def test_what_is_decided_is_told_again_without_a_game(state: Path) -> None:
    """The same command tells the same; a higher cap goes on where the lower one ended."""
    first = compare(*QUICK, "--deals", "10")
    assert (first.code, first.json["verdict"]) == (1, "undecided")
    assert first.json["interval"] is None
    again = compare(*QUICK, "--deals", "10")
    assert again.json == first.json
    assert lines(state) == 11
    on = compare(*QUICK, "--deals", "20")
    assert on.json["deals"] == 20
    assert lines(state) == 21


@pytest.mark.parametrize("design", ["swap", "table"])
def test_two_identical_programs_are_not_told_apart(
    state: Path, tmp_path: Path, design: str
) -> None:
    """In either order their difference lies within its interval, and nobody is called better."""
    one, two = write_bot(tmp_path / "one", "1"), write_bot(tmp_path / "two", "2")
    words = ("--game", "castors", *FIELD, "--design", design, "--deals", "40", "--seed", "5")
    for pair in ((one, two), (two, one)):
        found = compare(*map(str, pair), *words)
        assert found.code == 1
        low, high = found.json["interval"]
        assert low <= 0 <= high
        if design == "swap":
            assert found.json["difference"] == 0


def test_a_bot_that_fails_is_worse(state: Path, tmp_path: Path) -> None:
    """Who crashes has nothing of his opponents, and the faults are counted."""
    good, bad = write_bot(tmp_path / "good"), write_bot(tmp_path / "bad", "2")
    (bad / "bot.py").write_text("raise SystemExit(1)")
    found = compare(str(bad), str(good), "--game", "castors", *FIELD, "--design", "swap")
    assert found.json["verdict"] == "worse"
    assert found.json["new"]["faults"] == found.json["deals"]
    assert found.json["old"]["faults"] == 0
    assert found.json["share_new"] == 0
    assert f"bad has failed in {found.json['games'] // 2} games; arena bot check" in found.err


def git(folder: Path, *words: str) -> None:
    """Run git as somebody."""
    someone = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(folder), *someone, *words], check=True, capture_output=True)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A bot's folder below the top of a repository: a first version, and one that is at work."""
    top = tmp_path / "repository"
    folder = write_bot(top / "bots" / "mine", "1")
    git(tmp_path, "init", str(top))
    git(top, "add", ".")
    git(top, "commit", "-m", "one")
    write_bot(folder, "2")
    git(top, "commit", "-am", "two")
    return folder


def test_a_revision_is_compared(state: Path, history: Path) -> None:
    """The folder as it is with the one before: both play, each its own version."""
    words = ("--game", "castors", *FIELD, "--deals", "2", "--design", "table")
    found = compare("mine", "mine@git:HEAD~1", *words, cwd=history.parent)
    assert found.json["new"]["version"] == "2"
    assert found.json["old"]["version"] == "1"
    assert found.json["old"]["bot"] == "mine@git:HEAD~1"
    assert found.json["new"]["faults"] == found.json["old"]["faults"] == 0
    again = compare("mine", "mine@git:HEAD~1", *words, cwd=history.parent)
    assert "deals were played before" in again.err


def test_nothing_of_a_repository_is_run(state: Path, history: Path, tmp_path: Path) -> None:
    """Neither its hooks nor the filters that its configuration sets for its files."""
    trap = tmp_path / "trap"
    (history / ".gitattributes").write_text("*.py filter=trap\n")
    git(history, "add", ".")
    git(history, "commit", "-m", "three")
    for key in ("smudge", "process", "clean"):
        git(history, "config", f"filter.trap.{key}", f"touch {trap}; cat")
    git(history, "config", "filter.trap.required", "true")
    git(history, "config", "core.fsmonitor", f"touch {trap}; false")
    words = ("--game", "castors", *FIELD, "--deals", "1", "--design", "table")
    found = compare("mine@git:HEAD", "mine@git:HEAD~2", *words, cwd=history.parent)
    assert found.json["new"]["version"] == "2"
    assert not trap.exists()


def test_a_version_of_the_vault_is_compared(state: Path, tmp_path: Path) -> None:
    """What was sealed plays again under its name and version, while the folder goes on."""
    from arena.programs.manifest import load_manifest
    from arena.programs.vault import Vault

    folder = write_bot(tmp_path / "sealed", "sealed-1")
    Vault.default().seal(load_manifest(folder))
    write_bot(folder, "sealed-2")
    words = ("--game", "castors", *FIELD, "--deals", "1", "--design", "table")
    found = compare(str(folder), "plays@sealed-1", *words)
    assert [found.json[each]["version"] for each in ("new", "old")] == ["sealed-2", "sealed-1"]


def test_the_field_is_the_bundled_one_without_search(state: Path) -> None:
    """Who names no field meets the bundled bots of the game but the two and those that search."""
    found = compare(*PAIR, "--design", "swap", "--deals", "1")
    assert sorted(found.json["field"]) == ["castors-odds", "castors-reference", "random"]


GOOD = ("castors-odds", "castors-hasty", "--game", "castors")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("castors-odds", "hasti", "--game", "castors"), ["unknown bot 'hasti'"]),
        (("castors-odds", "castors-hasty"), ["--game"]),
        (("castors-odds", "castors-hasty", "--game", "chess"), ["unknown game 'chess'"]),
        (("castors-odds", "gargon-hand", "--game", "castors"), ["does not play castors", "gargon"]),
        (("castors-odds", "castors-odds", "--game", "castors"), ["are the same bot"]),
        ((*GOOD, "--field", "random,gargon-hand"), ["'gargon-hand' does not play castors"]),
        ((*GOOD, "--field", "random,nobody"), ["unknown bot 'nobody'"]),
        ((*GOOD, "--field", "random,random"), ["--field", "random twice"]),
        ((*GOOD, "--field", "random,castors-odds"), ["--field", "is one of the two"]),
        ((*GOOD, "--field", "random", "--tables", "6"), ["cannot fill a table of 6", "--field"]),
        ((*GOOD, "--tables", "three"), ["--tables", "'three'"]),
        ((*GOOD, "--tables", "7"), ["2 to 6 players, got 7"]),
        ((*GOOD, "--time", "decision=0"), ["--time", "1 to 86400000"]),
        ((*GOOD, "--rules", "lap=1"), ['unknown rule "lap"']),
        ((*GOOD, "--deals", "0"), ["--deals"]),
        (("none@git:HEAD", "random", "--game", "castors"), ["expected a folder before @git:"]),
        (("random@9", "random", "--game", "castors"), ["no such version in the vault"]),
    ],
)
def test_wrong_input_is_refused_in_one_line(
    state: Path, tmp_path: Path, words: Sequence[str], parts: Sequence[str]
) -> None:
    """Whoever mistypes reads what was expected, and no bot is started for it."""
    assert_refused(arena_here("compare", *words, cwd=tmp_path), *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mine@git:HEAD~7", ["expected a commit", "'HEAD~7'"]),
        ("mine@git:HEAD-dirty", ["expected a commit", "'HEAD-dirty'"]),
        ("mine@git:", ["expected a commit", "''"]),
        ("mine@git:HEAD~1..HEAD", ["expected a commit", "'HEAD~1..HEAD'"]),
        ("mine@git:--output=x", ["expected a commit", "'--output=x'"]),
        ("mine@git:HEAD", ["are the same bot"]),
        ("bare@git:HEAD", ["bot.toml"]),
        ("late@git:HEAD", ["there is no late in its repository at HEAD"]),
    ],
)
def test_a_revision_that_is_none_is_refused(
    state: Path, history: Path, text: str, parts: Sequence[str]
) -> None:
    """A mistyped revision, one without a bot, and the one that the folder still is."""
    bare, late = history.parent / "bare", history.parent / "late"
    bare.mkdir()
    (bare / "README").write_text("no bot")
    git(history, "add", str(bare))
    git(history, "commit", "-m", "three")
    late.mkdir()
    refused = arena_here("compare", "mine", text, "--game", "castors", cwd=history.parent)
    assert_refused(refused, *parts)
    assert {each.name for each in history.iterdir()} == {"bot.py", "bot.toml"}


def test_a_folder_without_history_is_refused(state: Path, tmp_path: Path) -> None:
    """It says that there is no repository, or no git."""
    folder = write_bot(tmp_path / "mine")
    words = ("compare", str(folder), f"{folder}@git:HEAD", "--game", "castors")
    assert_refused(arena(*words, env={"GIT_CEILING_DIRECTORIES": str(tmp_path)}), "not a git repo")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    assert_refused(arena(*words, env={"PATH": str(tools)}), "git is not installed")


def test_a_damaged_journal_is_not_played_on(state: Path) -> None:
    """A line that is not what was written is named, and --fresh begins anew."""
    assert compare(*QUICK, "--deals", "3").json["deals"] == 3
    (journal,) = state.iterdir()
    text = journal.read_text()
    journal.write_text(text.replace('"number":1', '"number":5'))
    assert_refused(arena("compare", *QUICK, "--deals", "3"), str(journal), "--fresh")
    assert compare(*QUICK, "--deals", "3", "--fresh").json["deals"] == 3


def test_two_comparisons_do_not_share_a_journal(state: Path) -> None:
    """The second is refused while the first plays; with other terms it has its own."""
    command = [sys.executable, "-m", "arena", "compare", *QUICK]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as first:
        while not lines(state):
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGSTOP)
        try:
            refused = arena("compare", *QUICK)
            other = compare(*QUICK[:-1], "2", "--deals", "1")
        finally:
            os.kill(first.pid, signal.SIGCONT)
            first.kill()
    assert_refused(refused, "being compared by another process")
    assert other.json["deals"] == 1


def test_a_game_says_how_its_margins_count() -> None:
    """A plugin's game with a margin that is none is left out with the reason."""
    from arena.discovery import _check_game

    class Wrong(Castors):
        margin = -1.0

    with pytest.raises(ValueError, match="margin: expected more than 0"):
        _check_game(Wrong())


def test_it_plays_in_a_sandbox(state: Path, tmp_path: Path) -> None:
    """Both are sealed and locked up like on a ladder."""
    if shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap")
    one, two = write_bot(tmp_path / "one", "a"), write_bot(tmp_path / "two", "b")
    words = ("--game", "castors", *FIELD, "--deals", "2", "--design", "swap", "--sandbox", "auto")
    found: Any = compare(str(one), str(two), *words).json
    assert found["new"]["faults"] == found["old"]["faults"] == 0
    assert found["deals"] == 2
