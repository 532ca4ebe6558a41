"""The bots in every language: built as they stand, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.programs.manifest import MANIFEST
from command import arena
from languages.toolchains import (
    BOTS,
    ROOT,
    RULE_BOTS,
    assert_passes_check,
    built,
    need_bot,
    one_of_each_language,
    table,
)

pytestmark = pytest.mark.source_only

ALL = [
    *one_of_each_language([str(path.relative_to(ROOT)) for path in BOTS]),
    *(
        pytest.param(str(path.relative_to(ROOT)), marks=pytest.mark.wide)
        for path in RULE_BOTS.values()
    ),
]
"""Rule bots are also played, in `test_same_games.py`."""


def of(folder: Path) -> str:
    """A bot's language: the folder that its folder lies in."""
    return folder.parent.name


@pytest.mark.parametrize("name", ALL)
def test_bot_passes_the_check(name: str) -> None:
    """Every bot in the project is one that an author can learn from."""
    folder = ROOT / name
    need_bot(folder)
    assert_passes_check(built(folder))


@pytest.mark.parametrize("folder", BOTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_bot_is_described(folder: Path) -> None:
    """It has the name of its folder, its language, and its idea in one line."""
    shown = arena("bot", "show", str(folder), "--json").json
    assert (shown["name"], shown["language"]) == (folder.name, of(folder))
    assert shown["summary"]


@pytest.mark.parametrize("folder", BOTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_bot_stands_in_the_page_of_languages(folder: Path) -> None:
    """A reader finds every bot in one table, with its language and its idea."""
    told = table(folder / MANIFEST)
    plays = ", ".join(told.get("games", ["any"]))
    row = f"| `{told['name']}` | {told['language']} | {plays} | {told['summary']} |"
    assert row in (ROOT / "docs" / "languages.md").read_text().splitlines()


def test_names_of_bots_tell_them_apart() -> None:
    """They meet on one ladder; only the random ones, one a language, share a name."""
    names = [folder.name for folder in BOTS if folder.name != "random"]
    assert sorted(names) == sorted(set(names))
