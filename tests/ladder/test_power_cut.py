"""Power cuts: blocks that were said to be stored are there, whatever the disk has lost.

The system calls of a real run are recorded with strace. From them the files are rebuilt as they
may stand after a power cut at any moment: what was synced is there; of what was not, some sectors
and some names, in any order.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from arena.ladder.checkup import examine, repair
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from arena.ladder.store_files import StoreError
from command import arena
from ladder.fields import definition

pytestmark = pytest.mark.source_only

SECTOR = 512
CALLS = "write,pwrite64,fsync,fdatasync,ftruncate,rename,openat,mkdir,unlink"
RUNS = (20, 40, 60)
"""How many games each of the runs plays to; each opens the store anew."""
DRIVER = """
import sys
from pathlib import Path

from arena.cli.arguments import plugins
from arena.cli.ladder.files import definition_in
from arena.ladder.goal import Goal
from arena.ladder.field import enter
from arena.ladder.opening import open_store
from arena.ladder.run import Run
from arena.records.entries import Budget
from arena.sandbox.sandbox import UNCONFINED

definition = definition_in(Path("test.toml"))
for games in map(int, sys.argv[1:]):
    with open_store(definition, Path("test.ladder")) as store:
        enter(store, definition)
        end = Budget(games=games)
        run = Run(store, definition.bots, plugins().games["castors"], Goal(definition.budget, end))
        report = lambda progress: print(progress.games, flush=True)
        run.play(plugins().runners["local"], UNCONFINED, 2, report)
"""
CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+).*")
ESCAPED = re.compile(r'["<]((?:\\x[0-9a-f]{2})*)[">]')
DESCRIPTOR = re.compile(r"(\d+)<")


@dataclass(frozen=True)
class Event:
    """What a process has done: a call on a file, or a number of games said to be stored."""

    what: str
    path: str = ""
    data: bytes = b""
    to: str = ""
    number: int = 0


@dataclass
class File:
    """A file: what of it is on the disk, and what was done since."""

    synced: bytes = b""
    now: bytes = b""
    written: list[tuple[int, bytes]] = field(default_factory=list)

    def after_cut(self, random: Random) -> bytes:
        """What may be read of it after a power cut."""
        kind = random.choice(("lost", "all", "torn", "mixed"))
        if kind == "lost":
            return self.synced
        if kind == "all":
            return self.now
        data = bytearray(self.synced)
        for at, written in self.written:
            for start in range(at - at % SECTOR, at + len(written), SECTOR):
                first, last = max(start, at), min(start + SECTOR, at + len(written))
                if random.random() < 0.5:
                    data.extend(bytes(max(0, last - len(data))))
                    data[first:last] = written[first - at : last - at]
                elif kind == "torn":
                    return bytes(data)
        return bytes(data)


@dataclass(frozen=True)
class Change:
    """What was done to a name: a file or a folder was made, or it is gone, or another now."""

    path: str
    to: str | None = None
    file: File | None = None
    gone: bool = False

    def do(self, names: dict[str, File | None]) -> None:
        """Do it to these names, if it can be done."""
        if self.gone:
            names.pop(self.path, None)
        elif self.to is None:
            names[self.path] = self.file
        else:
            for name in [n for n in names if n == self.path or n.startswith(f"{self.path}/")]:
                names[self.to + name[len(self.path) :]] = names.pop(name)


def folder_of(path: str) -> str:
    """The folder that a name is in; "" at the top."""
    return path.rpartition("/")[0]


class Disk:
    """The files and names in a folder, None for folders, and what of them is on the disk."""

    def __init__(self) -> None:
        self.names: dict[str, File | None] = {}
        self.synced: dict[str, File | None] = {}
        """The names that are on the disk."""
        self.pending: list[Change] = []
        """What was done to names that is not yet on the disk."""

    def do(self, event: Event) -> None:
        """Go on to an event."""
        path = event.path
        match event.what:
            case "write":
                file = self._file(path)
                file.written.append((len(file.now), event.data))
                file.now += event.data
            case "ftruncate":
                file = self._file(path)
                file.now = file.now[: event.number]
                file.written = [(0, file.now)]
            case "sync" if self.names.get(path) is not None:
                file = self._file(path)
                file.synced, file.written = file.now, []
            case "sync":
                for change in self.pending:
                    if folder_of(change.path) == path:
                        change.do(self.synced)
                self.pending = [c for c in self.pending if folder_of(c.path) != path]
            case "create" if path not in self.names:
                self._change(Change(path, file=File()))
            case "mkdir":
                self._change(Change(path))
            case "unlink":
                self._change(Change(path, gone=True))
            case "rename":
                self._change(Change(path, to=event.to))

    def after_cut(self, random: Random) -> dict[str, bytes | None]:
        """What may be there after a power cut: the files by name, None for folders."""
        names = dict(self.synced)
        for change in self.pending:
            if random.random() < 0.5:
                change.do(names)
        return {
            path: None if file is None else file.after_cut(random)
            for path, file in names.items()
            if folder_of(path) in ("", *names)
        }

    def _change(self, change: Change) -> None:
        change.do(self.names)
        self.pending.append(change)

    def _file(self, path: str) -> File:
        file = self.names[path]
        assert file is not None
        return file


def recorded(folder: Path) -> list[Event]:
    """What the runs of a ladder do in this folder, in order, and what they say meanwhile."""
    trace = folder / "trace"
    done = subprocess.run(
        [
            *("strace", "-o", trace, "-y", "-xx", "-s", "10000000", "-e", f"trace={CALLS}"),
            *(sys.executable, "-c", DRIVER, *map(str, RUNS)),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if "Operation not permitted" in done.stderr and not os.environ.get("CI"):
        pytest.skip("strace may not follow a process here")
    assert done.returncode == 0, done.stderr
    lines = trace.read_text(encoding="ascii").splitlines()
    events = [event for line in lines for event in events_of(line, folder)]
    said = [str(event.number) for event in events if event.what == "said"]
    assert said == done.stdout.split()
    trace.unlink()
    return events


def events_of(line: str, folder: Path) -> Iterator[Event]:
    """Yield what a line of the trace says of this folder."""
    found = CALL.fullmatch(line.rstrip())
    if found is None or int(found[3]) < 0:
        return
    call, arguments = found[1], found[2]
    texts = [unescaped(text) for text in ESCAPED.findall(arguments)]

    def within(path: bytes) -> str:
        return os.path.relpath(folder / os.fsdecode(path), folder)

    descriptor = DESCRIPTOR.match(arguments)
    if call == "openat" and "O_CREAT" in arguments:
        yield from kept(Event("create", within(texts[1])))
    elif call in ("mkdir", "unlink"):
        yield from kept(Event(call, within(texts[0])))
    elif call == "rename":
        yield from kept(Event(call, within(texts[0]), to=within(texts[1])))
    elif descriptor is not None and call in ("fsync", "fdatasync"):
        path = within(texts[0])
        yield from kept(Event("sync", "" if path == "." else path))
    elif descriptor is not None and call == "ftruncate":
        size = int(arguments.rpartition(", ")[2])
        yield from kept(Event(call, within(texts[0]), number=size))
    elif descriptor is not None and call in ("write", "pwrite64"):
        assert int(found[3]) == len(texts[1])
        if descriptor[1] == "1":
            yield from (Event("said", number=int(word)) for word in texts[1].split())
        yield from kept(Event("write", within(texts[0]), texts[1]))


def kept(event: Event) -> Iterator[Event]:
    """Yield an event if it is of the store."""
    if event.path == "" or event.path.startswith("test.ladder"):
        yield event


def unescaped(text: str) -> bytes:
    """What strace has written in hexadecimal."""
    return bytes.fromhex(text.replace("\\x", ""))


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of a ladder that is played in several runs."""
    if shutil.which("strace") is None:
        assert not os.environ.get("CI"), "CI needs strace"
        pytest.skip("no strace here")
    folder = tmp_path_factory.mktemp("traced")
    definition(folder, games=RUNS[-1])
    return recorded(folder)


def cuts(events: Sequence[Event], random: Random) -> Iterator[tuple[int, dict[str, bytes | None]]]:
    """Yield what may be there after a cut at each moment, and how many games were said to be."""
    disk, said = Disk(), 0
    for event in events:
        if event.what == "said":
            said = event.number
        else:
            disk.do(event)
        for _ in range(5):
            yield said, disk.after_cut(random)


def lost(found: dict[str, bytes | None], said: int, log: bytes, folder: Path) -> str:
    """What is wrong with a store after a power cut, or ""; it is repaired if it has to be."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in sorted(found.items()):
        if data is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(data)
    store = folder / "test.ladder"
    if not store.exists():
        return f"no store, and {said} games were said to be in it" if said else ""
    try:
        Store.open(store, write=True).__exit__(None, None, None)
    except StoreError:
        try:
            repair(examine(store))
        except StoreError as error:
            return str(error)
    if not log.startswith((store / "log").read_bytes()):
        return "another log"
    with Store.open(store, write=True) as opened:
        games = scorebook(opened).games
        if games != opened.ledger.games:
            return f"{games} games were counted, {opened.ledger.games} are there"
    return f"{said} games were said to be there, {games} are" if games < said else ""


def whole_log(events: Sequence[Event]) -> bytes:
    """The log at the end."""
    disk = Disk()
    for event in events:
        if event.what != "said":
            disk.do(event)
    file = disk.names["test.ladder/log"]
    assert file is not None
    return file.now


def test_what_was_said_to_be_stored_is_there(tmp_path: Path, events: list[Event]) -> None:
    """At every moment of the runs, whatever was lost, torn or written in another order."""
    log = whole_log(events)
    states = 0
    for said, found in cuts(events, Random(1)):
        assert not lost(found, said, log, tmp_path / "cut")
        states += 1
    assert states > 300


def test_without_its_syncs_games_would_be_lost(tmp_path: Path, events: list[Event]) -> None:
    """The rebuilding shows what a power cut takes, if a log is not synced or its folder is not."""
    log = whole_log(events)
    for unsynced in ("test.ladder/log", ""):
        without = [e for e in events if e.what != "sync" or e.path != unsynced]
        found = cuts(without, Random(1))
        assert any(lost(state, said, log, tmp_path / "cut") for said, state in found)


def test_the_ladder_goes_on_after_a_power_cut(tmp_path: Path, events: list[Event]) -> None:
    """From some of these states, with the commands, to the same log."""
    log = whole_log(events)
    random = Random(2)
    states = [(said, found) for said, found in cuts(events, random) if said]
    for number, (_, found) in enumerate(random.sample(states, 4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in sorted(found.items()):
            if data is None:
                (folder / name).mkdir()
            else:
                (folder / name).write_bytes(data)
        path = definition(folder, games=RUNS[-1])
        if arena("ladder", "check", cwd=folder).code:
            assert arena("ladder", "check", "--repair", cwd=folder).code == 0
        done = arena("ladder", "run", path.name, cwd=folder)
        assert done.code == 0, done.err
        assert (folder / "test.ladder" / "log").read_bytes() == log
