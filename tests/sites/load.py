"""A site under load: spectators with open streams, requests at random moments, and many authors.

    python tests/sites/load.py --seconds 600

prints a table. One worker plays a ladder on the first core; the site, with what looks at
submissions, and this program share the second. The ladder plays alone before and after, for its
rate without the load. After a third of the time all authors hand in at once. A test does a small
form of it, and looks at what is answered, not how fast.

With `--profile FILE` and py-spy on the path, the server is sampled meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Final
from urllib.parse import urlsplit

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    __package__ = "sites"

from arena.programs.vault import PLACE
from command import arena
from ladder.following import Played, memory, seconds_of

from .generator import Answered, Connection, Load, Request
from .restless import archive
from .served import Served, Visitor, awaited, token_of, write_bot

LADDER: Final = "friday"
FIELD: Final = 12
"""Bots that play from the start."""
DEFINITION: Final = """\
game = "gargon"
tables = [3]
contestants = [{contestants}]
sandbox = "{sandbox}"
[budget]
each = 1000000
"""
SETTINGS: Final = """\
play = false
[spectators]
streams = 2000
streams-of-one-address = 100
"""
LIMIT: Final = 0.2
"""Seconds in which an answer should have come."""
SAMPLES: Final = 5.0
"""Seconds between two looks at the memory."""
DECIDED: Final = 1800.0
"""Seconds in which all that was handed in has to be decided."""
WATCHES_JSON: Final = 5
"""One spectator in so many reads JSON, as programs do; the others read the page."""


@dataclass
class Stretch:
    """A stretch of time in which the ladder plays."""

    seconds: float = 0.0
    blocks: int = 0
    cpu: float = 0.0
    """CPU seconds of the run with its worker and its bots."""

    @property
    def rate(self) -> float:
        """Blocks a second."""
        return self.blocks / self.seconds if self.seconds else 0.0

    @property
    def each(self) -> float:
        """CPU milliseconds of a block: what depends least on what else the machine does."""
        return 1000 * self.cpu / self.blocks if self.blocks else 0.0


@dataclass
class Found:
    """What was found under load."""

    alone: list[Stretch] = field(default_factory=list)
    """Before the load, and after it."""
    loaded: Stretch = field(default_factory=Stretch)
    answered: list[Answered] = field(default_factory=list)
    costs: dict[str, float] = field(default_factory=dict)
    """CPU seconds of the server for an answer of each kind."""
    streams: int = 0
    megabytes: float = 0.0
    """That all streams together have had."""
    server_cpu: float = 0.0
    own_cpu: float = 0.0
    """The shares of their core that the server and the generator took."""
    memory: list[int] = field(default_factory=list)
    """The server's own memory, in KiB."""
    handed_in: Counter[str] = field(default_factory=Counter)
    """What was answered to those who handed in."""
    states: Counter[str] = field(default_factory=Counter)
    """What became of what was acknowledged."""
    decided: float = 0.0
    """Seconds until all was decided."""
    busy: list[float] = field(default_factory=list)
    """The machine's load average at the start and at the end."""
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        heads = " ".join(f"{each:>8}" for each in ("median", "95 %", "99 %", "most"))
        yield f"{'requests':24} {'all':>7} {heads}  <200 ms  CPU of one"
        kinds = sorted({each.kind for each in self.answered})
        for kind in [*kinds, "all"]:
            times = [each.seconds for each in self.answered if kind in (each.kind, "all")]
            cost = f"{1000 * self.costs[kind]:8.1f} ms" if kind in self.costs else ""
            yield f"{kind:24} {_spread(times)} {cost}"
        before, after = self.alone
        alone = (before.rate + after.rate) / 2
        yield f"{'ladder, blocks/s':24} alone {before.rate:.2f} and {after.rate:.2f}, "
        yield f"{'':24} under load {self.loaded.rate:.2f}: {_change(self.loaded.rate, alone)}"
        yield f"{'CPU of a block, ms':24} alone {before.each:.1f} and {after.each:.1f}, "
        yield f"{'':24} under load {self.loaded.each:.1f}"
        course = " ".join(f"{each / 1024:.0f}" for each in _tenths(self.memory))
        yield f"{'memory of the server':24} {course} MiB, by tenths of the time"
        yield f"{'streams':24} {self.streams}, {self.megabytes:.1f} MB in all"
        yield f"{'handed in':24} {dict(self.handed_in)}, {dict(self.states)}"
        yield f"{'':24} all decided {self.decided:.0f} s after"
        yield f"{'CPU of the second core':24} server {self.server_cpu:.0%}, this {self.own_cpu:.0%}"
        yield f"{'load average':24} {', '.join(f'{each:.1f}' for each in self.busy)}"
        yield f"{'wrong':24} {len(self.wrong)}"
        yield from self.wrong[:20]


def _spread(times: list[float]) -> str:
    ordered = sorted(times)
    places = [ordered[min(len(ordered) - 1, int(len(ordered) * at))] for at in (0.5, 0.95, 0.99)]
    good = sum(each < LIMIT for each in ordered) / len(ordered)
    figures = " ".join(f"{1000 * each:5.0f} ms" for each in [*places, ordered[-1]])
    return f"{len(ordered):7,} {figures}  {good:7.2%}"


def _change(now: float, then: float) -> str:
    return f"{now / then - 1:+.1%}" if then else "not known"


def _tenths(samples: list[int]) -> list[float]:
    """Return the median of each tenth of the samples, or all if there are fewer."""
    parts = min(10, len(samples))
    bounds = [len(samples) * at // parts for at in range(parts + 1)]
    return [median(samples[a:b]) for a, b in pairwise(bounds)]


class Trial:
    """A site under load."""

    def __init__(
        self, folder: Path, *, sandbox: str, authors: int, games: int, seed: int, pinned: bool
    ) -> None:
        self.folder = folder
        self.site = folder / "site"
        self.found = Found()
        self.chance = random.Random(seed)
        (self.site / "ladders").mkdir(parents=True, mode=0o700)
        (self.site / "site.toml").write_text(SETTINGS)
        self.bots = [f"bot-{number}" for number in range(FIELD)]
        for name in self.bots:
            write_bot(folder / "bots" / name, name)
        paths = ", ".join(f'"{folder / "bots" / name}"' for name in self.bots)
        self.definition = self.site / "ladders" / f"{LADDER}.toml"
        self.definition.write_text(DEFINITION.format(contestants=paths, sandbox=sandbox))
        self.store = self.definition.with_suffix(".ladder")
        cores = sorted(os.sched_getaffinity(0))
        if games:
            self._play_before(games)
        if pinned:
            os.sched_setaffinity(0, cores[:1])
        self.run = self._begin_run()
        if pinned:
            os.sched_setaffinity(0, cores[1:2] or cores)
        self.served = Served(self.site)
        self.host = self.served.host()
        self.authors: list[tuple[Visitor, str]] = []
        for number in range(authors):
            author = self.served.invited(self.host, f"author-{number}")
            self.authors.append((author, token_of(author)))
        self.played = Played(self.store)

    def _play_before(self, games: int) -> None:
        """Let the ladder have a log of so many games, played on all cores."""
        words = ["--store", str(self.store), "--games", str(games)]
        env = {PLACE: str(self.site / "vault")}
        done = arena("ladder", "run", str(self.definition), *words, env=env, limit=DECIDED)
        assert done.code == 0, done.err

    def _begin_run(self) -> subprocess.Popen[bytes]:
        words = [str(self.definition), "--store", str(self.store), "--follow", "--workers", "1"]
        with (self.folder / "run.log").open("wb") as said:
            return subprocess.Popen(
                [sys.executable, "-m", "arena", "ladder", "run", *words],
                stdout=said,
                stderr=said,
                env={**os.environ, PLACE: str(self.site / "vault")},
            )

    def wait_for_pages(self) -> None:
        """Wait until the ladder plays, and its pages are there."""
        deadline = time.monotonic() + DECIDED
        while not (self.site / "public" / LADDER / "index.html").exists():
            assert self.run.poll() is None, (self.folder / "run.log").read_text()
            assert time.monotonic() < deadline, self.served.log
            time.sleep(0.5)

    def end(self) -> None:
        """End all."""
        self.served.remove()
        self.run.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.run.wait(60)
        if self.run.poll() is None:
            self.run.kill()
            self.run.wait()

    @contextmanager
    def stretch(self) -> Iterator[Stretch]:
        """Note what the ladder plays meanwhile."""
        own = Stretch()
        began, blocks, cpu = time.monotonic(), self.played.blocks(), tree_seconds(self.run.pid)
        yield own
        own.seconds = time.monotonic() - began
        own.blocks = self.played.blocks() - blocks
        own.cpu = tree_seconds(self.run.pid) - cpu

    def alone(self, seconds: float) -> None:
        """Let the ladder play alone."""
        with self.stretch() as own:
            time.sleep(seconds)
        self.found.alone.append(own)

    def load(self, seconds: float, rate: float, streams: int) -> None:
        """Load the site for so long."""
        found = self.found
        server = Path(f"/proc/{self.served.process.pid}")
        found.busy.append(os.getloadavg()[0])
        began, own, servers = time.monotonic(), time.process_time(), own_seconds(server)
        ending = Event()

        def watch_memory() -> None:
            while not ending.wait(min(SAMPLES, seconds / 8)):
                found.memory.append(memory(self.served.process.pid))

        watching = Thread(target=watch_memory)
        watching.start()
        with self.stretch() as stretch:
            awaited(self._load(seconds, rate, streams))
        ending.set()
        watching.join()
        found.loaded = stretch
        took = time.monotonic() - began
        found.server_cpu = (own_seconds(server) - servers) / took
        found.own_cpu = (time.process_time() - own) / took
        found.busy.append(os.getloadavg()[0])

    async def _load(self, seconds: float, rate: float, streams: int) -> None:
        load = Load(self.served.address, self.choose, self.chance.randrange(1 << 30))
        await load.watch([_stream(number) for number in range(streams)])
        asking = asyncio.create_task(load.ask(rate, seconds))
        await asyncio.sleep(seconds / 3)
        await self._hand_in()
        await asking
        found = self.found
        found.answered = load.answered
        found.streams = len(load.spectators)
        found.megabytes = sum(each.size for each in load.spectators) / 1e6
        found.wrong += [f"a stream {each.wrong}" for each in load.spectators if each.wrong]
        found.wrong += [each.wrong for each in load.answered if each.wrong]
        load.leave()

    async def _hand_in(self) -> None:
        """Let all authors hand in at once."""
        loop = asyncio.get_running_loop()

        def hand_in(number: int) -> None:
            author, token = self.authors[number]
            data = archive(f"mine-{number}", "1", builds=False, passes=True)
            try:
                reply = author.call("POST", f"/ladders/{LADDER}/submissions", token, data)
            except OSError as error:
                self.found.wrong.append(f"author {number} had no answer: {error!r}")
                return
            words = "accepted" if reply.status == 202 else reply.json["error"]
            self.found.handed_in[words] += 1
            if reply.status not in (202, 429):
                self.found.wrong.append(f"author {number}: {reply.status}: {words}")

        with ThreadPoolExecutor(len(self.authors) or 1) as threads:
            numbers = range(len(self.authors))
            await asyncio.gather(*(loop.run_in_executor(threads, hand_in, at) for at in numbers))
        self._handed_in = time.monotonic()

    def decide(self) -> None:
        """Wait until all that was handed in is decided."""
        while True:
            found = [
                each
                for author, token in self.authors
                for each in author.call("GET", "/submissions", token).json["submissions"]
            ]
            still = [each for each in found if each["open"]]
            if not still or time.monotonic() - self._handed_in > DECIDED:
                break
            time.sleep(1)
        self.found.decided = time.monotonic() - self._handed_in
        self.found.states = Counter(each["state"] for each in found)
        self.found.wrong += [f"still {each}" for each in still]
        self.found.wrong += [f"{each}" for each in found if each["state"] == "failed"]

    def measure_costs(self, times: int) -> None:
        """Note what an answer of each kind costs while nothing else is asked for.

        That does not depend on what else the machine does.
        """
        process = Path(f"/proc/{self.served.process.pid}")

        async def ask(request: Request) -> None:
            connection = await Connection.open(self.served.address)
            for _ in range(times):
                status, _ = await connection.ask(urlsplit(self.served.address).netloc, request)
                if status not in request.good:
                    self.found.wrong.append(f"{request.path}: {status}")
                    break
            connection.close()

        for _, request in self._requests():
            before = own_seconds(process)
            awaited(ask(request))
            self.found.costs[request.kind] = (own_seconds(process) - before) / times

    def choose(self) -> Request:
        """Choose what somebody asks for."""
        requests = self._requests()
        return self.chance.choices([each for _, each in requests], [each for each, _ in requests])[
            0
        ]

    def _requests(self) -> Sequence[tuple[float, Request]]:
        """Return what is asked for, each with how often it is."""
        bot = self.chance.choice(self.bots)
        page, api = f"/ladders/{LADDER}", f"/api/v1/ladders/{LADDER}"
        requests = [
            (5, Request("page: home", "/")),
            (20, Request("page: ladder", page)),
            (5, Request("page: board", f"{page}/board")),
            (12, Request("page: bot", f"{page}/bots/{bot}")),
            (3, Request("page: matches", f"{page}/matches")),
            (3, Request("page: sign in", "/sign-in")),
            (8, Request("asset", f"/assets/{self.chance.choice(['site.css', 'live.js'])}")),
            (16, Request("published page", f"{page}/pages/{self._published()}")),
            (10, Request("api: standings", f"{api}/standings")),
            (8, Request("api: games", f"{api}/games?limit=50")),
            (3, Request("api: games of a bot", f"{api}/games?limit=50&bot={bot}")),
            (5, Request("api: bot", f"{api}/bots/{bot}")),
            (2, Request("api: ladders", "/api/v1/ladders")),
        ]
        if self.authors:
            author, token = self.chance.choice(self.authors)
            headers = {"Authorization": f"Bearer {token}"}
            requests.append((5, Request("api: my submissions", "/api/v1/submissions", headers)))
            cookies = "; ".join(f"{key}={value}" for key, value in author.cookies.items())
            own = Request("page: my submissions", "/submissions", {"Cookie": cookies})
            requests.append((5, own))
        return requests

    def _published(self) -> str:
        """Choose one of the published pages; the last replays may go at any time."""
        pages = ["", "", f"bots/{self.chance.choice(self.bots)}.html", "games/index.html"]
        pages += [f"replays/{self.chance.randrange(10)}.html", "standings.svg", "pairs.html"]
        there = self.site / "public" / LADDER
        return self.chance.choice([each for each in pages if (there / each).exists()])


def _stream(number: int) -> Request:
    """Return what a spectator asks for; each has an address of his own."""
    headers = {"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"}
    headers["Accept-Encoding"] = "gzip"
    if number % WATCHES_JSON == 0:
        return Request("stream", f"/api/v1/ladders/{LADDER}/standings/events", headers)
    return Request("stream", f"/ladders/{LADDER}/events", headers)


def own_seconds(process: Path) -> float:
    """Return the CPU seconds of a process, without those of programs that it has started."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def tree_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, of all below it, and of those that were waited for."""
    found, tree = 0.0, [pid]
    for each in tree:
        with suppress(OSError):
            found += seconds_of(Path(f"/proc/{each}"))
        with suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                tree += map(int, (task / "children").read_text().split())
    return found


def trial(
    folder: Path,
    seconds: float,
    *,
    alone: float = 60,
    rate: float = 100,
    streams: int = 500,
    authors: int = 40,
    sandbox: str = "auto",
    games: int = 0,
    seed: int = 1,
    pinned: bool = True,
    profile: Path | None = None,
) -> Found:
    """Load a site for so long, and say what was found."""
    cores = os.sched_getaffinity(0)
    tried = Trial(folder, sandbox=sandbox, authors=authors, games=games, seed=seed, pinned=pinned)
    spy = None
    try:
        tried.wait_for_pages()
        tried.measure_costs(100)
        tried.alone(alone)
        if profile is not None:
            words = ["py-spy", "record", "-p", str(tried.served.process.pid), "-o", str(profile)]
            words += ["--format", "raw", "--rate", "50", "--duration", str(int(seconds))]
            spy = subprocess.Popen([*words, "--nonblocking"], stdout=subprocess.DEVNULL)
        tried.load(seconds, rate, streams)
        tried.decide()
        if spy is not None:
            spy.wait()
        tried.alone(alone)
        for line in tried.served.log.splitlines():
            if "Traceback" in line or "ERROR" in line:
                tried.found.wrong.append(f"the server's log: {line}")
    finally:
        tried.end()
        os.sched_setaffinity(0, cores)
    return tried.found


def main() -> None:
    """Load a site for as long as is said."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--alone", type=float, default=60)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--authors", type=int, default=40)
    parser.add_argument("--games", type=int, default=1000, help="of the ladder at the start")
    parser.add_argument("--sandbox", default="auto", choices=["none", "auto"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--json", type=Path, help="write the times of all answers there")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing is left of it then, either
    folder = (given.folder or Path(tempfile.mkdtemp(prefix="loaded-")) / "trial").absolute()
    found = trial(
        folder,
        given.seconds,
        alone=given.alone,
        rate=given.rate,
        streams=given.streams,
        authors=given.authors,
        sandbox=given.sandbox,
        games=given.games,
        profile=given.profile,
    )
    print("\n".join(found.lines()))
    if given.json:
        rows = [[each.kind, round(each.seconds, 4)] for each in found.answered]
        given.json.write_text(json.dumps(rows))
    if not found.wrong and given.folder is None:
        shutil.rmtree(folder.parent)
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
