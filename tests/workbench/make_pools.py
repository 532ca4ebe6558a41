"""Make `pools.json` anew: the differences of real deals between real bots, pair by pair.

    python tests/workbench/make_pools.py [PAIR...]

The tests cut streams from these pools to see how often a comparison is wrong, and how long it
takes. Without names all pairs are played, which takes some minutes; those named replace theirs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arena.blocks.runner import Venue
from arena.discovery import discover
from arena.ladder.run import in_order
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.records.entries import TimeControl
from arena.referee.terms import Terms
from arena.workbench.comparison import blocks, deal_played
from arena.workbench.designs import Design, difference
from arena.workbench.journal import Question
from arena.workbench.scores import Plan, measured

POOLS = Path(__file__).parent / "pools.json"
DIGITS = 4
WHIM = """
from random import SystemRandom
from arena_bots.random_bot import RandomBot
from arena_sdk import run

class Whim(RandomBot):
    def start(self, start):
        self.random = SystemRandom().random

run(Whim())
"""
"""A random bot that does not play by the seed that it is given, so no two games are alike."""


@dataclass(frozen=True)
class Pair:
    """Two bots, the field and the design with which they are compared, and how many deals."""

    game: str
    new: str
    old: str
    field: Sequence[str]
    design: Design
    deals: int


CASTORS = ("random", "castors-reference", "castors-hasty")
GARGON = ("random", "gargon-hand", "gargon-backs")
PAIRS = {
    "same-castors-swap": Pair("castors", "whim", "whim", CASTORS, "swap", 2000),
    "same-castors-table": Pair(
        "castors", "castors-thresholds", "castors-thresholds", CASTORS, "table", 2000
    ),
    "same-gargon-table": Pair(
        "gargon", "gargon-reference", "gargon-reference", GARGON, "table", 2000
    ),
    "thresholds-hasty": Pair(
        "castors",
        "castors-thresholds",
        "castors-hasty",
        ("random", "castors-reference", "castors-odds"),
        "swap",
        600,
    ),
    "backs-reference": Pair(
        "gargon",
        "gargon-backs",
        "gargon-reference",
        ("random", "gargon-hand", "gargon-majority"),
        "table",
        600,
    ),
    "search-odds": Pair(
        "castors",
        "castors-search",
        "castors-odds",
        ("random", "castors-reference", "castors-hasty"),
        "swap",
        1500,
    ),
}


def main(names: Sequence[str]) -> None:
    """Play the pairs of these names, by default all, and write the file."""
    kept: dict[str, Any] = json.loads(POOLS.read_text()) if POOLS.exists() else {}
    with _bots() as bots:
        for name in names or PAIRS:
            print(f"{name}: {PAIRS[name].deals} deals", file=sys.stderr, flush=True)
            kept[name] = list(_differences(PAIRS[name], bots))
    lines = (
        f'"{name}": {json.dumps(kept[name], separators=(",", ":"))}'
        for name in PAIRS
        if name in kept
    )
    POOLS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


@contextmanager
def _bots() -> Iterator[dict[str, BotSpec]]:
    """Return the registered bots, and the one that plays by its whims."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "whim.py").write_text(WHIM)
        whim = BotSpec(name="whim", run=("python3", "whim.py"), folder=Path(folder))
        yield {**discover().bots, "whim": whim}


def _differences(pair: Pair, bots: dict[str, BotSpec]) -> Iterator[float]:
    """Play the deals of a pair, and yield their differences in order."""
    plugins = discover()
    game = plugins.games[pair.game]
    # Of two that are the same, each has a name of its own: the digest tells them apart.
    compared = [replace(bots[pair.new], version="new"), replace(bots[pair.old], version="old")]
    specs = [*compared, *(bots[name] for name in pair.field)]
    contestants = [contestant_of(spec) for spec in specs]
    question = Question(
        game=game.name,
        version=game.version,
        rules=game.rules({}),
        tables=(),
        time=TimeControl(),
        limits={},
        sandbox="none",
        design=pair.design,
        new=contestants[0],
        old=contestants[1],
        field=tuple(contestants[2:]),
        seed=pair.new,
    )
    plan = Plan(question, game.players, pair.new.encode())
    found = {each.digest: spec for each, spec in zip(contestants, specs, strict=True)}
    venue = Venue(Terms(game, game.rules({})), found, len(os.sched_getaffinity(0)))
    played = blocks(contestants, plan, range(pair.deals), None)
    results = plugins.runners["local"].run(played, venue)
    for result in islice(chain.from_iterable(in_order(results, 0)), pair.deals):
        table = plan.seating(result.number, None)
        yield round(difference(measured(game, deal_played(result), table)), DIGITS)


if __name__ == "__main__":
    main(sys.argv[1:])
