"""Real matches, recorded once, and ways to tamper with their records."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arena.discovery import discover
from arena.games.game import Game
from arena.programs.spec import BotSpec
from arena.records.difference import Difference
from arena.records.record import FIRST, Record, canonical, chain
from arena.records.entries import TimeControl
from arena.referee.deals import Deals
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.referee.verification import verify_records

CONTROL = TimeControl(decision=5_000, bank=60_000, start=60_000)

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
def sound(game: str) -> tuple[Record, ...]:
    """Four games between three bots that play by chance; one of them writes notes."""
    with TemporaryDirectory() as folder:
        noting = program(Path(folder), "noting", NOTING)
        return tuple(_play(game, [_random(), noting, _random()], 4))


@cache
def faulty(game: str) -> tuple[Record, ...]:
    """Two games; one bot plays something illegal, and another one cannot be started."""
    with TemporaryDirectory() as folder:
        failing = program(Path(folder), "failing", FAILING)
        absent = program(Path(folder), "absent", ABSENT)
        return tuple(_play(game, [_random(), failing, absent, _random()], 2))


def program(folder: Path, name: str, text: str) -> BotSpec:
    """A bot made of this text."""
    (folder / f"{name}.py").write_text(text)
    return BotSpec(name=name, run=("python3", f"{name}.py"), folder=folder, files=(f"{name}.py",))


def _random() -> BotSpec:
    return discover({}).bots["random"]


def _play(name: str, bots: Sequence[BotSpec], count: int) -> list[Record]:
    game = games()[name]
    with Roster(bots, Terms(game, game.rules({}), CONTROL)) as roster:
        match = Match(roster, Deals(b"tests", "replay"))
        # What is in memory may hold tuples; what was written holds arrays.
        return [json.loads(canonical(played.record)) for played in match.play(count)]


def line(record: Record) -> bytes:
    """A record as a file has it."""
    return canonical(record).encode() + b"\n"


def write(path: Path, records: Iterable[Record]) -> Path:
    """A file of these records."""
    path.write_bytes(b"".join(map(line, records)))
    return path


def tampered(
    records: Sequence[Record], at: int, change: Callable[[Record], Any], *, rechain: bool = True
) -> list[Record]:
    """The records with one changed; with its hash, and all after it, made to fit again."""
    changed = copy.deepcopy(list(records))
    change(changed[at])
    return chained(changed) if rechain else changed


def chained(records: Iterable[Record]) -> list[Record]:
    """The records with a sound chain, whatever is in them."""
    linked = []
    previous = FIRST
    for record in records:
        linked.append(chain({k: v for k, v in record.items() if k != "hash"}, previous))
        previous = linked[-1]["hash"]
    return linked


def difference(lines: Iterable[bytes]) -> Difference | None:
    """What verification finds; None if everything holds."""
    try:
        for _ in verify_records(lines, games()):
            pass
    except Difference as found:
        return found
    return None


def difference_in(records: Iterable[Record]) -> Difference:
    """What verification finds in records that do not hold."""
    found = difference(map(line, records))
    assert found is not None
    return found
