"""A new bot in Python stands alone: it plays with a Python that has neither arena nor msgpack."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from arena.games.deal import DealStream
from arena.games.game import Game
from arena.referee.clock import TimeControl
from arena.referee.roster import LIMITS
from arena.wire import messages
from arena.wire.codec import decode
from arena.wire.frames import HEADER, frame
from command import arena
from games.stacked import CASTORS, GARGON
from sandbox.walls import bubblewrap

GAMES = {"castors": CASTORS, "gargon": GARGON}
PLAIN = (str(getattr(sys, "_base_executable", sys.executable)), "-S", "-E")
"""The Python that the arena's own environment was made of, with its standard library alone."""
SEATS = 3


def begin(folder: Path, game: str) -> Path:
    """A new bot in another folder than the one in which it was made."""
    made = arena("bot", "new", "made", "--language", "python", "--game", game, cwd=folder)
    assert made.code == 0, made.err
    return Path(shutil.move(folder / "made", folder / "moved"))


def said(game: Game) -> bytes:
    """What the referee says to seat 0 in a game in which everybody takes the first action."""
    rules = game.rules({})
    state = game.start(SEATS, rules, DealStream.of("standalone", 1))
    clock = asdict(TimeControl())
    frames = [
        messages.hello("1.0.0", {game.name: game.version}, LIMITS),
        messages.start(0, game.name, rules, 0, SEATS, 1, clock),
    ]
    asked = 0
    while not state.over:
        if state.turn == 0:
            asked += 1
            act = messages.act(state.kind, state.view(0), 0, state.actions(), 0, [])
            frames.append({**act, "id": asked})
        state.apply(state.actions()[0])
    return b"".join(map(frame, [*frames, messages.BYE]))


def answers(command: tuple[str, ...], folder: Path, told: bytes) -> list[Any]:
    """What the bot in a folder answers, in an empty environment."""
    done = subprocess.run(
        [*command, "bot.py"], cwd=folder, input=told, env={}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found, data = [], done.stdout
    while data:
        end = HEADER + int.from_bytes(data[:HEADER], "big")
        found.append(decode(data[HEADER:end]))
        data = data[end:]
    return found


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_installed() -> None:
    """The plain Python has nothing of what the arena's environment has."""
    for package in ("msgpack", "arena", "arena_sdk"):
        words = [*PLAIN, "-c", f"import {package}"]
        done = subprocess.run(words, cwd="/", capture_output=True, check=False)
        assert f"No module named '{package}'".encode() in done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_it_answers_alike_with_and_without_the_package_msgpack(game: str, tmp_path: Path) -> None:
    """Whatever Python runs it, it is the same bot."""
    folder = begin(tmp_path, game)
    told = said(GAMES[game])
    found = answers(PLAIN, folder, told)
    assert len(found) > 5
    assert found == answers((sys.executable,), folder, told)


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_its_test_and_the_check_with_a_plain_python(game: str, tmp_path: Path) -> None:
    """An author needs nothing but Python to work on it, and a host nothing but Python to run it."""
    folder = begin(tmp_path, game)
    tested = subprocess.run([*PLAIN, "test_bot.py"], cwd=folder, capture_output=True, check=False)
    assert tested.returncode == 0, tested.stderr
    command = " ".join([*PLAIN, str(folder / "bot.py")])
    checked = arena("bot", "check", command, "--game", game, "--json")
    assert checked.code == 0, checked.out
    assert {step["status"] for step in checked.json["steps"]} == {"pass"}


def test_it_is_packed_and_plays_in_the_sandbox_with_a_plain_python(tmp_path: Path) -> None:
    """What an author hands in plays where strangers' bots are locked up."""
    bubblewrap()
    folder = begin(tmp_path, "gargon")
    manifest = (folder / "bot.toml").read_text()
    words = json.dumps([*PLAIN, "bot.py"])
    (folder / "bot.toml").write_text(manifest.replace('["python3", "bot.py"]', words))
    packed = str(tmp_path / "packed")
    assert arena("bot", "pack", str(folder), "--output", packed).code == 0
    shutil.rmtree(folder)
    for locked_up in (("bot", "build", packed), ("play", "gargon", *[packed] * 3, "--games", "3")):
        done = arena(*locked_up, "--sandbox", "bwrap", "--json", limit=600)
        assert done.code == 0, done.err
    assert [seat["faults"] for seat in done.json] == [{}] * 3


def test_its_own_sdk_is_the_one_that_runs(tmp_path: Path) -> None:
    """Also where the arena's environment has an SDK: the bot does not change with the arena."""
    folder = begin(tmp_path, "gargon")
    with (folder / "arena_sdk" / "__init__.py").open("a") as file:
        file.write("raise SystemExit('my own SDK')\n")
    done = subprocess.run(
        [sys.executable, "bot.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == "my own SDK\n"
