"""The field of Gang de Castors: its bots as they are registered, the weakest first."""

from __future__ import annotations

from pathlib import Path

from arena.process.spec import BotSpec

HERE = Path(__file__).parent.parent


def _spec(name: str, version: str, summary: str, *modules: str) -> BotSpec:
    """A bot whose program is the first of its modules."""
    return BotSpec(
        name=f"castors-{name}",
        version=version,
        author="the arena's authors",
        summary=summary,
        games=("castors",),
        folder=HERE,
        run=("python3", "-m", f"arena_bots.castors.{modules[0]}"),
        files=tuple(f"castors/{module}.py" for module in modules),
    )


BOTS = [
    _spec(
        "hasty",
        "1",
        "Calls the last round as soon as it may; until then it betters what it knows.",
        "hasty",
    ),
    _spec(
        "thresholds",
        "1",
        "Plays its own row by fixed numbers and never looks at the others.",
        "thresholds",
    ),
    _spec(
        "reference",
        "1.0",
        "The yardstick: fixed numbers, and swaps for what others have kept. Never changes.",
        "reference",
    ),
]
