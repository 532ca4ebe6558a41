"""Starters: a new bot plays at once, passes the check, and beats chance."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.starters.sdk import load_sdk
from arena.starters.starter import starters
from command import arena, assert_refused

GAMES = ("castors", "gargon")
CLEARLY = {"castors": -8, "gargon": 8}
"""By how many points a game a starter is better than the mean of random bots, at least."""


def begin(folder: Path, game: str) -> Path:
    """A new bot for this game."""
    made = arena("bot", "new", "beaver", "--game", game, cwd=folder)
    assert made.code == 0, made.err
    return folder / "beaver"


def test_there_are_starters_for_every_bundled_game() -> None:
    """`arena bot new` works in Python for both games."""
    assert starters()["python"] == list(GAMES)


@pytest.mark.parametrize("language", starters())
def test_new_bot_has_all_of_the_sdk_that_it_needs(tmp_path: Path, language: str) -> None:
    """Also from a wheel, where the SDKs lie in another place than in a checkout."""
    for game in starters()[language]:
        words = ["bot", "new", game, "--language", language, "--game", game]
        assert arena(*words, cwd=tmp_path).code == 0
        sdk = load_sdk(language)
        for pattern in sdk.patterns:
            found = (tmp_path / game / sdk.place).glob(pattern)
            assert any(path.is_file() for path in found), pattern


def test_new_bot_bears_its_name_everywhere(tmp_path: Path) -> None:
    """The files are named after the directory, or as told."""
    files = ["README.md", "bot.py", "bot.toml", "test_bot.py"]
    folder = begin(tmp_path, "gargon")
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "arena_sdk", *files[1:]]
    assert 'name = "beaver"' in (folder / "bot.toml").read_text()
    assert "my-bot" not in "".join((folder / name).read_text() for name in files)
    named = arena("bot", "new", "x", "--game", "castors", "--name", "eager-one", cwd=tmp_path)
    assert named.code == 0
    assert arena("bot", "show", "x", "--json", cwd=tmp_path).json["name"] == "eager-one"


def test_new_bot_takes_an_empty_directory_and_names_that_are_awkward(tmp_path: Path) -> None:
    """A directory may be there already, and its name is made to fit."""
    (tmp_path / "My Bot!").mkdir()
    assert arena("bot", "new", "My Bot!", "--game", "gargon", cwd=tmp_path).code == 0
    assert arena("bot", "show", "My Bot!", "--json", cwd=tmp_path).json["name"] == "my-bot"


@pytest.mark.source_only
@pytest.mark.parametrize("directory", ["beaver", "random", "two words"])
def test_printed_commands_work_as_they_are(tmp_path: Path, directory: str) -> None:
    """What `arena bot new` says to do next can be pasted."""
    made = arena("bot", "new", directory, "--game", "gargon", cwd=tmp_path)
    commands = [line.strip() for line in made.out.splitlines() if line.startswith("  ")]
    assert [re.search(r"(arena|python3) ", command)[1] for command in commands] == [
        "arena",
        "arena",
        "python3",
        "arena",
    ]
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)


def test_printed_commands_name_the_arena_that_is_not_on_path(tmp_path: Path) -> None:
    """Where no environment is activated they are called by their paths."""
    made = arena("bot", "new", "b", "--game", "gargon", cwd=tmp_path, env={"PATH": "/usr/bin"})
    command = made.out.splitlines()[2].strip()
    assert command == f"{Path(sys.executable).parent / 'arena'} bot check b"


@pytest.mark.parametrize("game", GAMES)
def test_starter_passes_the_check(tmp_path: Path, game: str) -> None:
    """An author begins with a bot in which nothing is wrong."""
    begin(tmp_path, game)
    checked = arena("bot", "check", "beaver", "--json", cwd=tmp_path)
    assert checked.code == 0, checked.out
    assert {step["status"] for step in checked.json["steps"]} == {"pass"}


@pytest.mark.source_only
@pytest.mark.parametrize("game", GAMES)
def test_starter_beats_random_bots_clearly(tmp_path: Path, game: str) -> None:
    """Over 200 games it is better than they are, by place and by points."""
    begin(tmp_path, game)
    words = ["play", game, "beaver", "random", "random", "random", "--games", "200", "--json"]
    own, *others = arena(*words, "--seed", "1", cwd=tmp_path).json
    assert own["faults"] == {}
    assert own["mean_place"] < 1.7
    margin = own["mean_score"] - sum(other["mean_score"] for other in others) / len(others)
    assert margin / CLEARLY[game] > 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("runner", [["test_bot.py"], ["-m", "pytest", "-q", "test_bot.py"]])
def test_starter_passes_its_own_tests(tmp_path: Path, game: str, runner: list[str]) -> None:
    """They run by themselves, and with pytest."""
    folder = begin(tmp_path, game)
    done = subprocess.run(
        [sys.executable, *runner], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


@pytest.mark.source_only
@pytest.mark.parametrize("game", GAMES)
def test_starter_is_typed(tmp_path: Path, game: str) -> None:
    """An author's type checker knows the bot, its test and the SDK, and sees a slip."""
    folder = begin(tmp_path, game)

    def mypy() -> str:
        words = ["-m", "mypy", "--strict", "bot.py", "test_bot.py"]
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
        )
        return done.stdout

    assert mypy().startswith("Success")
    source = (folder / "bot.py").read_text()
    (folder / "bot.py").write_text(source.replace("view.own_", "view.whose_"))
    assert '"View" has no attribute "whose_' in mypy()


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["full", "--game", "gargon"], ["full: expected a new or empty directory"]),
        (["full/file", "--game", "gargon"], ["full/file: expected a new or empty directory"]),
        (["full/file/x", "--game", "gargon"], ["cannot be written: Not a directory"]),
        (["new", "--game", "chess"], ["unknown game 'chess'", "gargon, castors"]),
        (["new"], ["--game"]),
        (["new", "--game", "gargon", "--name", "A b"], ["--name: expected a name", "'A b'"]),
        (
            ["new", "--game", "gargon", "--language", "cobol"],
            ["no starter in cobol for gargon", "python (castors, gargon)"],
        ),
    ],
)
def test_new_bot_is_refused_in_one_line(tmp_path: Path, words: list[str], parts: list[str]) -> None:
    """Nothing is overwritten, and nothing is begun that there is no starter for."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    assert_refused(arena("bot", "new", *words, cwd=tmp_path), *parts)
    assert (tmp_path / "full" / "file").read_text() == "mine"
    assert not (tmp_path / "new").exists()
