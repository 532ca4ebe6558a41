"""How often a machine that lies is found: a hundred runs through the real session and its check.

    python tests/cluster/liars.py [--runs N] [--lies N] [--again X] [--kind KIND] [--machines N]

In each run simulated machines return recorded results, and one of them lies about the first ones
that it is given, so many as `--lies` says. Prints for each kind of lie in how many runs it was set
aside, and what the documents promise. Scores and moves that the rules do not allow are found by the
check; other moves, or a fault that nobody made, by whoever plays the same block.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from distributed import get_worker
from msgspec import structs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from arena.blocks.block import Block, BlockResult  # noqa: E402 - after the path to the tests
from arena.blocks.local_runner import LocalRunner  # noqa: E402
from arena.blocks.runner import Cluster as Where  # noqa: E402
from arena.blocks.runner import Venue  # noqa: E402
from arena.cluster import _messages as messages  # noqa: E402
from arena.cluster._dask_runner import DaskRunner  # noqa: E402
from arena.discovery import discover  # noqa: E402
from arena.programs.contestant import contestant_of  # noqa: E402
from arena.programs.spec import BotSpec  # noqa: E402
from arena.records.entries import Contestant  # noqa: E402
from arena.referee.deals import Deals  # noqa: E402
from arena.referee.terms import Terms  # noqa: E402
from cluster.altered import other_score  # noqa: E402
from cluster.clusters import Started, cluster  # noqa: E402
from cluster.simulated import Recording, Simulated, serve  # noqa: E402

GAME, RULES = "castors", {"laps": 1}
RECORDED = 60
BY_RULES, BY_OTHERS = ("score", "illegal"), ("moves", "fault")
GONE = "import sys\n\nsys.exit(1)\n"
LIAR = "simulated-0-0"


def played(seated: Sequence[BotSpec]) -> list[tuple[Block, BlockResult]]:
    """Have some blocks played here by these bots; the cards are the same for all."""
    game = discover().games[GAME]
    contestants: tuple[Contestant, ...] = tuple(map(contestant_of, seated))
    deals = Deals.of(bytes(32), "liars")
    each_block = len(contestants)
    blocks = [
        Block(number, each_block * number, contestants, deals.block(number))
        for number in range(RECORDED)
    ]
    bots = {each.digest: spec for each, spec in zip(contestants, seated, strict=True)}
    venue = Venue(Terms(game, game.rules(RULES)), bots, 1)
    found = {each.number: each for some in LocalRunner().run(blocks, venue) for each in some}
    return [(block, found[block.number]) for block in blocks]


def bots(folder: Path) -> dict[str, list[BotSpec]]:
    """Return who plays, and whose results are passed off as theirs."""
    home = folder / "gone"
    home.mkdir(exist_ok=True)
    (home / "bot.py").write_text(GONE, encoding="utf-8")
    gone = BotSpec(name="gone", run=("python3", "bot.py"), folder=home)
    named = discover().bots
    true = [named["random"], named["castors-odds"]]
    return {
        "true": true,
        "moves": [named["castors-hasty"], named["castors-thresholds"]],
        "fault": [gone, true[1]],
    }


class Lying(Simulated):
    """Machines of which one lies about what it is given first."""

    def __init__(self, folder: Path, kind: str, lies: int) -> None:
        who = bots(folder)
        true = played(who["true"])
        blocks, results = [block for block, _ in true], [result for _, result in true]
        contest = None
        super().__init__(Recording(contest, blocks, results), 0.05)
        self._kind = kind
        self._lies = self._left = lies
        self._others = [found for _, found in played(who[kind])] if kind in BY_OTHERS else []

    def _answer(self, asked: messages.Question) -> messages.Answer:
        name = str(get_worker().name)
        if isinstance(asked, messages.TakeJob) and name == LIAR:
            self._left = self._lies
        if isinstance(asked, messages.EndJob) and name == LIAR:
            print("lied", self._lies - self._left, "times", flush=True)
        return super()._answer(asked)

    def _recorded_of(self, number: int) -> BlockResult:
        true = super()._recorded_of(number)
        if not self._left or str(get_worker().name) != LIAR:
            return true
        self._left -= 1
        if self._kind in BY_OTHERS:
            return self._others[number % RECORDED]
        first, *others = true.games
        if self._kind == "score":
            return replace(true, games=(other_score(first), *others))
        return replace(true, games=(structs.replace(first, actions=first.actions[:-1]), *others))


def run_once(address: str, blocks: Iterator[Block], share: float) -> str:
    """Have blocks played by the machines; return why the liar was set aside, "" if it was not."""
    plugins = discover()
    told: list[str] = []
    specs = [plugins.bots["random"], plugins.bots["castors-odds"]]
    known = {contestant_of(spec).digest: spec for spec in specs}
    game = plugins.games[GAME]
    venue = Venue(Terms(game, game.rules(RULES)), known, 1, tell=told.append)
    where = Where(scheduler=address, registered=tuple(plugins.bots.values()), again=share)
    for _ in DaskRunner().on(where).run(blocks, venue):
        pass
    aside = [line for line in told if "set aside" in line]
    assert all(LIAR in line for line in aside), aside
    return aside[0] if aside else ""


def endless(true: Sequence[Block], count: int) -> Iterator[Block]:
    """Yield so many blocks: those that are recorded, again and again."""
    first = 0
    for number in range(count):
        block = true[number % len(true)]
        yield Block(number, first, block.contestants, block.deals)
        first += block.games


def measure(kind: str, asked: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Count in how many runs the liar is found."""
    place = folder / kind
    place.mkdir()
    true = [block for block, _ in played(bots(place)["true"])]
    found = 0
    with cluster(place) as there:
        words = [str(Path(__file__)), "--serve", there.address, "--kind", kind]
        words += ["--lies", str(asked.lies), "--machines", str(asked.machines)]
        words += ["--folder", str(place)]
        machines = there.machines["simulated"] = Started(words, place / "simulated.log")
        machines.wait_for("connected to", limit=600)
        began = time.perf_counter()
        for number in range(asked.runs):
            blocks = endless(true, 4 * asked.machines * asked.lies)
            why = run_once(there.address, blocks, asked.again)
            found += bool(why)
            shown = {"kind": kind, "run": number + 1, "found": found, "why": why[:160]}
            print(json.dumps(shown), file=sys.stderr, flush=True)
        seconds = time.perf_counter() - began
        lied = [int(line.split()[1]) for line in machines.said.splitlines() if "lied" in line]
    compared = 2 * asked.again / (1 + asked.again)
    return {
        "kind": kind,
        "runs": asked.runs,
        "lies": asked.lies,
        "least lies that were told": min(lied, default=None),
        "again": asked.again,
        "found": found,
        "promised": 1.0 if kind in BY_RULES else round(1 - (1 - asked.again) ** asked.lies, 3),
        "equally quick": 1.0 if kind in BY_RULES else round(1 - (1 - compared) ** asked.lies, 3),
        "seconds": round(seconds),
    }


def main() -> None:
    """Measure and print, a line for each kind of lie."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--lies", type=int, default=20)
    parser.add_argument("--again", type=float, default=0.05)
    parser.add_argument("--machines", type=int, default=3)
    parser.add_argument("--kind", choices=BY_RULES + BY_OTHERS)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        answering = Lying(asked.folder, asked.kind, asked.lies)
        asyncio.run(serve(asked.serve, asked.machines, "0", answering))
        return
    with tempfile.TemporaryDirectory() as place:
        os.environ["ARENA_VAULT"] = str(Path(place) / "vault")
        for kind in BY_RULES + BY_OTHERS:
            if asked.kind in (None, kind):
                print(json.dumps(measure(kind, asked, Path(place))), flush=True)


if __name__ == "__main__":
    main()
