"""The documents: the commands in them run, the links lead somewhere, the programs work."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from arena.cli import NOUNS
from command import arena

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "protocol/README.md",
    "protocol/AUTHORS.md",
    "ladders/README.md",
    "arena/ladder/rating/README.md",
]
SET_UP = "python3 -m venv"


def blocks(document: str, language: str) -> list[str]:
    """The code blocks in this language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL
    )


def commands(document: str) -> list[list[str]]:
    """The `arena` commands of a document, in their order, without those that set it up."""
    lines = [line for block in blocks(document, "sh") for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines if not line.startswith(SET_UP)]
    return [line[1:] for line in words if line and line[0] == "arena"]


def test_the_readme_begins_with_the_two_lines_that_work() -> None:
    """A newcomer copies one line to use the arena and one to test it; CI runs them."""
    lines = [line for block in blocks("README.md", "sh") for line in block.splitlines()]
    first, second = (line for line in lines if line.startswith(SET_UP))
    assert ".venv/bin/arena" in first
    assert second.endswith(".venv/bin/pytest")


def test_the_commands_of_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    """Whoever follows the README from its first command to its last is never left stranded."""
    found = commands("README.md")
    assert len(found) >= 4
    for words in found:
        if (
            {"--sandbox", "ladder"} & set(words)
            and shutil.which("bwrap") is None
            and not os.environ.get("CI")
        ):
            continue  # the README says what to install first
        outcome = arena(*words, cwd=tmp_path)
        assert outcome.code == 0, (words, outcome.err, outcome.out)


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    """The shortest bot is complete."""
    (source,) = blocks("README.md", "python")
    (tmp_path / "first.py").write_text(source)
    bot = f"{sys.executable} first.py"
    outcome = arena("play", "gargon", bot, "random", "random", "--json", cwd=tmp_path)
    assert outcome.json[0]["faults"] == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """A link to a file of the project names a file that is there."""
    path = ROOT / document
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_readme_mentions_every_noun() -> None:
    """No part of the command line is left for readers to find by chance."""
    text = (ROOT / "README.md").read_text()
    for noun in NOUNS:
        assert f"arena {noun}" in text, noun
