"""Free thinking: where there is a freezer, a bot is charged all the CPU time that it uses.

`python -m referee.test_free_thinking 10`, in tests, prints what came of 10 s for each way.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from arena.process.placement import on_one_core
from arena.process.suspension.freezer import freezer_home
from arena.records.entries import TimeControl
from arena.records.verdicts import FINISHED
from arena.referee.match import Match, MatchGame
from arena.referee.player import UNASKED_SECONDS
from arena.referee.roster import Roster
from arena.referee.terms import Terms

from .matches import CASTORS, DEALS, RANDOM, assert_nothing_left, misbehaving, new_mark

pytestmark = [
    pytest.mark.as_user,
    pytest.mark.skipif(freezer_home() is None, reason="there is no freezer here"),
]

CONTROL = TimeControl(decision=1, bank=3_600_000, start=60_000)
"""Nearly all is taken from the bank, which the bot is told; and there is enough of it."""
THINKER = 0
"""Which of the bots thinks."""
MOST_FREE = 0.05
MILLISECONDS = (1, 9, 300)
"""How long a decision takes: next to nothing, less than the kernel's figures show, or long."""
FIRST_WAYS = ("children", "afterwards")
"""Those that the ordinary run tries."""
WAYS = ("alone", "threads", *FIRST_WAYS, "daemons", "traceless", "wakers", "kernel")


@dataclass
class Thought:
    """What a bot used in games, and what it was charged; in seconds."""

    used: float = 0.0
    charged: float = 0.0
    decisions: int = 0
    games: int = 0

    @property
    def free(self) -> float:
        """The part of its time that was not charged, but for what it may run until it stops."""
        return (self.used - UNASKED_SECONDS) / self.charged - 1

    def add(self, game: MatchGame) -> None:
        """Count a game. The bank says what was charged before the last question, times the rest."""
        played = game.played
        assert played.verdicts == [FINISHED] * len(played.verdicts), played.evidence
        seat = game.seating.index(THINKER)
        own = [number for number, each in enumerate(played.deciders) if each == seat]
        first, last = (int(played.notes[number]) for number in (own[0], own[-1]))
        self.charged += (first - last + CONTROL.decision * (len(own) - 1)) / 1000
        self.charged += (played.micros[own[-1]] - played.waits.get(own[-1], 0)) / 1e6
        self.decisions += len(own)
        self.games += 1

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.decisions} decisions, used {self.used:.2f} s, "
            f"charged {self.charged:.2f} s, {self.used / self.charged - 1:+.1%}"
        )


def cpu_seconds(roster: Roster) -> float:
    """The CPU time of the bot that thinks, which is started if it has yet to be."""
    roster.player(THINKER)
    program = roster._programs[THINKER]
    assert program is not None
    used = program.cpu_seconds()
    assert used is not None
    return used


def think(way: str, milliseconds: int, seconds: float) -> Thought:
    """Let a bot think for so many milliseconds a decision, until it has used so much."""
    mark = new_mark()
    bots = [misbehaving("thinks_for_free", way, str(milliseconds), mark), RANDOM]
    terms = Terms(CASTORS, CASTORS.rules({"laps": 1}), CONTROL, suspend=True)
    found = Thought()
    with on_one_core() as core, Roster(bots, terms, core=core) as roster:
        before = cpu_seconds(roster)
        while found.used < seconds:
            for game in Match(roster, DEALS).play(len(bots)):
                found.add(game)
            found.used = cpu_seconds(roster) - before
    assert_nothing_left(mark)
    return found


@pytest.mark.parametrize("way", FIRST_WAYS)
def test_thinking_is_charged(way: str) -> None:
    """Whatever works for a bot, its clock pays for it, but for the moment in which it stops."""
    found = think(way, MILLISECONDS[0], 1.0)
    last = found.used / found.decisions  # what it ran after its last answer has yet to be charged
    assert found.free <= MOST_FREE + 2 * last / found.charged, found


@pytest.mark.wide
@pytest.mark.parametrize("milliseconds", MILLISECONDS)
@pytest.mark.parametrize("way", WAYS)
def test_ten_seconds_of_thinking_are_charged(way: str, milliseconds: int) -> None:
    """Nor does it help to answer so soon, and so often, that most figures miss it."""
    found = think(way, milliseconds, 10.0)
    assert found.used >= 10.0
    assert found.free <= MOST_FREE, found


if __name__ == "__main__":
    for name in WAYS:
        for each in MILLISECONDS:
            print(f"{name:10} {each:3} ms a decision: {think(name, each, float(sys.argv[1]))}")
