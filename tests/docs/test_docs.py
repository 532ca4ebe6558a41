"""The documents: the commands in them run, the links lead somewhere, the programs work."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli import NOUNS
from command import arena

pytestmark = pytest.mark.source_only

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
WITH_COMMANDS = ["README.md", "CONTRIBUTING.md", "ladders/README.md", *PAGES]
DRAWS = "CONTRIBUTING.md"
"""The page whose command draws the picture of the standings."""
PICTURE = "docs/pictures/standings.svg"
AUTHORS = "protocol/AUTHORS.md"
DOCUMENTS = [
    *WITH_COMMANDS,
    "CHANGELOG.md",
    "protocol/README.md",
    AUTHORS,
    "protocol/python/README.md",
    "arena/ladder/rating/README.md",
]
SET_UP = "python3 -m venv"
LOCKED_UP = re.compile(r"--sandbox auto|arena sandbox check|arena ladder new")
SHELLS = re.compile(r"sh|bash|zsh|console|terminal")
MOST_WORDS = 650
SECONDS = 600


@dataclass(frozen=True)
class Block:
    """A code block of a document."""

    document: str
    line: int
    language: str
    text: str
    reason: str | None
    """Why the commands are only shown, if a comment before the block says so."""

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def blocks(document: str) -> list[Block]:
    """All code blocks of a document, in their order."""
    text = (ROOT / document).read_text()
    pattern = r"(?:^<!-- not run in CI:([^\n]*)-->\n+)?^```([^\n]*)\n(.*?)^```$"
    return [
        Block(
            document,
            text.count("\n", 0, found.start(2)) + 1,
            found[2],
            found[3],
            None if found[1] is None else found[1].strip(),
        )
        for found in re.finditer(pattern, text, re.MULTILINE | re.DOTALL)
    ]


def shell(document: str) -> list[Block]:
    """The blocks with commands, without the two lines that set everything up, which CI runs."""
    found = [block for block in blocks(document) if block.language == "sh"]
    return [block for block in found if not block.text.startswith(SET_UP)]


def to_run(document: str) -> list[Block]:
    """The blocks of a document whose commands are run here."""
    return [block for block in shell(document) if block.reason is None]


ONLY_SHOWN = [block for each in WITH_COMMANDS for block in shell(each) if block.reason is not None]


def test_the_readme_begins_with_the_two_lines_that_work() -> None:
    """A newcomer copies one line to use the arena and one to test it; CI runs them."""
    found = [block.text for block in blocks("README.md") if block.text.startswith(SET_UP)]
    first, second = (text.removesuffix("\n") for text in found)
    assert "\n" not in first + second
    assert ".venv/bin/arena" in first
    assert second.endswith(".venv/bin/pytest")


def test_the_readme_is_short() -> None:
    """A newcomer reads the README in three minutes; the rest has pages of its own."""
    assert len((ROOT / "README.md").read_text().split()) <= MOST_WORDS


def follow(document: str, tmp_path: Path, *removed: str) -> Path:
    """Run the commands of a page in a copy of what they need, without some files; return it."""
    locked_up = any(LOCKED_UP.search(block.text) for block in to_run(document))
    if locked_up and shutil.which("bwrap") is None and not os.environ.get("CI"):
        pytest.skip("needs bubblewrap, as the page says")
    programs, checkout = tmp_path / "bin", tmp_path / "checkout"
    programs.mkdir()
    python = shlex.quote(sys.executable)
    for name, words in (("arena", f"{python} -m arena"), ("python3", python)):
        (programs / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (programs / name).chmod(0o755)
    shutil.copytree(ROOT / "ladders", checkout / "ladders")
    shutil.copytree(ROOT / "docs" / "pictures", checkout / "docs" / "pictures")
    for path in removed:
        (checkout / path).unlink()
    for block in to_run(document):
        done = subprocess.run(
            ["bash", "-euxo", "pipefail", "-c", block.text],
            cwd=checkout,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    return checkout


FOLLOWED = [each for each in WITH_COMMANDS if each != DRAWS and to_run(each)]


@pytest.mark.parametrize("document", FOLLOWED)
def test_the_commands_of_a_page_run_as_they_stand(document: str, tmp_path: Path) -> None:
    """A reader who follows a page from its first command to its last is never left stranded."""
    follow(document, tmp_path)


@pytest.mark.parametrize("block", ONLY_SHOWN, ids=str)
def test_commands_that_are_only_shown_say_why(block: Block) -> None:
    """No command is left out in silence: the reason stands in the page."""
    assert block.reason is not None
    assert len(block.reason.split()) >= 3, f"{block}: say why it is not run"


@pytest.mark.parametrize("document", WITH_COMMANDS)
def test_no_commands_escape(document: str) -> None:
    """Commands stand in blocks of `sh`, and a comment that leaves some out stands before them."""
    found = blocks(document)
    languages = {block.language for block in found if SHELLS.match(block.language)}
    assert languages <= {"sh"}
    text = (ROOT / document).read_text()
    said = text.count("<!-- not run") - sum(block.text.count("<!-- not run") for block in found)
    assert said == sum(block.document == document for block in ONLY_SHOWN)


def test_the_commands_for_authors_are_those_of_tests_languages() -> None:
    """Each language's commands need its compiler; tests/languages has one test for each block."""
    from languages.test_authors import HEADINGS, section

    found = sorted(block.text for block in shell(AUTHORS))
    flags = re.MULTILINE | re.DOTALL
    tested = [re.findall(r"^```sh\n(.*?)^```", section(each), flags) for each in HEADINGS]
    assert found == sorted(text for texts in tested for text in texts)


BOTS = [
    block
    for document in ("README.md", "docs/first-bot.md")
    for block in blocks(document)
    if block.language == "python"
]


@pytest.mark.parametrize("block", BOTS, ids=str)
def test_a_bot_on_a_page_plays(block: Block, tmp_path: Path) -> None:
    """The bots that fit into twenty lines are complete."""
    (tmp_path / "first.py").write_text(block.text)
    bot = f"{sys.executable} first.py"
    outcome = arena("play", "gargon", bot, "random", "random", "--json", cwd=tmp_path)
    assert outcome.json[0]["faults"] == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """A link to a file of the project names a file that is there, and a heading that is in it."""
    path = ROOT / document
    for target, _, heading in re.findall(r"\]\((?!https?:)([^)#]*)(#([^)]+))?\)", path.read_text()):
        found = path.parent / target if target else path
        assert found.exists(), target
        if heading:
            assert heading in headings(found), f"{target}#{heading}"


def headings(path: Path) -> set[str]:
    """The anchors of a page's headings, as browsers of repositories make them."""
    lines = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/README.md"])
def test_the_index_has_every_page(page: str) -> None:
    """No page is left for readers to find by chance."""
    assert f"]({Path(page).name})" in (ROOT / "docs" / "README.md").read_text()


def test_the_readme_mentions_every_noun() -> None:
    """No part of the command line is left for readers to find by chance."""
    text = (ROOT / "README.md").read_text()
    for noun in NOUNS:
        assert f"arena {noun}" in text, noun


def test_the_picture_is_that_of_the_first_ladder(tmp_path: Path) -> None:
    """The README shows what its first command gives, to the byte; a page says how to draw it."""
    drawn = follow(DRAWS, tmp_path, PICTURE) / PICTURE
    assert drawn.read_bytes() == (ROOT / PICTURE).read_bytes()
