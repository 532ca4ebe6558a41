"""A run that follows a ladder, killed again and again, while several processes leave wishes.

    python tests/ladder/following.py --seconds 3600 --folder /tmp/followed

plays for so long, and says what was found. A test does the same for some seconds. For the first
four fifths of the time the run and those who wish are killed at random. Then one run lives for the
rest: first the field changes all the time, then it stands still, and its memory is measured in
both. At last it is idle. Meanwhile another process plays the log of the first part again. All bots
are one program, so there a few processes play for all of them: what has to be the same is the log.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import median
from types import MappingProxyType
from typing import Final, TextIO

from arena.blocks.block import Block, BlockResult
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Crew, Runner, Venue
from arena.cli.arguments import find_game, plugins
from arena.cli.ladder.programs import find_program
from arena.ladder.asking import ask
from arena.ladder.goal import Goal
from arena.ladder.run import Run
from arena.ladder.state import read_state
from arena.ladder.store import Store
from arena.ladder.wishes import (
    Annul,
    ChangeBudget,
    Close,
    Enter,
    GoOn,
    Pause,
    Refusal,
    Wish,
    Withdraw,
)
from arena.process.process_tree import children
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.records.entries import BlockPlayed, Budget, Contestant, Entry, Opened, TimeControl
from arena.referee.deals import BlockDeals, Deal
from arena.sandbox.owner import is_left
from arena.sandbox.sandbox import UNCONFINED

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from ladder.fields import definition

WISHERS = 4
MOST_EACH = 6
"""How many bots each of them has in the field at a time."""
TOGETHER = 3
"""How many enter at a time while memory is measured, in the places of as many."""
EACH_NEWCOMER = 24.0
"""KiB that a contestant may cost for good: his name, his results, whom he has met."""
EACH_BLOCK = 0.1
"""KiB that a block may cost for good; nothing is kept of it, and this is for what allocators do."""
SPARE = 4096.0
"""KiB by which memory may differ from one moment to another."""
MOST_IDLE = 0.01
"""The share of a core that a run may take where nothing is played."""
PATIENT: Final = TimeControl(decision=60_000, bank=600_000, start=60_000)
"""A clock by which nothing is a stall."""
MARK = "ARENA_FOLLOWING"
"""An environment variable that all processes of a trial have."""


@dataclass(frozen=True)
class Sample:
    """What a life came to at a moment."""

    contestants: int
    """All that ever entered."""
    games: int
    kib: int
    """The memory of the run and its workers."""


@dataclass(frozen=True)
class Growth:
    """How the memory of a life grew: medians of a quarter of the samples at either end."""

    first: Sample
    last: Sample

    @classmethod
    def of(cls, samples: list[Sample]) -> Growth:
        """Return the growth over these."""
        quarter = max(1, len(samples) // 4)
        return cls(_middle(samples[:quarter]), _middle(samples[-quarter:]))

    @property
    def kib(self) -> int:
        """By how much it grew."""
        return self.last.kib - self.first.kib

    @property
    def newcomers(self) -> int:
        """How many have entered meanwhile."""
        return self.last.contestants - self.first.contestants

    @property
    def allowed(self) -> float:
        """By how much it may grow, for those who came and what was played."""
        blocks = (self.last.games - self.first.games) / 4
        return SPARE + EACH_NEWCOMER * self.newcomers + EACH_BLOCK * blocks

    def __str__(self) -> str:
        games = self.last.games - self.first.games
        each = f", {self.kib / self.newcomers:.1f} KiB for each" if self.newcomers else ""
        return (
            f"{self.kib} KiB more than {self.first.kib}, {self.allowed:.0f} allowed, in {games} "
            f"games with {self.newcomers} newcomers{each}"
        )


def _middle(samples: list[Sample]) -> Sample:
    parts = zip(*((each.contestants, each.games, each.kib) for each in samples), strict=True)
    return Sample(*(round(median(part)) for part in parts))


@dataclass
class Found:
    """What was found in a trial."""

    lives: int = 0
    """How often the run was started."""
    wishes: int = 0
    granted: int = 0
    blocks: int = 0
    entries: int = 0
    wrong: list[str] = field(default_factory=list)
    """What is not as it should be."""
    descriptors: tuple[int, int] = (0, 0)
    """Open descriptors of a run, at the beginning and the end of a life without kills."""
    changing: Growth | None = None
    """The memory of that life and of its workers, while the field changed all the time."""
    standing: Growth | None = None
    """The same, while nobody entered or left."""
    idle: float = 0.0
    """The share of a core that it takes while nothing is played."""


def wish_for(seconds: float, number: int, path: Path, seed: int) -> None:
    """Leave wishes for so long, one after the other, and note each with its answer."""
    random = Random(seed)
    ends = time.monotonic() + seconds
    at = 0
    with (path.parent / f"wisher-{number}").open("a+") as notes:
        mine = left_by(notes)
        while time.monotonic() < ends:
            at += 1
            token = f"w{number}-{seed}-{at}"
            wish = chosen(random, token, mine)
            if isinstance(wish, Enter | Withdraw):
                asks = {"token": token, "enters": isinstance(wish, Enter), "bots": bots_of(wish)}
                notes.write(json.dumps(asks) + "\n")
                notes.flush()
            try:
                asked = ask(path, wish, find_program, lambda _: None)
            except Refusal:
                continue
            answer = asked.answer
            assert answer is not None
            note = {"token": token, "wish": type(wish).__name__, "granted": answer.granted}
            notes.write(json.dumps({**note, "entries": list(answer.entries)}) + "\n")
            notes.flush()
            if isinstance(wish, Enter) and answer.granted:
                mine.append(token)
            time.sleep(random.uniform(0, 0.4))


def left_by(notes: TextIO) -> list[str]:
    """The bots that an earlier process with these notes has let in, or may have."""
    notes.seek(0)
    mine: dict[str, None] = {}
    for line in notes:
        note = json.loads(line)
        for name in note.get("bots", ()):
            mine.pop(name, None)
            if note["enters"]:
                mine[name] = None
    return list(mine)


def bots_of(wish: Enter | Withdraw) -> list[str]:
    """The names of the bots that somebody wishes to come or to go."""
    return [bot if isinstance(bot, str) else bot.name for bot in wish.bots]


def named(name: str) -> Contestant:
    """The random bot, under this name."""
    return contestant_of(replace(plugins(quiet=True).bots["random"], name=name))


def chosen(random: Random, token: str, mine: list[str]) -> Wish:
    """A wish, with a token by which its entry is known."""
    kind = random.random()
    if kind < 0.6:
        if mine and (kind < 0.3 or len(mine) >= MOST_EACH):
            return Withdraw(bots=(mine.pop(random.randrange(len(mine))),), reason=token)
        return Enter(bots=(named(token),))
    if kind < 0.62:
        return Pause(reason=token)
    if kind < 0.78:
        return GoOn(reason=token)
    if kind < 0.88:
        return ChangeBudget(budget=Budget(each=random.randint(30, 3000)), reason=token)
    if kind < 0.95:
        return Annul(blocks=(random.randrange(500),), reason=token)
    return Withdraw(bots=("nobody",), reason=token)


def begin(path: Path) -> subprocess.Popen[bytes]:
    """A run that follows the ladder of this definition."""
    with (path.parent / "said").open("ab") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", "run", path.name, "--follow"],
            cwd=path.parent,
            stdout=said,
            stderr=said,
            env={**os.environ, MARK: str(path.parent)},
        )


def await_run(store: Path, run: subprocess.Popen[bytes]) -> None:
    """Wait until a run says in its store what it does."""
    while (state := read_state(store)) is None or state.process != run.pid:
        assert run.poll() is None, run.returncode
        time.sleep(0.1)


def wisher(number: int, path: Path, seconds: float, seed: int) -> subprocess.Popen[bytes]:
    """A process that leaves wishes."""
    words = ["--wisher", str(number), "--seconds", str(seconds), "--seed", str(seed)]
    return subprocess.Popen(
        [sys.executable, __file__, *words, "--folder", str(path.parent)],
        env={**os.environ, MARK: str(path.parent)},
    )


def trial(path: Path, seconds: float, seed: int) -> Found:
    """Follow the ladder of a definition for so long, with kills; say what was found."""
    random = Random(seed)
    found = Found()
    store = path.parent / "test.ladder"
    ends = time.monotonic() + seconds
    run = begin(path)
    found.lives = 1
    played = Played(store)
    while not (store / "log").exists() and run.poll() is None:
        time.sleep(0.05)
    wishers = [wisher(number, path, seconds, seed + number) for number in range(WISHERS)]
    while time.monotonic() < ends:
        time.sleep(random.uniform(0, 0.5))
        played.more(random.choice([0, 1, 4, 10, 20]), ends)
        if random.random() < 0.3:
            victim = random.randrange(WISHERS)
            wishers[victim].kill()
            wishers[victim].wait()
            left = max(1.0, ends - time.monotonic())
            wishers[victim] = wisher(victim, path, left, random.randrange(1 << 30))
        if random.random() < 0.3:
            os.utime(path)
        if random.random() < 0.6:
            run.send_signal(random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
            if run.wait() not in (0, -signal.SIGKILL, -signal.SIGTERM):  # the last as it starts
                found.wrong.append(f"the run ended with {run.returncode}")
            time.sleep(random.choice([0, 0, 0.5]))
            run = begin(path)
            found.lives += 1
    for each in wishers:
        if each.wait() not in (0, -signal.SIGKILL):
            found.wrong.append(f"a wisher ended with {each.returncode}")
    ask(store, ChangeBudget(budget=Budget(each=31), reason="last"), find_program, print)
    with suppress(Refusal):
        ask(store, GoOn(), find_program, print)
    await_run(store, run)  # else the signal could come before it has said what it does then
    run.send_signal(signal.SIGTERM)
    if run.wait() != 0:
        found.wrong.append(f"the run ended with {run.returncode}, not with 0")
    compare(store, found)
    left = marked(str(path.parent))
    if left:
        found.wrong.append(f"{len(left)} processes are left: {left}")
    return found


class Played:
    """Counts the blocks of a log that grows, and reads each line once."""

    def __init__(self, store: Path) -> None:
        self._log = store / "log"
        self._end = 0
        self._blocks = 0

    def blocks(self) -> int:
        """Return how many there are by now."""
        with self._log.open("rb") as log:
            log.seek(self._end)
            for line in log:
                if line.endswith(b"\n"):
                    self._end += len(line)
                    self._blocks += b'"entry":"block"' in line
        return self._blocks

    def more(self, blocks: int, ends: float) -> None:
        """Wait until so many more are played, or the time is up."""
        wanted = self.blocks() + blocks
        while self.blocks() < wanted and time.monotonic() < ends:
            time.sleep(0.05)


def compare(store: Path, found: Found) -> None:
    """Compare what was answered with what the log has."""
    log = [line[33:] for line in (store / "log").read_bytes().splitlines()]
    others = [line for line in log if b'"entry":"block"' not in line]
    found.entries, found.blocks = len(log), len(log) - len(others)
    times: Counter[str] = Counter()
    for line in others:
        entry = json.loads(line)
        said = [entry.get("reason", "")] + [each["name"] for each in entry.get("contestants", ())]
        said += [each.get("reason", "") for each in entry.get("leave", ())]
        times.update(set(said))
    taken: Counter[int] = Counter()
    for path in sorted(store.parent.glob("wisher-*")):
        for line in path.read_text().splitlines():
            note = json.loads(line)
            if "granted" not in note:
                continue  # it was killed before the answer
            found.wishes += 1
            found.granted += note["granted"]
            token = note["token"]
            if times[token] != note["granted"]:
                found.wrong.append(f"{token}: {times[token]} times in the log: {note}")
            for entry in note["entries"]:
                taken[entry] += 1
                if token.encode() not in log[entry]:
                    found.wrong.append(f"{token}: entry {entry} is not its own")
    if taken and max(taken.values()) > 1:
        found.wrong.append("an entry is the answer to two wishes")
    twice = [token for token, count in times.items() if token.startswith("w") and count > 1]
    if twice:
        found.wrong.append(f"more than once in the log: {twice}")


def attempts_of(store: Path) -> dict[int, int]:
    """How often each block of a log was broken off, if it was."""
    with Store.open(store) as opened:
        blocks = [each for each in opened.entries() if isinstance(each, BlockPlayed)]
    return {each.number: each.attempt for each in blocks if each.attempt}


def played_again(store: Path, copy: Path, runner: Runner | None = None) -> bytes:
    """The log of a run that was given the same entries before the same blocks."""
    with Store.open(store) as opened:
        entries: list[Entry] = list(opened.entries())
        secret, contest = opened.secret, opened.contest
        known = {each.digest: find_program(each) for each in opened.ledger.contestants}
    assert isinstance(entries[0], Opened)
    ends: list[int] = []  # for each entry that is no block, the number of blocks before it
    blocks = 0
    for entry in entries:
        blocks += isinstance(entry, BlockPlayed)
        ends.append(blocks)
    game = find_game(contest.game)
    with Store.create(copy, contest, secret) as made:
        ledger = made.ledger

        def bots() -> dict[str, BotSpec]:
            playing = (ledger.contestants[number].digest for number in ledger.playing)
            return {digest: known[digest] for digest in playing}

        waiting = [
            (end, entry)
            for end, entry in zip(ends[1:], entries[1:], strict=True)
            if not isinstance(entry, BlockPlayed)
        ]
        first = [entry for end, entry in waiting if end == 0]
        for entry in first:
            made.append(entry)
        waiting = waiting[len(first) :]
        run = Run(made, bots(), game, Goal(ledger.budget))
        with (runner or LocalRunner()).crew(run.venue(UNCONFINED, 2)) as crew:
            while ledger.blocks < blocks:
                now = [entry for end, entry in waiting if end == ledger.blocks]
                for entry in now:
                    made.append(entry)
                waiting = waiting[len(now) :]
                run.take_up(now, bots(), Goal(ledger.budget))
                until = waiting[0][0] if waiting else blocks
                run.go_on(crew, lambda _: None, Countdown(until - ledger.blocks))
        for _, entry in waiting:
            made.append(entry)
    return (copy / "log").read_bytes()


@dataclass(frozen=True)
class LaterDeals(BlockDeals):
    """The deals of a block from one of its attempts on."""

    attempts: int = 0

    def deal(self, rotation: int, attempt: int = 0) -> Deal:
        return super().deal(rotation, attempt + self.attempts)


class StandIns(Runner):
    """Has few processes play for all bots, which have to be one program under many names.

    A block that was broken off by stalls of the host is played on the cards that it had at last.
    """

    name = "stand-ins"

    def __init__(self, attempts: Mapping[int, int] = MappingProxyType({})) -> None:
        self._attempts = attempts

    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        with self.crew(venue) as crew:
            yield from crew.play(blocks)

    @contextmanager
    def crew(self, venue: Venue) -> Iterator[Crew]:
        seats = range(max(venue.terms.game.players))
        bots = [replace(plugins(quiet=True).bots["random"], name=f"seat-{at}") for at in seats]
        sitting = [contestant_of(each) for each in bots]
        known = {each.digest: bot for each, bot in zip(sitting, bots, strict=True)}
        # Suspension takes time, and changes no move; what stalls here was no stall before.
        terms = replace(venue.terms, control=PATIENT, suspend=False)
        with LocalRunner().crew(replace(venue, bots=known, terms=terms)) as crew:
            yield _StandIns(crew, sitting, venue, bots[0], self._attempts)


class _StandIns(Crew):
    """Workers that play for others."""

    def __init__(
        self,
        crew: Crew,
        sitting: Sequence[Contestant],
        venue: Venue,
        bot: BotSpec,
        attempts: Mapping[int, int],
    ) -> None:
        self._attempts = attempts
        self._crew = crew
        self._sitting = sitting
        self._venue = venue
        self._bot = bot

    def play(self, blocks: Iterable[Block]) -> Generator[Sequence[BlockResult], None, None]:
        for each in self._venue.bots.values():
            assert replace(each, name=self._bot.name) == self._bot, each
        for results in self._crew.play(map(self._stood_in, blocks)):
            yield [
                replace(each, attempt=each.attempt + self._attempts.get(each.number, 0))
                for each in results
            ]

    def _stood_in(self, block: Block) -> Block:
        sitting = tuple(self._sitting[: len(block.contestants)])
        deals = LaterDeals(block.deals.key, self._attempts.get(block.number, 0))
        return replace(block, contestants=sitting, deals=deals)


class Countdown:
    """Says after so many blocks that the run is to stop; it is asked after the first."""

    def __init__(self, blocks: int) -> None:
        self._left = blocks

    def __call__(self) -> bool:
        self._left -= 1
        return self._left <= 0


def left_behind() -> set[str]:
    """Mounts, control groups and folders of arenas on this host, of processes that are gone."""
    found = set(Path("/proc/self/mounts").read_text().splitlines())
    with suppress(OSError):
        found.update(
            str(each) for each in Path(tempfile.gettempdir()).iterdir() if is_left(each.name)
        )
    for place, groups, _ in os.walk("/sys/fs/cgroup"):  # passes over those that go meanwhile
        found.update(f"{place}/{each}" for each in groups if is_left(each))
    return found


def marked(mark: str) -> list[int]:
    """The processes of a trial that still run."""
    found = []
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = []
        for each in Path("/proc").iterdir():
            if each.name.isdigit() and int(each.name) != os.getpid():
                with suppress(OSError):
                    if f"{MARK}={mark}".encode() in (each / "environ").read_bytes().split(b"\0"):
                        found.append(int(each.name))
        if not found:
            return []
        time.sleep(0.1)
    return found


def coming(at: int) -> tuple[str, ...]:
    """The names of those who enter together."""
    return tuple(f"s{at}-{number}" for number in range(TOGETHER))


def steady(path: Path, seconds: float, found: Found) -> None:
    """Follow for so long without a kill, with bots that come and go; then be idle."""
    store = path.parent / "test.ladder"
    run = begin(path)
    process = Path(f"/proc/{run.pid}")

    def change(at: int) -> None:
        asks: list[Wish] = [Enter(bots=tuple(map(named, coming(at))))]
        asks += [Withdraw(bots=coming(at - 1))] if at else []
        for wish in asks:
            answer = ask(store, wish, find_program, lambda _: None).answer
            if answer is None or not answer.granted:
                found.wrong.append(f"{wish}: {answer}")

    await_run(store, run)
    for at in range(6):
        change(at)
    before = descriptors(process)
    workers = {each for each in children(run.pid) if memory(each)}

    def sample() -> Sample:
        now = read_state(store)
        own = sum(memory(each) for each in (run.pid, *workers))
        return Sample(at * TOGETHER, 0 if now is None else now.games, own)

    samples = [sample()]
    began = time.monotonic()
    while time.monotonic() - began < seconds * 0.6:
        at += 1
        change(at)
        samples.append(sample())
        time.sleep(0.2)
    found.changing = Growth.of(samples)
    ask(store, ChangeBudget(budget=Budget(each=10**6)), find_program, lambda _: None)
    samples = []
    while not samples or time.monotonic() - began < seconds:
        time.sleep(0.5)
        samples.append(sample())
    found.standing = Growth.of(samples)
    for growth in (found.changing, found.standing):
        if growth.kib > growth.allowed:
            found.wrong.append(f"memory: {growth}")
    found.descriptors = before, descriptors(process)
    if workers != {each for each in children(run.pid) if memory(each)}:
        found.wrong.append("the workers did not stay")
    answer = ask(store, Pause(), find_program, lambda _: None)
    assert answer.answer is not None
    time.sleep(1)
    cpu, now = seconds_of(process), time.monotonic()
    time.sleep(min(20, seconds))
    found.idle = (seconds_of(process) - cpu) / (time.monotonic() - now)
    ask(store, Close(), find_program, lambda _: None)
    if run.wait() != 0:
        found.wrong.append(f"a run that was closed ended with {run.returncode}")


def descriptors(process: Path) -> int:
    """How many descriptors a process has open."""
    return len(list((process / "fd").iterdir()))


def memory(process: int) -> int:
    """The memory of a process without files, in KiB, with what it shares with others.

    A worker begins with the memory of the run, and each time that one of the two writes to a page
    they share less. So a process's share grows for hours, up to this figure, which grows only where
    something is added.
    """
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    # Whoever has ended, and was not waited for yet, has no such line.
    line = next((line for line in lines if line.startswith("RssAnon")), "RssAnon: 0 kB")
    return int(line.split()[1])


def seconds_of(process: Path) -> float:
    """The CPU seconds of a process and of the children that it has waited for."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Play for as long as is said."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="none", choices=["none", "auto"])
    parser.add_argument("--wisher", type=int)
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    if given.again:
        first = given.folder / "first.ladder"
        stand_ins = StandIns(attempts_of(first))
        again = played_again(first, given.folder / "again.ladder", stand_ins)
        raise SystemExit(again != (first / "log").read_bytes())
    if given.wisher is not None:
        wish_for(given.seconds, given.wisher, given.folder / "test.ladder", given.seed)
        return

    given.folder.mkdir(parents=True)
    sandbox = None if given.sandbox == "auto" else given.sandbox
    allow = 'allow = ["no-cgroup", "no-freezer"]'
    path = definition(given.folder, each=300, sandbox=sandbox, more=allow)
    before = left_behind()
    found = trial(path, given.seconds * 0.8, given.seed)
    print(found, flush=True)
    shutil.copytree(given.folder / "test.ladder", given.folder / "first.ladder")
    words = ["--again", "--folder", str(given.folder)]
    second = subprocess.Popen([sys.executable, __file__, *words])
    steady(path, given.seconds * 0.2, found)
    if second.wait():
        found.wrong.append("the log is not that of a run with the same entries")
    if found.idle >= MOST_IDLE:
        found.wrong.append(f"while idle it takes {found.idle:.1%} of a core")
    if left := left_behind() - before:
        found.wrong.append(f"left behind: {sorted(left)}")
    print(found)
    print(f"memory while the field changed: {found.changing}")
    print(f"memory while it stood: {found.standing}")
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
