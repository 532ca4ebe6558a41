"""No bot can make the host's time out of its own: what it forges is its fault, and nobody else's.

`python -m referee.test_forged_stalls 30`, in tests, prints what came of 30 games for each way.
"""

from __future__ import annotations

import os
import re
import sys
import time
from dataclasses import dataclass, field

import pytest

from arena.process.placement import on_one_core
from arena.records.entries import TimeControl
from arena.records.verdicts import FINISHED, TIMEOUT
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchGame
from arena.referee.roster import Roster
from arena.referee.terms import Terms

from .matches import CASTORS, RANDOM, assert_nothing_left, misbehaving, new_mark

pytestmark = [pytest.mark.as_user]

CONTROL = TimeControl(decision=400, bank=600, start=20_000)
ALLOWED = CONTROL.decision + CONTROL.bank
FORGER = 0
"""Which of the bots forges."""
OTHERS = 2
GAMES = 30
FIRST_WAYS = ("late", "mixed", "traceless")
"""Those that the ordinary run tries, in a game each."""
WAYS = (*FIRST_WAYS, "brink", "unreaped", "sessions", "yields", "stops", "kernel")


@dataclass
class Forgery:
    """What came of the games of a forger; times in seconds."""

    games: list[MatchGame] = field(default_factory=list)
    broken_off: int = 0
    """How many attempts at a block were broken off."""
    took: float = 0.0
    """What the forger was charged."""
    waited: float = 0.0
    """What it was not charged."""
    others: float | None = None
    """What others than the game took of the core; None where CPU time is not counted."""


def forge(way: str, games: int, *, suspend: bool = True) -> Forgery:
    """Play games at a table with a forger."""
    mark = new_mark()
    bots = [misbehaving("forges_a_stall", way, mark), *[RANDOM] * OTHERS]
    terms = Terms(CASTORS, CASTORS.rules({"laps": 1}), CONTROL, suspend=suspend)
    found = Forgery()
    with on_one_core() as core, Roster(bots, terms, core=core) as roster:
        busy_before, own_before = taken_of(core), time.process_time()
        used: float | None = 0.0
        for number in range(games):
            deals = Deals.of(b"forged", str(number))
            (block,) = Match(roster, deals, draw_seats=True).blocks(1)
            (game,) = block.games
            found.games.append(game)
            found.broken_off += block.entry.attempt
            took, waited = charged(game)
            found.took += took
            found.waited += waited
            seated = roster._seated.cpu_ns()
            used = None if used is None or seated is None else used + seated / 1e9
        if used is not None:
            own = time.process_time() - own_before
            found.others = taken_of(core) - busy_before - used - own
    assert_nothing_left(mark)
    return found


def taken_of(core: int) -> float:
    """The seconds since the host's start in which a core was not idle."""
    with open("/proc/stat", encoding="ascii") as file:
        for line in file:
            name, *figures = line.split()
            if name == f"cpu{core}":
                idle = (int(figures[3]) + int(figures[4])) / os.sysconf("SC_CLK_TCK")
                return time.clock_gettime(time.CLOCK_MONOTONIC) - idle
    raise AssertionError(f"/proc/stat does not know core {core}")


def charged(game: MatchGame) -> tuple[float, float]:
    """The seconds that the forger was charged when it ran out of time, and those it was not."""
    (evidence,) = game.played.evidence
    figures = re.fullmatch(
        r"took (\d+) ms(?:, \d+ of them while it was not asked)?, allowed \d+ ms; "
        r"(\d+) ms of the host's not counted",
        evidence.figures,
    )
    assert figures, evidence
    return int(figures[1]) / 1000, int(figures[2]) / 1000


def check(found: Forgery) -> None:
    """Each game is the forger's fault, none is played again, and no other bot pays for it."""
    for game in found.games:
        played = game.played
        for seat, bot in enumerate(game.seating):
            assert played.verdicts[seat] == (TIMEOUT if bot == FORGER else FINISHED)
        assert from_banks(game) == 0.0
    assert not found.broken_off
    games = len(found.games)
    assert found.took < games * 2 * ALLOWED / 1000
    if found.others is not None:
        assert found.waited < found.others + games * ALLOWED / 20 / 1000


def from_banks(game: MatchGame) -> float:
    """The seconds that the other bots' banks have lost in a game."""
    played = game.played
    return sum(
        max(0.0, micros - played.waits.get(decision, 0) - CONTROL.decision * 1000) / 1e6
        for decision, (seat, micros) in enumerate(zip(played.deciders, played.micros, strict=True))
        if game.seating[seat] != FORGER
    )


@pytest.mark.parametrize("suspend", [False, True])
@pytest.mark.parametrize("way", FIRST_WAYS)
def test_a_bot_cannot_forge_a_stall_of_the_host(way: str, suspend: bool) -> None:
    """Whatever its processes do to each other, it loses on time as if it had done nothing."""
    check(forge(way, 1, suspend=suspend))


@pytest.mark.wide
@pytest.mark.parametrize("way", WAYS)
def test_thirty_forged_stalls_are_thirty_faults(way: str) -> None:
    """No game is played again, and nobody else's clock is touched."""
    found = forge(way, GAMES)
    assert len(found.games) == GAMES
    check(found)


if __name__ == "__main__":
    for name in WAYS:
        result = forge(name, int(sys.argv[1]))
        check(result)
        others = "not counted" if result.others is None else f"{result.others:.2f} s"
        print(
            f"{name:10} {len(result.games)} games, {len(result.games)} faults, "
            f"charged {result.took:.2f} s, not charged {result.waited:.2f} s, others took {others}"
        )
