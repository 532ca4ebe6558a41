"""What bots and their descriptions show on the host's terminal: words, nothing that steers it."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.wrong import RIGHT, write_wrong
from command import arena, assert_refused, on_a_terminal

pytestmark = pytest.mark.source_only
RUDE = "\\x1b]0;mine\\x07\\x1b[2Jrude"
STEERS = (b"\x1b]", b"\x1b[2J", b"\x07")


@pytest.fixture
def rude(tmp_path: Path) -> Path:
    """A bot whose word that it cannot go on, and whose stderr, would clear the screen."""
    folder = write_wrong(tmp_path, "nothing")
    says = f'send({{"t": "error", "text": "{RUDE}"}}); sys.stderr.write("{RUDE}"); sys.exit(1)'
    source = RIGHT.replace("    return 0\n", f"    {says}\n")
    assert source != RIGHT
    (folder / "bot.py").write_text(source, "utf-8")
    builds = tmp_path / "builds"
    builds.mkdir()
    (builds / "bot.toml").write_text(
        'name = "builds"\nrun = ["python3", "bot.py"]\nbuild = ["python3", "build.py"]\n', "utf-8"
    )
    (builds / "build.py").write_text(f'sys = __import__("sys"); sys.exit("{RUDE}")', "utf-8")
    (builds / "\x1b[2Jrude").touch()
    return folder


def test_a_bots_words_do_not_steer_the_terminal(rude: Path) -> None:
    """Neither in the faults of a match, nor in a check, nor in what its build says."""
    name = rude.name
    for words in (
        ("play", "gargon", name, "random", "random", "--games", "1"),
        ("bot", "check", name),
        ("bot", "build", "builds"),
        ("bot", "build", "builds", "--verbose"),
        ("bot", "show", "builds"),
    ):
        shown = on_a_terminal(*words, cwd=rude.parent)
        assert b"rude" in shown, (words, shown)
        assert not any(sign in shown for sign in STEERS), (words, shown)


@pytest.mark.parametrize("key", ["version", "author", "summary", "language"])
def test_a_description_has_lines_of_words(tmp_path: Path, key: str) -> None:
    """A manifest that would write over the standings or clear the screen is refused."""
    text = f'name = "b"\nrun = ["python3", "b.py"]\n{key} = "1\\u001b[2J"\n'
    (tmp_path / "bot.toml").write_text(text, "utf-8")
    refused = arena("bot", "show", ".", cwd=tmp_path)
    assert_refused(refused, f"{key}: expected a text of one line, without control characters")
    assert "\x1b" not in refused.err
