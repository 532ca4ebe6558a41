"""Real games between real programs, and a look at what they leave behind."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from arena.games.castors.game import Castors
from arena.games.game import Game
from arena.games.gargon.game import Gargon
from arena.process.process_tree import children
from arena.programs.spec import BotSpec
from arena.records.entries import SeatFault, TimeControl
from arena.records.times import Evidence
from arena.records.verdicts import FINISHED
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchGame
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena_bots.plugin import arena_bots

GARGON = Gargon()
CASTORS = Castors()
MISBEHAVING = Path(__file__).parent / "misbehaving"
SECONDS = 30.0
"""How long the system may take to clear up after a process that has been ended."""
GENEROUS = TimeControl(decision=300, bank=3000, start=10_000)
STRICT = TimeControl(decision=200, bank=600, start=10_000)
"""For bots that are to use up all their time: less to wait for, more than others need."""
DEALS = Deals.of(b"secret", "tests")
_marks = count()


def registered(name: str) -> BotSpec:
    """A bundled bot."""
    return next(spec for spec in arena_bots() if spec.name == name)


RANDOM = registered("random")


def new_mark() -> str:
    """A word that no command line has had before."""
    return f"mark-{os.getpid()}-{next(_marks)}-"


def misbehaving(name: str, *words: str) -> BotSpec:
    """One of the bots that misbehave."""
    file = f"{name}.py"
    return BotSpec(name, ("python3", file, *words), MISBEHAVING, files=(file, "honest.py"))


def play(
    bots: Sequence[BotSpec],
    games: int = 1,
    control: TimeControl = GENEROUS,
    *,
    game: Game = GARGON,
    core: int | None = None,
    options: dict[str, object] | None = None,
) -> list[MatchGame]:
    """Play games between these bots, and end them."""
    terms = Terms(game, game.rules(options or {}), control)
    with Roster(bots, terms, core=core) as roster:
        return list(Match(roster, DEALS).play(games))


def only_fault(game: MatchGame) -> tuple[SeatFault, Evidence]:
    """The one fault of a game and its evidence; all others have finished and rank above."""
    played = game.played
    assert len(played.faults) == len(played.evidence) == 1, played.faults
    fault, evidence = played.faults[0], played.evidence[0]
    assert evidence.seat == fault.seat
    seats = len(played.verdicts)
    for seat in range(seats):
        if seat != fault.seat:
            assert played.verdicts[seat] == FINISHED
            assert played.places[seat] < played.places[fault.seat]
    assert played.verdicts[fault.seat] == fault.verdict
    assert played.places[fault.seat] == seats
    return fault, evidence


def marked(mark: str) -> list[str]:
    """The command lines of all processes with this mark in theirs."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                line = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in line:
                found.append(f"{name} {line!r}")
    return found


def assert_soon(what: Callable[[], object], empty: str, seconds: float = SECONDS) -> None:
    """Wait until there is nothing of it any more."""
    deadline = time.monotonic() + seconds
    while left := what():
        assert time.monotonic() < deadline, f"{empty}: {left}"
        time.sleep(0.02)


def assert_nothing_left(mark: str) -> None:
    """No process with this mark runs, and this process has no children."""
    assert_soon(lambda: marked(mark), "processes are left")
    assert_soon(lambda: children(os.getpid()), "keepers are left")


def open_files() -> int:
    """How many file descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


def resident() -> int:
    """The memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
