"""The bots in every language: built as they stand, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import arena
from languages.toolchains import BOTS, ROOT, RULE_BOTS, assert_passes_check, built, need_language

ALL = [*BOTS, *RULE_BOTS.values()]


def of(folder: Path) -> str:
    """A bot's language: the folder that its folder lies in."""
    return folder.parent.name


@pytest.mark.parametrize("folder", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_bot_passes_the_check(folder: Path) -> None:
    """Every bot in the project is one that an author can learn from."""
    need_language(of(folder))
    assert_passes_check(built(folder))


@pytest.mark.parametrize("folder", BOTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_bot_is_described(folder: Path) -> None:
    """It has the name of its folder, its language, and its idea in one line."""
    shown = arena("bot", "show", str(folder), "--json").json
    assert (shown["name"], shown["language"]) == (folder.name, of(folder))
    assert shown["summary"]
    assert shown["games"]
