"""The conformance check: right bots pass, and every wrong one fails where it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.check._setting import CheckedGame
from arena.check._trial import Trial
from arena.check.check import Check
from arena.cli import run_command
from arena.games.gargon.game import Gargon
from arena.programs.manifest import load_manifest
from arena.records.entries import TimeControl
from arena.referee.faults import HostStalled
from arena.referee.terms import Terms
from check.wrong import write_wrong
from command import Outcome, arena, arena_here, assert_refused

pytestmark = pytest.mark.source_only

STEPS = [
    "starts",
    "says hello",
    "plays gargon",
    "forgets gargon",
    "survives rare states of gargon",
    "passes over what it does not know",
    "reads large messages",
    "answers in time",
    "keeps stdout for the protocol",
    "ends when told",
]
PATIENT = ("--time", "decision=60000", "--time", "start=60000")
"""Time enough on any machine."""


def check(folder: Path, name: str, *times: str) -> Outcome:
    """Check the wrong bot of this name."""
    write_wrong(folder, name)
    return arena("bot", "check", name, "--json", *(times or PATIENT), cwd=folder)


def steps(outcome: Outcome, status: str) -> dict[str, Any]:
    """The steps with this status, by name."""
    return {step["name"]: step for step in outcome.json["steps"] if step["status"] == status}


def test_random_bot_passes_all_steps() -> None:
    """The bundled bot plays both games, and each has its own steps."""
    checked = arena("bot", "check", "random", "--json")
    assert checked.code == 0, checked.out
    assert checked.json["passed"] is True
    assert len(steps(checked, "pass")) == len(STEPS) + 3


def test_json_has_the_same_keys_for_every_step(tmp_path: Path) -> None:
    """Programs can read it: bot, version, digest, passed, and the steps in order."""
    checked = check(tmp_path, "nothing")
    assert checked.code == 0, checked.out
    assert list(checked.json) == ["bot", "version", "digest", "passed", "steps"]
    assert [step["name"] for step in checked.json["steps"]] == STEPS
    keys = ["name", "status", "detail", "expected", "got", "remedy", "sent", "received", "stderr"]
    assert all(list(step) == keys for step in checked.json["steps"])
    assert "plays gargon" in checked.err


def test_one_game_can_be_chosen() -> None:
    """--game leaves the others out."""
    checked = arena("bot", "check", "random", "--game", "gargon", "--json")
    assert [step["name"] for step in checked.json["steps"]] == STEPS


def test_a_bot_is_checked_by_the_terms_of_one_ladder(tmp_path: Path) -> None:
    """Who plays only what a ladder plays passes there, and not where other tables are played."""
    options = ("--tables", "3", "--rules", "open_winnings=true")
    narrow = check(tmp_path, "one-ladder-only", *PATIENT, *options)
    assert narrow.code == 0, narrow.out
    assert [step["name"] for step in narrow.json["steps"]] == STEPS
    assert steps(narrow, "pass")["plays gargon"]["detail"].endswith("of 3 players, in every seat")
    for other in (("--tables", "3,4", "--rules", "open_winnings=true"), ("--tables", "3")):
        refused = arena("bot", "check", "one-ladder-only", "--json", *PATIENT, *other, cwd=tmp_path)
        assert refused.code == 1
        assert "plays gargon" in steps(refused, "fail")


def test_what_is_rare_by_rules_comes_up_where_these_are_played() -> None:
    """On a ladder no bot fails for rules of other ladders; what can come up there is played."""
    game = Gargon()

    def rare(tables: list[int], **rules: object) -> list[tuple[str, int]]:
        played = CheckedGame(game, game.rules(rules), tables, only=True)
        return [(each.title, each.seats) for each in played.rare()]

    assert ("opponents who pass", 4) in rare([3, 4])
    assert "open winnings" not in dict(rare([4]))
    assert ("open winnings", 4) in rare([4], open_winnings=True)
    every = [each.title for each in CheckedGame.freely(game).rare()]
    assert every == [each.title for each in game.rare_games()]


def test_a_ladder_with_new_processes_wants_no_memory_of_games(tmp_path: Path) -> None:
    """Where every game has a new process, a bot that ends after one can play."""
    write_wrong(tmp_path, "ends-after-a-game")
    spec = load_manifest(tmp_path / "ends-after-a-game")
    game = Gargon()
    control = TimeControl(decision=60_000, start=60_000)
    for fresh in (True, False):
        terms = Terms(game, game.rules({}), control, suspend=True, fresh=fresh)
        results = {each.name: each.status for each in Check.for_terms(spec, terms, [3]).run()}
        assert results["plays gargon"] == ("pass" if fresh else "fail")
        assert ("forgets gargon" in results) is not fresh


@pytest.mark.parametrize(
    ("name", "step", "got"),
    [
        ("ends-at-once", "starts", "exit code 1"),
        ("ends-at-hello", "says hello", "exit code 0"),
        ("wrong-version", "says hello", "hello.protocol[0]: expected 1, got 2"),
        ("no-name", "says hello", "hello.name: expected a text, got no such key"),
        ("prints-at-start", "keeps stdout for the protocol", "'Loading weights"),
        ("prints-in-a-game", "keeps stdout for the protocol", "'thinking"),
        ("prints-little", "keeps stdout for the protocol", "'1\\n"),
        ("prints-after-a-game", "keeps stdout for the protocol", "'gg"),
        ("illegal", "plays gargon", "action.i: expected 0..1"),
        ("wrong-id", "plays gargon", "action.id: expected 2"),
        ("no-index", "plays gargon", "expected a (the action) or i"),
        ("answers-twice", "plays gargon", ""),
        ("crashes", "plays gargon", "seat 3"),
        ("crashes-at-end", "plays gargon", "exit code 1"),
        ("gives-up", "plays gargon", "the bot says: I am lost"),
        ("remembers", "forgets gargon", "from a fresh process"),
        ("needs-secrets", "survives rare states of gargon", "open winnings"),
        ("needs-known-messages", "passes over what it does not know", "exit code 1"),
        ("needs-known-keys", "passes over what it does not know", "exit code 1"),
        ("reads-little", "reads large messages", "exit code 1"),
        ("ignores-bye", "ends when told", "still running"),
        ("ignores-the-end-of-input", "ends when told", "still running"),
    ],
)
def test_wrong_bot_fails_at_its_step_and_no_other(
    tmp_path: Path, name: str, step: str, got: str
) -> None:
    """A failure says what was expected, what came, and what to do about it."""
    checked = check(tmp_path, name)
    assert checked.code == 1
    assert checked.json["passed"] is False
    failed = steps(checked, "fail")
    assert list(failed) == [step], checked.out
    assert got in failed[step]["got"]
    assert failed[step]["expected"]
    assert failed[step]["remedy"]


@pytest.mark.parametrize(
    ("name", "step", "times"),
    [
        ("no-hello", "says hello", ["start=300"]),
        ("hangs", "answers in time", ["decision=20", "bank=100", "start=60000"]),
        ("slow", "answers in time", ["decision=1", "bank=5", "start=60000"]),
    ],
)
def test_late_bot_fails_at_its_step(tmp_path: Path, name: str, step: str, times: list[str]) -> None:
    """The times that the check allows can be set, and are told."""
    checked = check(tmp_path, name, *(word for time in times for word in ("--time", time)))
    assert checked.code == 1
    failed = steps(checked, "fail")
    assert list(failed) == [step], checked.out
    assert times[0].partition("=")[2] + " ms" in failed[step]["expected"] + failed[step]["got"]


def test_what_needs_a_failed_step_is_not_run(tmp_path: Path) -> None:
    """After a failed start nothing else is tried, and each step says on what it waits."""
    checked = check(tmp_path, "ends-at-once")
    left = steps(checked, "not run")
    assert list(left) == STEPS[1:]
    assert left["says hello"]["detail"] == 'needs "starts" to pass'
    assert steps(checked, "fail")["starts"]["stderr"] == "no licence"


def test_print_is_not_held_against_playing(tmp_path: Path) -> None:
    """A game that a stray print ends is not run to its end, and says why."""
    left = steps(check(tmp_path, "prints-in-a-game"), "not run")
    assert left["plays gargon"]["detail"] == 'stopped by what "keeps stdout for the protocol" says'


@pytest.mark.parametrize(
    ("name", "step"), [("unrepeatable", "forgets gargon"), ("fails-at-bye", "ends when told")]
)
def test_what_is_allowed_but_unwise_is_a_warning(tmp_path: Path, name: str, step: str) -> None:
    """A bot that cannot be repeated, or that ends with an error, passes with a warning."""
    checked = check(tmp_path, name)
    assert checked.code == 0, checked.out
    assert checked.json["passed"] is True
    assert list(steps(checked, "warn")) == [step]


def test_living_on_the_bank_is_a_warning(tmp_path: Path) -> None:
    """Decisions that take more than their time are paid for, and the author hears of it."""
    times = ["--time", "decision=1", "--time", "bank=600000", "--time", "start=60000"]
    checked = check(tmp_path, "slow", *times)
    assert checked.code == 0, checked.out
    assert list(steps(checked, "warn")) == ["answers in time"]


def test_stalled_host_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the host keeps the bot from running, it is told to check again."""

    def stall(self: Trial, setting: object) -> None:
        raise HostStalled(11.0, stopped=0.0)

    monkeypatch.setattr(Trial, "play", stall)
    assert run_command(["bot", "check", "random"]) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("arena bot check: the host kept a bot from running for 11.0 s in")


def test_bot_that_is_not_built_is_refused(tmp_path: Path) -> None:
    """Where its build was forgotten, the message names the command."""
    bot = write_wrong(tmp_path, "nothing")
    manifest = 'name = "unbuilt"\nrun = ["./unbuilt"]\nbuild = ["make", "all"]\n'
    (bot / "bot.toml").write_text(manifest)
    checked = arena("bot", "check", "nothing", cwd=tmp_path)
    assert_refused(checked, "no ./unbuilt", "arena bot build nothing")


def test_program_that_is_not_there_fails_to_start(tmp_path: Path) -> None:
    """What cannot be run is a failed step, with the name of the program."""
    bot = write_wrong(tmp_path, "nothing")
    (bot / "bot.toml").write_text('name = "missing"\nrun = ["./missing"]\n')
    checked = arena("bot", "check", "nothing", "--json", cwd=tmp_path)
    failed = steps(checked, "fail")["starts"]
    assert "'./missing': No such file" in failed["got"]


def test_text_says_what_to_do_next(tmp_path: Path) -> None:
    """For people every step is a line, and a failure a paragraph."""
    write_wrong(tmp_path, "crashes")
    checked = arena("bot", "check", "crashes", *PATIENT, cwd=tmp_path)
    assert checked.code == 1
    lines = checked.out.splitlines()
    assert lines[0].startswith("pass  starts: python3 bot.py in ")
    assert "FAIL  plays gargon" in lines
    for label in ("expected", "got", "what to do", "last sent", "last got", "stderr"):
        assert any(line.startswith(f"        {label} ") for line in lines), label
    assert "ZeroDivisionError" in checked.out
    assert lines[-1].startswith('wrong does not pass: "plays gargon" failed; 5 not run')


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nobody"], ["unknown bot 'nobody'"]),
        (["random", "--game", "chess"], ["unknown game 'chess'"]),
        (["nothing", "--game", "castors"], ["'wrong' does not play castors; it plays gargon"]),
        (["random", "--time", "speed=1"], ["--time: expected NAME=MS", "decision, bank, start"]),
        (["unheard"], ["unknown game 'gorgon'"]),
    ],
)
def test_wrong_use_is_refused_in_one_line(
    tmp_path: Path, words: list[str], parts: list[str]
) -> None:
    """What cannot be checked is said at once."""
    write_wrong(tmp_path, "nothing")
    (tmp_path / "unheard").mkdir()
    unheard = 'name = "unheard"\ngames = ["gorgon"]\nrun = ["true"]\n'
    (tmp_path / "unheard" / "bot.toml").write_text(unheard)
    assert_refused(arena_here("bot", "check", *words, cwd=tmp_path), *parts)
