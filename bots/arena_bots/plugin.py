"""The plugin that registers the bundled bots, with the same hook as any other plugin."""

from __future__ import annotations

from pathlib import Path

from arena.plugin import hookimpl
from arena.programs.spec import BotSpec
from arena_bots.castors.field import BOTS as CASTORS
from arena_bots.gargon.field import BOTS as GARGON

HERE = Path(__file__).parent
PYTHON = ("python3", "-m")


@hookimpl
def arena_bots() -> list[BotSpec]:
    """Return all bundled bots in Python."""
    return [
        BotSpec(
            name="random",
            version="1",
            author="the arena's authors",
            summary="Plays some legal action, by chance.",
            games=("gargon", "castors"),
            folder=HERE,
            run=(*PYTHON, "arena_bots.random_bot"),
            files=("__init__.py", "random_bot.py"),
        ),
        *GARGON,
        *CASTORS,
    ]
