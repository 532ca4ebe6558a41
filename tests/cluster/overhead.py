"""What a block's trip to a cluster costs: the same blocks on `local` and on `dask`, in turn.

    python tests/cluster/overhead.py [--rounds N] [--share X] [--kind 20|1|0] [--workers N]

Bots take 20 ms or 1 ms of CPU time for a decision, or play at random at once. A round plays each
runner for some seconds, and every second round begins with the other one. A rate is the slope of
the decisions over time, after the first results. Those of a block count while it was played, also
if it began before the first second that is measured, or ends after the last one: where bots are
slow, a few seconds have few blocks. Each round has other blocks, or all would have the same ones
at their ends. A block's trip is what it costs the cores more on `dask`. Needs a machine that does
nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from time import monotonic

from arena.blocks.block import Block
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Cluster, Runner, Venue
from arena.cluster._dask_runner import DaskRunner
from arena.discovery import discover
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant, TimeControl
from arena.records.game_record import rotated
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from arena.version import compiled

BOT = """
from time import process_time

from arena_bots.random_bot import RandomBot
from arena_sdk import run


class Busy(RandomBot):
    def choose(self, question):
        until = process_time() + {ms} / 1000
        while process_time() < until:
            pass
        return super().choose(question)


run(Busy())
"""
BOTS = 4
WARM_UP = 0.25
"""How long a runner plays before it is timed, as a share of the time for which it is timed."""

POINTS = 200
"""How many points the slope is taken of."""


@dataclass(frozen=True)
class Kind:
    """Bots of one speed, and how long they are measured."""

    ms: int
    rounds: int
    seconds: float
    wanted: float
    """The ratio of rates that there should be at least."""


KINDS = (Kind(20, 4, 60, 0.98), Kind(1, 6, 20, 0.95), Kind(0, 8, 12, 0.80))


@dataclass(frozen=True)
class Speed:
    """What a runner did in one round."""

    decisions: float
    """A second."""
    blocks: float
    """A second."""
    cpu: dict[str, float]
    """CPU milliseconds a block of the processes that are no referees."""


def bots_of(folder: Path, ms: int) -> list[BotSpec]:
    """Write bots that take so long for a decision."""
    found = []
    for number in range(BOTS):
        home = folder / f"busy-{ms}-{number}"
        home.mkdir()
        (home / "bot.py").write_text(BOT.format(ms=ms), encoding="utf-8")
        found.append(BotSpec(name=home.name, run=("python3", "bot.py"), folder=home))
    return found


def endless(contestants: Sequence[Contestant], number_of_round: int) -> Iterator[Block]:
    """Yield blocks with three and four seats in turn; each round has others."""
    deals = Deals.of(bytes(32), f"overhead {number_of_round}")
    first = 0
    for number in count():
        seats = 3 + number % 2
        seated = tuple(rotated(contestants, number % len(contestants))[:seats])
        block = Block(number, first, seated, deals.block(number))
        yield block
        first += block.games


@dataclass(frozen=True)
class Arrived:
    """A block that was played: when its result came, how long it took, and its decisions."""

    at: float
    seconds: float
    decisions: int

    def before(self, now: float) -> float:
        """Return the share of it that was played by then."""
        if now >= self.at:
            return 1.0
        return max(0.0, 1 - (self.at - now) / self.seconds) if self.seconds else 0.0


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the line with the least squares."""
    x, y = mean(at for at, _ in points), mean(value for _, value in points)
    spread = sum((at - x) ** 2 for at, _ in points)
    return sum((at - x) * (value - y) for at, value in points) / spread


def rates(arrived: Sequence[Arrived], first: float, last: float) -> tuple[float, float]:
    """Return decisions and blocks a second between two moments."""
    times = [first + (last - first) * at / (POINTS - 1) for at in range(POINTS)]
    shares = [[each.before(now) for each in arrived] for now in times]
    decisions = [sum(s * a.decisions for s, a in zip(row, arrived, strict=True)) for row in shares]
    return slope(list(zip(times, decisions, strict=True))), slope(
        [(now, sum(row)) for now, row in zip(times, shares, strict=True)]
    )


def cpu_seconds() -> dict[str, float]:
    """Return the CPU seconds of this process, the scheduler, the machine and what feeds referees.

    Referees and bots are left out: they are what both runners have.
    """
    found: dict[str, float] = {}
    processes = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text("ascii").rpartition(")")[2].split()
            words = (path / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        processes[int(path.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]), words)
    tick = os.sysconf("SC_CLK_TCK")
    for pid, (parent, ticks, words) in processes.items():
        what = ""
        if pid == os.getpid():
            what = "host"
        elif parent == os.getpid() and "distributed.cli.dask_scheduler" in words:
            what = "scheduler"
        elif parent == os.getpid() and "worker" in words:
            what = "connection"
        elif "arena.cluster._referees" in words:
            above = processes.get(parent, (0, 0, []))
            what = "feeding" if "arena.cluster._referees" not in above[2] else ""
        if what:
            found[what] = found.get(what, 0.0) + ticks / tick
    return found


def measured(runner: Runner, venue: Venue, seconds: float, number_of_round: int) -> Speed:
    """Play for so long, and return how quick it was."""
    contestants = [
        Contestant(name=spec.name, version=spec.version, digest=digest)
        for digest, spec in venue.bots.items()
    ]
    arrived: list[Arrived] = []
    first = last = 0.0
    before, after = dict[str, float](), dict[str, float]()
    played_before = played_after = 0
    running = runner.run(endless(contestants, number_of_round), venue)
    for results in running:
        now = monotonic()
        for result in results:
            paces = [pace for game in result.times.games for pace in game.paces]
            took = sum(pace.micros for pace in paces) / 1e6
            arrived.append(Arrived(now, took, sum(pace.decisions for pace in paces)))
            assert not any(game.faults for game in result.games), result.games
        if not arrived:
            continue
        if not first:
            first = now + WARM_UP * seconds
            last = first + seconds
        if not before and results and now >= first:
            before, played_before = cpu_seconds(), len(arrived)
        if results and now <= last:
            after, played_after = cpu_seconds(), len(arrived)
        # What was under way at the last moment counts in part, so that it has to be known.
        if now > last + 2 * max(each.seconds for each in arrived):
            break
    running.close()
    counted = max(1, played_after - played_before)
    used = {what: 1000 * (after[what] - before[what]) / counted for what in after if what in before}
    return Speed(*rates(arrived, first, last), used)


def interval(values: Sequence[float]) -> float:
    """Return the half width of the 95 % interval of a mean."""
    students = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
    if len(values) < 2:
        return float("inf")
    return students.get(len(values) - 1, 2.1) * stdev(values) / sqrt(len(values))


def measure(kind: Kind, rounds: int, seconds: float, workers: int) -> dict[str, object]:
    """Measure bots of one kind in alternating rounds."""
    game = discover().games["gargon"]
    control = TimeControl(decision=2_000, bank=60_000)
    runners: dict[str, Runner] = {"local": LocalRunner(), "dask": DaskRunner().on(Cluster())}
    ratios, trips = [], []
    speeds: dict[str, list[Speed]] = {"local": [], "dask": []}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["ARENA_VAULT"] = str(folder / "vault")
        bots = {contestant_of(spec).digest: spec for spec in bots_of(folder, kind.ms)}
        venue = Venue(Terms(game, game.rules({}), control), bots, workers, tell=lambda _: None)
        for number in range(rounds):
            order = ("local", "dask") if number % 2 == 0 else ("dask", "local")
            found = {name: measured(runners[name], venue, seconds, number) for name in order}
            for name, speed in found.items():
                speeds[name].append(speed)
            ratio = found["dask"].decisions / found["local"].decisions
            ratios.append(ratio)
            block = 1000 * workers / found["local"].blocks
            trips.append(block * (1 / ratio - 1))
            line = {"ms": kind.ms, "round": number + 1, "ratio": round(ratio, 4)}
            print(json.dumps({**line, "trip_ms": round(trips[-1], 2)}), file=sys.stderr, flush=True)
    cpu = {
        what: round(median(each.cpu.get(what, 0.0) for each in speeds["dask"]), 2)
        for what in speeds["dask"][0].cpu
    }
    return {
        "ms_a_decision": kind.ms,
        "rounds": rounds,
        "seconds": seconds,
        "workers": workers,
        "local_blocks_a_second": round(median(each.blocks for each in speeds["local"]), 2),
        "dask_blocks_a_second": round(median(each.blocks for each in speeds["dask"]), 2),
        "ratio": round(mean(ratios), 4),
        "give_or_take": round(interval(ratios), 4),
        "least": round(min(ratios), 4),
        "most": round(max(ratios), 4),
        "wanted": kind.wanted,
        "trip_ms": round(mean(trips), 2),
        "trip_ms_give_or_take": round(interval(trips), 2),
        "cpu_ms_a_block": cpu,
        "local_host_cpu_ms_a_block": round(
            median(each.cpu.get("host", 0.0) for each in speeds["local"]), 2
        ),
    }


def main() -> None:
    """Measure and print, a line for each kind of bot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, help="of each kind")
    parser.add_argument("--share", type=float, default=1.0, help="of the usual seconds")
    parser.add_argument("--kind", type=int, choices=[kind.ms for kind in KINDS])
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    print(json.dumps({"compiled": compiled(), "cores": os.cpu_count()}), flush=True)
    for kind in KINDS:
        if asked.kind in (None, kind.ms):
            rounds = asked.rounds or kind.rounds
            found = measure(kind, rounds, kind.seconds * asked.share, asked.workers)
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
