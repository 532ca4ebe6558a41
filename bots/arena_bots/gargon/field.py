"""The descriptions of the bundled bots for Gargon, the weakest first."""

from __future__ import annotations

from pathlib import Path

from arena.programs.spec import BotSpec

HERE = Path(__file__).parent.parent


def _spec(idea: str, version: str, summary: str, *modules: str) -> BotSpec:
    """Return the description of the bot in module `idea`, which also imports `modules`."""
    return BotSpec(
        name=f"gargon-{idea}",
        version=version,
        author="the arena's authors",
        summary=summary,
        games=("gargon",),
        folder=HERE,
        run=("python3", "-m", f"arena_bots.gargon.{idea}"),
        files=tuple(f"{module}.py" for module in (f"gargon/{idea}", *modules)),
        searches=idea == "search",
    )


BOTS = [
    _spec("hand", "1", "Never thinks beyond its own hand."),
    _spec("reference", "1.0", "The yardstick: reads what lies on the table. Never changes."),
    _spec(
        "backs",
        "1",
        "Reads the backs and counts the cards that are gone.",
        "gargon/knowledge",
        "gargon/rivals",
    ),
    _spec(
        "majority",
        "1",
        "Plays for majorities and zeros, and knows when the game is about to end.",
        "gargon/knowledge",
        "gargon/rivals",
        "gargon/stakes",
    ),
    _spec(
        "search",
        "1",
        "Imagines the hidden cards and tries out its moves in them.",
        "gargon/policy",
        "gargon/leaf",
        "gargon/weights",
        "thinking",
    ),
]
