"""The page for authors: its commands are those that work, in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.starters.sdk import load_sdk
from arena.starters.starter import starters
from command import arena
from languages.toolchains import ROOT

pytestmark = pytest.mark.source_only

PAGE = ROOT / "protocol" / "AUTHORS.md"
HEADINGS = {
    "cpp": "C++",
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "none": "Any other language",
    "python": "Python",
    "rust": "Rust",
    "typescript": "TypeScript",
}


def section(language: str) -> str:
    """What the page says of a language."""
    pattern = rf"^## {re.escape(HEADINGS[language])}\n(.*?)(?=^## )"
    (found,) = re.findall(pattern, PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.mark.parametrize("language", starters())
def test_the_page_has_the_commands_that_a_new_bot_comes_with(language: str, tmp_path: Path) -> None:
    """What is tested of the starters is what the page says; an author can copy it."""
    (block,) = re.findall(r"^```sh\n(.*?)^```", section(language), re.MULTILINE | re.DOTALL)
    first, *rest = block.splitlines()
    made = arena(*first.split()[1:], cwd=tmp_path)
    assert made.code == 0, made.err
    printed = [line.strip() for line in made.out.splitlines() if line.startswith("  ")]
    assert [re.sub(r"\S*/(arena|python3)\b", r"\1", line) for line in printed] == rest


@pytest.mark.parametrize("language", starters())
def test_the_page_names_what_has_to_be_installed(language: str) -> None:
    """Nobody learns of a missing compiler from its absence."""
    sdk = load_sdk(language)
    for name in (*sdk.tools, *sdk.headers, *sdk.headers.values()):
        assert f"`{name}`" in section(language), name


def test_the_page_has_every_language() -> None:
    """A starter that nobody is told of is of no use."""
    assert set(starters()) <= set(HEADINGS)
