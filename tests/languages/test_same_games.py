"""The rule bots of all languages play the same games."""

from __future__ import annotations

import json
from itertools import cycle, islice
from pathlib import Path

import pytest

from arena.starters.sdk import load_sdk
from command import arena
from languages.toolchains import RULE_BOTS, built, need_language

pytestmark = pytest.mark.source_only

SEATS = {"castors": 3, "gargon": 4}
DEALS = 2
OTHERS = [language for language in RULE_BOTS if language != "python"]


def records(folder: Path, game: str, languages: list[str]) -> list[str]:
    """The blocks of some games of rule bots, as the log has them."""
    bots = [str(built(RULE_BOTS[language])) for language in languages]
    path = folder / "games.jsonl"
    words = ["--games", str(DEALS * len(bots)), "--seed", "1", "--record", str(path), "--force"]
    played = arena("play", game, *bots, *words)
    assert played.code == 0, played.err
    return [line for line in path.read_text().splitlines() if '"entry":"block"' in line]


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """For each game the blocks of games that only the rule bot in Python plays."""
    place = tmp_path_factory.mktemp("python")
    return {game: records(place, game, ["python"] * seats) for game, seats in SEATS.items()}


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("language", OTHERS)
def test_rule_bot_plays_as_in_python(
    language: str, game: str, tmp_path: Path, in_python: dict[str, list[str]]
) -> None:
    """In every seat it takes the same decisions, and the blocks are equal to the byte."""
    need_language(language)
    played = records(tmp_path, game, [language, *["python"] * (SEATS[game] - 1)])
    assert played == in_python[game]
    assert not any("faults" in game for line in played for game in json.loads(line)["games"])


@pytest.mark.parametrize("game", SEATS)
def test_rule_bots_of_all_languages_play_together(
    game: str, tmp_path: Path, in_python: dict[str, list[str]]
) -> None:
    """Whatever language sits where, the game is the same."""
    there = [language for language in RULE_BOTS if not load_sdk(language).missing()]
    seats = SEATS[game]
    for first in range(0, len(there), seats):
        languages = list(islice(cycle(there), first, first + seats))
        assert records(tmp_path, game, languages) == in_python[game], languages
