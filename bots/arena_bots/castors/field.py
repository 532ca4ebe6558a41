"""The descriptions of the bundled bots for Gang de Castors, the weakest first."""

from __future__ import annotations

from pathlib import Path

from arena.programs.spec import BotSpec

HERE = Path(__file__).parent.parent


def _spec(idea: str, version: str, summary: str, *others: str) -> BotSpec:
    """Return the description of the bot in module `idea`, which also uses the files `others`."""
    return BotSpec(
        name=f"castors-{idea}",
        version=version,
        author="the arena's authors",
        summary=summary,
        games=("castors",),
        folder=HERE,
        run=("python3", "-m", f"arena_bots.castors.{idea}"),
        files=tuple(f"castors/{file}" for file in (f"{idea}.py", *others)),
        searches=idea == "search",
    )


BOTS = [
    _spec("hasty", "1", "Betters the cards that it knows, and calls as soon as it may."),
    _spec("thresholds", "1", "Plays its own row by fixed numbers; no eye for the others."),
    _spec("reference", "1.0", "The yardstick: fixed numbers, and swaps. Never changes."),
    _spec(
        "odds",
        "1",
        "Keeps the odds of every unknown card, and calls when it is ahead.",
        "plausible.py",
    ),
    _spec(
        "search",
        "2",
        "Tries every use of every card that may come, and judges what it leads to.",
        "beliefs.py",
        "evaluation.py",
        "network.py",
        "one_core.py",
        "traces.py",
        "weights.txt",
        "plausible.py",
    ),
]
