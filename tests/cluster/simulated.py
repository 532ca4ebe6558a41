"""What one host and one scheduler bear: simulated machines that return recorded results at once.

    python tests/cluster/simulated.py MACHINES [BLOCKS] [--seconds S] [--processes N] [--short]

Prints how long it takes until all machines play, blocks a second, the CPU time of host and
scheduler for a block, and their memory on the way. A machine says that a block has taken S
seconds: where it says more, it is given fewer at a time, as it is with slow bots. Blocks are of
Gargon with three or four seats; with --short, of a single lap of Castors with two, so that a
hundred thousand of them are soon played.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from distributed import get_worker
from msgspec import structs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from arena.blocks.block import Block, BlockResult  # noqa: E402 - after the path to the tests
from arena.blocks.runner import Cluster as Where  # noqa: E402
from arena.blocks.runner import Venue  # noqa: E402
from arena.cluster import _messages as messages  # noqa: E402
from arena.cluster import worker  # noqa: E402
from arena.cluster._connection import SETTINGS, as_environment, quieten  # noqa: E402
from arena.cluster._dask_runner import DaskRunner  # noqa: E402
from arena.cluster._traits import traits  # noqa: E402
from arena.discovery import discover  # noqa: E402
from arena.ladder.store import Store  # noqa: E402
from arena.records.entries import Contest  # noqa: E402
from arena.referee.deals import Deals  # noqa: E402
from arena.referee.terms import Terms  # noqa: E402
from arena.sandbox.sandbox import UNCONFINED  # noqa: E402
from arena.version import compiled  # noqa: E402
from cluster.clusters import Cluster, Started, cluster, ladder  # noqa: E402
from command import arena  # noqa: E402

SHORT = """
name = "short"
game = "castors"
tables = [2]
seed = "short"
sandbox = "none"
suspend = false
contestants = ["random", "castors-odds"]

[rules]
laps = 1

[budget]
games = {games}
"""
RECORDED = 400
"""Games of the ladder whose blocks are returned again and again."""
EACH = 0.05
"""What a simulated machine says that a block took, in seconds."""
PROCESSES = 2
"""How many processes the simulated machines are in."""
AT_A_TIME = 8
"""How many of a process connect at a time."""
EVERY = 2.0
"""Seconds between two samples."""
SHOWN = 20
"""How many samples the memory is shown of at the end."""


@dataclass(frozen=True)
class Recording:
    """Blocks and their results."""

    contest: Contest | None
    blocks: list[Block]
    results: list[BlockResult]


def recording(store: Path) -> Recording:
    """Read the blocks of a store."""
    blocks, results = [], []
    with Store.open(store) as opened:
        deals = Deals.of(opened.secret, opened.contest.name)
        first = 0
        for entry, times in opened.blocks():
            seated = tuple(opened.ledger.contestants[each] for each in entry.contestants)
            blocks.append(Block(entry.number, first, seated, deals.block(entry.number)))
            assert times is not None
            results.append(BlockResult(entry.number, entry.attempt, entry.games, times))
            first += len(entry.games)
        return Recording(opened.contest, blocks, results)


class Simulated:
    """Answers as the referees of a machine do, without playing."""

    def __init__(self, recorded: Recording, seconds: float) -> None:
        self._recorded = recorded
        self._seconds = seconds
        self._traits = traits("", discover().games, UNCONFINED, (), 1)

    async def pass_on(self, question: bytes) -> bytes:
        """Return what a machine would answer."""
        return messages.written(self._answer(messages.read_question(question)))

    def _answer(self, asked: messages.Question) -> messages.Answer:
        if isinstance(asked, messages.AskTraits):
            return structs.replace(self._traits, machine=str(get_worker().name))
        if isinstance(asked, messages.TakeJob):
            return messages.Lacks(digests=())
        if isinstance(asked, messages.Play):
            results = tuple(self._result(each) for each in asked.blocks)
            return messages.Played(results=results, seconds=self._seconds * len(results))
        return messages.Done()

    def _result(self, block: messages.SentBlock) -> BlockResult:
        found = self._recorded_of(block.number)
        times = structs.replace(found.times, first_game=block.first_game)
        return replace(found, number=block.number, times=times)

    def _recorded_of(self, number: int) -> BlockResult:
        return self._recorded.results[number % len(self._recorded.results)]


async def serve(address: str, machines: int, process: str, answering: Simulated) -> None:
    """Be so many machines, which answer like this."""
    import dask
    from distributed import Worker

    quieten()
    worker._here = answering  # type: ignore[assignment]
    quiet = {
        **SETTINGS,
        # What each process has once is here a thousand times in one.
        "distributed.admin.system-monitor.interval": "60s",
        "distributed.admin.tick.interval": "1h",
        "distributed.admin.tick.cycle": "1h",
        "distributed.admin.tick.limit": "2h",
        "distributed.comm.timeouts.connect": "120s",
    }
    with dask.config.set(quiet), tempfile.TemporaryDirectory() as folder:
        some = asyncio.Semaphore(AT_A_TIME)

        async def connected(number: int) -> Worker:
            async with some:
                return await Worker(
                    address,
                    name=f"simulated-{process}-{number}",
                    nthreads=4,
                    resources={worker.RESOURCE: messages.AHEAD},
                    host="127.0.0.1",
                    local_directory=folder,
                    memory_limit=0,
                    dashboard=False,
                    dashboard_address="127.0.0.1:0",
                )

        workers = await asyncio.gather(*map(connected, range(machines)))
        print(len(workers), "connected to", address, flush=True)
        await asyncio.Event().wait()


def mib(pid: int) -> float:
    """Return the memory of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def endless(recorded: Recording, count: int) -> Iterator[Block]:
    """Yield so many blocks: those that are recorded, again and again."""
    first = 0
    for number in range(count):
        block = recorded.blocks[number % len(recorded.blocks)]
        yield Block(number, first, block.contestants, block.deals)
        first += block.games


def checking(pid: int) -> list[int]:
    """Return the processes of the host that check results: its forks."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    words = Path(f"/proc/{pid}/cmdline").read_bytes()
    return [
        int(child) for child in children if Path(f"/proc/{child}/cmdline").read_bytes() == words
    ]


class Watched:
    """The processes that are measured."""

    def __init__(self, scheduler: int, simulated: list[int]) -> None:
        self._parts = {"scheduler": [scheduler], "machines": simulated}

    @property
    def _pids(self) -> dict[str, list[int]]:
        mine = os.getpid()
        return {"host": [mine], "checks": checking(mine), **self._parts}

    @property
    def memory(self) -> dict[str, int]:
        """MiB of host and scheduler."""
        pids = self._pids
        return {what: round(sum(map(mib, pids[what]))) for what in ("host", "checks", "scheduler")}

    @property
    def used(self) -> dict[str, float]:
        """CPU seconds."""
        return {what: sum(map(cpu, pids)) for what, pids in self._pids.items()}


def told(line: str) -> None:
    """Say what a runner says, but not a thousand times that a machine plays."""
    if " plays, with " not in line:
        print(line, file=sys.stderr, flush=True)


def main(machines: int, count: int, seconds: float, processes: int, *, short: bool) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        definition = ladder(folder, games=RECORDED)
        if short:
            definition.write_text(SHORT.format(games=RECORDED), encoding="utf-8")
        done = arena("ladder", "run", definition.name, "--store", "store", cwd=folder, limit=600)
        assert done.code == 0, done.err
        recorded = recording(folder / "store")
        plugins = discover()
        game = plugins.games[recorded.contest.game]
        named = {each.digest: each.name for block in recorded.blocks for each in block.contestants}
        bots = {digest: plugins.bots[name] for digest, name in named.items()}
        with cluster(folder, env=as_environment(SETTINGS)) as there:
            began = time.perf_counter()
            for number in range(processes):
                each = machines * (number + 1) // processes - machines * number // processes
                words = [str(Path(__file__)), "--serve", there.address, "--store"]
                words += [str(folder / "store"), str(each), "--process", str(number)]
                words += ["--seconds", str(seconds)]
                log = folder / f"simulated-{number}.log"
                there.machines[f"simulated-{number}"] = Started(words, log)
            for simulated in there.machines.values():
                simulated.wait_for("connected to", limit=600)
            connected = round(time.perf_counter() - began, 1)
            where = Where(
                scheduler=there.address, registered=tuple(plugins.bots.values()), again=0.05
            )
            venue = Venue(Terms(game, recorded.contest.rules), bots, 1, tell=told)
            found = measure(DaskRunner().on(where), venue, endless(recorded, count), there)
            said = {"machines": machines, "compiled": compiled(), "connected after": connected}
            print(json.dumps({**said, **found.shown()}))


@dataclass(frozen=True)
class Sample:
    """What was so at a time."""

    at: float
    blocks: int
    cpu: dict[str, float]
    memory: dict[str, int]


def measure(runner: DaskRunner, venue: Venue, blocks: Iterator[Block], there: Cluster) -> Measured:
    """Have blocks played, and return what it took."""
    simulated = [each.process.pid for each in there.machines.values()]
    watched = Watched(there.scheduler.process.pid, simulated)
    opened = time.perf_counter()
    arrived: dict[str, float] = {}
    samples: list[Sample] = []
    played = 0
    for results in runner.run(blocks, venue):
        now = time.perf_counter() - opened
        for each in results:
            arrived.setdefault(each.times.machine, now)
        played += len(results)
        if results and (not samples or now - samples[-1].at >= EVERY):
            samples.append(Sample(now, played, watched.used, watched.memory))
            shown = {"seconds": round(now), "blocks": played, "MiB": samples[-1].memory}
            print(json.dumps(shown), file=sys.stderr, flush=True)
    return Measured(list(arrived.values()), samples)


@dataclass(frozen=True)
class Measured:
    """When each machine had its first result, and what was so every few seconds."""

    arrived: list[float]
    samples: list[Sample]

    def _spread(self, samples: list[Sample]) -> list[Sample]:
        """Return some of the samples, at equal distances."""
        return samples[:: max(1, len(samples) // SHOWN)]

    def shown(self) -> dict[str, object]:
        """Return the figures, from when all machines have played."""
        everybody = max(self.arrived)
        warm = [each for each in self.samples if each.at >= everybody]
        first, last = (warm if len(warm) > 1 else self.samples)[0], self.samples[-1]
        blocks = last.blocks - first.blocks
        used = {what: 1000 * (last.cpu[what] - first.cpu[what]) / blocks for what in last.cpu}
        return {
            "seconds until a machine has played": round(min(self.arrived), 1),
            "seconds until all have": round(everybody, 1),
            "machines that have played": len(self.arrived),
            "blocks": blocks,
            "a second": round(blocks / (last.at - first.at), 1),
            "CPU ms a block": {what: round(ms, 2) for what, ms in used.items()},
            "MiB": last.memory,
            "MiB after blocks": {each.blocks: each.memory for each in self._spread(warm)},
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("machines", type=int)
    parser.add_argument("blocks", type=int, nargs="?", default=2000)
    parser.add_argument("--seconds", type=float, default=EACH)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--process", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        answering = Simulated(recording(asked.store), asked.seconds)
        asyncio.run(serve(asked.serve, asked.machines, asked.process, answering))
    else:
        main(asked.machines, asked.blocks, asked.seconds, asked.processes, short=asked.short)
