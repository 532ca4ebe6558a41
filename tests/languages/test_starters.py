"""The starters in every language: written, built, tested, checked, and better than chance."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from arena.builds.build import builder_environment
from arena.starters.sdk import load_sdk
from arena.starters.starter import starters
from command import arena
from languages.toolchains import assert_passes_check, built, need_language, one_of_each_language

pytestmark = pytest.mark.source_only

STARTERS = [f"{language}/{game}" for language, games in starters().items() for game in games]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the new bots are."""
    return tmp_path_factory.mktemp("starters")


@cache
def write(place: Path, language: str, game: str) -> Path:
    """A new bot, as an author gets it."""
    folder = place / f"{language}-{game}"
    made = arena("bot", "new", str(folder), "--language", language, "--game", game)
    assert made.code == 0, made.err
    return folder


@pytest.fixture
def language(name: str) -> str:
    """The language of a starter."""
    return name.partition("/")[0]


@pytest.fixture
def game(name: str) -> str:
    """The game that it plays."""
    return name.partition("/")[2]


@pytest.fixture
def starter(place: Path, language: str, game: str) -> Path:
    """A new bot, built."""
    need_language(language)
    return built(write(place, language, game))


@pytest.mark.parametrize("name", one_of_each_language(STARTERS))
def test_starter_passes_the_check(starter: Path) -> None:
    """An author begins with a bot in which nothing is wrong."""
    assert_passes_check(starter)


@pytest.mark.parametrize("name", STARTERS)
def test_starter_passes_its_own_test(starter: Path, language: str) -> None:
    """It comes with a test that an author can go on from."""
    words = load_sdk(language).test
    done = subprocess.run(
        words, cwd=starter, env=builder_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", one_of_each_language(STARTERS))
def test_starter_beats_random_bots(starter: Path, game: str) -> None:
    """Its strategy is a sensible first one."""
    seats = [str(starter), "random", "random", "random"]
    words = ["play", game, *seats, "--games", "80", "--seed", "1", "--json"]
    own, *others = arena(*words, limit=600).json
    assert own["faults"] == {}
    assert own["mean_place"] + 0.5 < min(other["mean_place"] for other in others)


@pytest.mark.parametrize("name", STARTERS)
def test_starter_bears_the_name_that_it_was_given(starter: Path, language: str, game: str) -> None:
    """Nothing of the placeholder is left in the author's own files."""
    shown = arena("bot", "show", str(starter), "--json").json
    assert (shown["name"], shown["games"]) == (f"{language}-{game}", [game])
    sdk = f"{load_sdk(language).place}/"
    for path in (path for path in shown["files"] if not path.startswith(sdk)):
        assert "my-bot" not in (starter / path).read_text(), path
