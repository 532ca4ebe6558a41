"""The field of Gargon: its bundled bots as plugins register them, the weakest first."""

from __future__ import annotations

from pathlib import Path

from arena.process.spec import BotSpec

HERE = Path(__file__).parents[1]


def field() -> list[BotSpec]:
    """The bundled bots for Gargon."""
    return [
        _bot("hand", "Never thinks beyond its own hand."),
        _bot(
            "backs",
            "Reads the backs and counts the cards that are gone.",
            "gargon/knowledge",
            "gargon/rivals",
        ),
        _bot(
            "majority",
            "Plays for majorities and zeros, and knows when the game is about to end.",
            "gargon/knowledge",
            "gargon/rivals",
            "gargon/stakes",
        ),
        _bot(
            "search",
            "Imagines the hidden cards and tries out its moves in them.",
            "gargon/policy",
            "gargon/leaf",
            "gargon/weights",
            "thinking",
        ),
    ]


def _bot(idea: str, summary: str, *modules: str) -> BotSpec:
    """The bot of this idea, which lives in the module of its name and uses these others."""
    return BotSpec(
        name=f"gargon-{idea}",
        version="1",
        author="the arena's authors",
        summary=summary,
        games=("gargon",),
        folder=HERE,
        run=("python3", "-m", f"arena_bots.gargon.{idea}"),
        files=tuple(f"{module}.py" for module in (f"gargon/{idea}", *modules)),
    )
