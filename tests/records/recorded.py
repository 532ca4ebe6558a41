"""Real matches, recorded once as logs, and ways to tamper with their entries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from arena.discovery import discover
from arena.games.game import Game
from arena.programs.spec import BotSpec
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Closed, Entry, TimeControl
from arena.records.game_record import GameRecord
from arena.records.ledger import follow_logs
from arena.records.tree import Tree
from arena.referee.deals import Deals
from arena.referee.match import NAME, Match, beginning
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.referee.verification import verify_file

CONTROL = TimeControl(decision=5_000, bank=60_000, start=60_000)
SECRET = b"tests"

Lines: TypeAlias = tuple[bytes, ...]
"""A log, as lines without their ends."""
Map: TypeAlias = dict[str, Any]
"""An entry as JSON has it, to be changed."""
Change: TypeAlias = Callable[[Map], Any]

OPENED, CHANGED, ENTERED, FIRST_BLOCK, SECOND_BLOCK = range(5)
"""At which lines of a match its entries are, from 0."""

NOTING = '''
"""Plays by chance, and notes something now and then."""
from arena_sdk import run

def choose(question):
    if question.random.random() < 0.5:
        question.note = f"\\x1b[31mI think…\\n{len(question.actions)} ways"
    return int(question.random.random() * len(question.actions))

run(choose, name="noting")
'''

FAILING = '''
"""Plays by chance, and at its tenth decision something illegal."""
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    if asked == 10:
        return ["fly", 1]
    question.note = f"decision {asked}"
    return int(question.random.random() * len(question.actions))

run(choose, name="failing")
'''

ABSENT = '''
"""Never says hello."""
raise SystemExit(3)
'''


@cache
def games() -> dict[str, Game]:
    """The installed games by name."""
    return discover({}).games


@cache
def sound(game: str) -> Lines:
    """Four games between three bots that play by chance; one of them writes notes."""
    with TemporaryDirectory() as folder:
        noting = program(Path(folder), "noting", NOTING)
        return played(game, [_random(), noting, _random()], 4)


@cache
def single(game: str) -> Lines:
    """The first of these games, alone."""
    with TemporaryDirectory() as folder:
        noting = program(Path(folder), "noting", NOTING)
        return played(game, [_random(), noting, _random()], 1)


@cache
def faulty(game: str) -> Lines:
    """Two games; one bot plays something illegal, and another one cannot be started."""
    with TemporaryDirectory() as folder:
        failing = program(Path(folder), "failing", FAILING)
        absent = program(Path(folder), "absent", ABSENT)
        return played(game, [_random(), failing, absent, _random()], 2)


def program(folder: Path, name: str, text: str) -> BotSpec:
    """A bot made of this text."""
    (folder / f"{name}.py").write_text(text)
    return BotSpec(name=name, run=("python3", f"{name}.py"), folder=folder, files=(f"{name}.py",))


def played(
    name: str, bots: Sequence[BotSpec], count: int, rules: dict[str, object] | None = None
) -> Lines:
    """The log of a match between these bots, from its first entry to its last."""
    game = games()[name]
    terms = Terms(game, game.rules(rules or {}), CONTROL)
    with Roster(bots, terms) as roster:
        match = Match(roster, Deals.of(SECRET, NAME), draw_seats=True)
        log: list[Entry] = list(
            beginning(
                terms,
                match.contestants,
                sandbox="none",
                held="none",
                secret=SECRET,
                seed=SECRET.decode(),
                games=count,
            )
        )
        log += [block.entry for block in match.blocks(count)]
        log.append(Closed(reason="budget", secret=SECRET.hex()))
        return tuple(map(entry_line, log))


def _random() -> BotSpec:
    return discover({}).bots["random"]


def records_of(lines: Iterable[bytes]) -> list[GameRecord]:
    """The games of a log."""
    return [
        record
        for ledger, entry in follow_logs(lines)
        if isinstance(entry, BlockPlayed)
        for record in ledger.records(entry)
    ]


@dataclass(frozen=True)
class Place:
    """Where the game of a number is in a log: its line from 0, and which of the block's it is."""

    line: int
    rotation: int

    @property
    def path(self) -> str:
        """The place as a difference that was found before the rules names it."""
        return f"games[{self.rotation}]"


def place_of(lines: Sequence[bytes], number: int) -> Place:
    """Where the game of this number is."""
    first = 0
    for at, line in enumerate(lines):
        entry = read_entry(line)
        if isinstance(entry, BlockPlayed):
            if number < first + len(entry.games):
                return Place(at, number - first)
            first += len(entry.games)
    raise AssertionError(f"no game {number}")


def line(entry: Map) -> bytes:
    """An entry as its line."""
    return canonical_bytes(entry)


def edited(lines: Sequence[bytes], at: int, change: Change) -> Lines:
    """The log with the entry at this line changed; everything else stays."""
    entry = json.loads(lines[at])
    change(entry)
    return (*lines[:at], line(entry), *lines[at + 1 :])


def edited_game(lines: Sequence[bytes], number: int, change: Change) -> Lines:
    """The log with one of its games changed."""
    place = place_of(lines, number)
    return edited(lines, place.line, lambda entry: change(entry["games"][place.rotation]))


def write(path: Path, lines: Iterable[bytes]) -> Path:
    """A file of these lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def head(lines: Sequence[bytes]) -> str:
    """The head of a log, as commands print it."""
    tree = Tree()
    for each in lines:
        tree.add(each)
    return f"{tree.size}:{tree.root}"


def difference(lines: Iterable[bytes]) -> Difference | None:
    """What verification finds; None if everything holds."""
    try:
        for _ in verify_file(lines, games()):
            pass
    except Difference as found:
        return found
    return None


def difference_in(lines: Iterable[bytes]) -> Difference:
    """What verification finds in a log that does not hold."""
    found = difference(lines)
    assert found is not None
    return found
