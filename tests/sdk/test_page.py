"""The page of the SDK for Python: its programs run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import arena

pytestmark = pytest.mark.source_only

PAGE = Path(__file__).parents[2] / "protocol" / "python" / "README.md"
BOT, *PARTS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_bot_on_the_page_plays(tmp_path: Path) -> None:
    """An author can begin by copying it."""
    (tmp_path / "first.py").write_text(BOT)
    bot = f"{sys.executable} first.py"
    record = ("--record", "games.jsonl")
    played = arena("play", "gargon", bot, "random", "random", "--json", *record, cwd=tmp_path)
    assert played.json[0]["faults"] == {}
    shown = arena("replay", "show", "games.jsonl", "--game", "1", cwd=tmp_path)
    assert "I hold" in shown.out


@pytest.mark.parametrize("program", PARTS)
def test_the_other_programs_on_the_page_run(program: str, tmp_path: Path) -> None:
    """What the page says of moves, events and questions holds."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
