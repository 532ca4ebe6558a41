"""What a host or an author can look at when something fails: tracebacks and logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import arena, assert_refused

pytestmark = pytest.mark.source_only
BOT = """
from arena_sdk import run
def choose(question):
    question.note = "steers \\x1b[31m\\u202e the terminal"
    return 0
run(choose, name="noisy")
"""
AS_GIVEN = "5"
"""A seed with which three bots sit in the order of the command line in the first game."""
DEBUG = {"ARENA_LOG": "debug"}


def test_a_traceback_is_printed_where_it_is_asked_for() -> None:
    """The line for users stays the last one, and without the variable it is the only one."""
    words = ("play", "gargon", "nobody", "random", "random")
    assert_refused(arena(*words), "unknown bot 'nobody'")
    shown = arena(*words, env={"ARENA_TRACEBACK": "1"})
    assert shown.code == 2
    assert shown.err.startswith("Traceback (most recent call last):")
    assert "UnusableBot" in shown.err
    assert shown.err.splitlines()[-1].startswith("arena play: unknown bot 'nobody'")


def test_every_frame_is_logged_with_its_direction_seat_and_bot(tmp_path: Path) -> None:
    """An author sees what was said in which seat, and a bot's words cannot steer his terminal."""
    (tmp_path / "noisy.py").write_text(BOT, "utf-8")
    bots = ("python3 noisy.py", "random", "random")
    words = ("--games", "1", "--seed", AS_GIVEN)
    played = arena("play", "gargon", *bots, *words, cwd=tmp_path, env=DEBUG)
    assert played.code == 0, played.err
    for said in (
        'at hello (noisy) -> {"t": "hello"',
        'at hello (noisy) <- {"t": "hello"',
        'seat 0 (noisy) -> {"t": "start"',
        'seat 0 (noisy) <- {"t": "action", "id": 1, "i": 0, "note": "steers ',
        'seat 1 (random) -> {"t": "act", "id": 1',
        'seat 2 (random) -> {"t": "end"',
        "has ended: exit code 0",
    ):
        assert said in played.err, said
    assert not any(sign in played.err for sign in "\x1b\u202e")


def test_a_ladders_workers_log_too(tmp_path: Path) -> None:
    """What happens in a worker's games can be followed as that of `arena play`."""
    (tmp_path / "small.toml").write_text(
        'game = "gargon"\ncontestants = ["random", "gargon-hand", "gargon-backs"]\n'
        'tables = [3]\nsandbox = "none"\nsuspend = false\nseed = "s"\n',
        "utf-8",
    )
    run = ("ladder", "run", "small.toml", "--games", "3", "--workers", "1")
    assert "seat 2 (gargon-hand) -> " in arena(*run, cwd=tmp_path, env=DEBUG).err


@pytest.mark.parametrize("level", ["loud", "debug,info", "10"])
def test_a_level_that_there_is_not_is_refused(level: str) -> None:
    """In one line that names the levels."""
    refused = arena("game", "list", env={"ARENA_LOG": level})
    assert_refused(refused, "ARENA_LOG", "debug, info, warning, error", repr(level))
