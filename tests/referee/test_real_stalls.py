"""A host that stalls costs no bot anything: it is charged what it uses, and little more.

`python -m referee.test_real_stalls 100`, in tests, prints what came of 100 decisions of each kind.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import asdict

from arena.process.placement import on_one_core
from arena.process.suspension.freezer import freezer_home
from arena.records.entries import TimeControl
from arena.records.times import read_times
from arena.records.verdicts import FINISHED
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms

from .matches import CASTORS, DEALS, MISBEHAVING, assert_nothing_left, misbehaving, new_mark
from .test_clock_fairness import busy

pytestmark = [
    pytest.mark.as_user,
    pytest.mark.skipif(freezer_home() is None, reason="CPU time is not counted here"),
]

USED = 10
"""Milliseconds of CPU time that a bot uses for each decision."""
UNSEEN = 60
"""Milliseconds of a decision that may be charged though the host took them: its first look, the
resolution of the kernel's figures, and stops that are too short to be told from waiting."""
CONTROL = TimeControl(decision=USED + UNSEEN, bank=200, start=60_000)
SEATS = 2
SHORTEST_STOP, LONGEST_STOP = 0.02, 0.8
APART = 0.15
"""Seconds between two stops of the referee."""


@dataclass
class Charges:
    """What came of some decisions: seconds by the wall, and those that were charged."""

    decisions: int = 0
    wall: float = 0.0
    charged: float = 0.0
    most: float = 0.0
    """The most that was charged for one decision."""
    stalls: int = 0
    """How often the referee was stopped, if it was."""

    def add(self, micros: Iterable[int], waits: Mapping[int, int]) -> None:
        """Count the decisions of a game."""
        for decision, wall in enumerate(micros):
            charged = (wall - waits.get(decision, 0)) / 1e6
            self.decisions += 1
            self.wall += wall / 1e6
            self.charged += charged
            self.most = max(self.most, charged)

    def __str__(self) -> str:
        used = self.decisions * USED / 1000
        return (
            f"{self.decisions} decisions used {used:.2f} s, took {self.wall:.2f} s by the wall, "
            f"were charged {self.charged:.2f} s, at most {self.most * 1000:.0f} ms each"
            + (f"; {self.stalls} stops" if self.stalls else "")
        )


def play_on_a_busy_core(decisions: int) -> Charges:
    """Play so many decisions of bots that compute, while others take the core."""
    mark = new_mark()
    bots = [misbehaving("computes", str(USED), "alone", mark)] * SEATS
    terms = Terms(CASTORS, CASTORS.rules({"laps": 1}), CONTROL, suspend=True)
    found = Charges()
    with on_one_core() as core, busy(core), Roster(bots, terms, core=core) as roster:
        for block in Match(roster, DEALS).blocks(decisions):
            assert not block.times.attempts
            for game in block.games:
                assert game.played.verdicts == [FINISHED] * SEATS, game.played.evidence
                found.add(game.played.micros, game.played.waits)
            if found.decisions >= decisions:
                break
    assert_nothing_left(mark)
    return found


def play_while_stopped(games: int, folder: Path, seed: int) -> Charges:
    """Play games of bots that compute, with a referee that is stopped again and again."""
    record = folder / "games.jsonl"
    bot = f"{sys.executable} {MISBEHAVING / 'computes.py'} {USED} alone"
    control = [f"--time={name}={value}" for name, value in asdict(CONTROL).items()]
    words = ["play", "castors", *[bot] * SEATS, "--rules", "laps=1", "--suspend", "--json"]
    words += ["--games", str(games), "--record", str(record), "--seed", "1", *control]
    chance = random.Random(seed)
    found = Charges()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words], stdout=subprocess.PIPE, text=True
    ) as referee:
        assert referee.stdout is not None
        while referee.poll() is None:
            time.sleep(chance.uniform(0, 2 * APART))
            referee.send_signal(signal.SIGSTOP)
            time.sleep(chance.uniform(SHORTEST_STOP, LONGEST_STOP))
            referee.send_signal(signal.SIGCONT)
            found.stalls += 1
        bots = json.load(referee.stdout)
    assert referee.returncode == 0
    assert [Counter(each["faults"]) for each in bots] == [Counter()] * SEATS
    for line in record.with_name("games.times.jsonl").read_bytes().splitlines():
        times = read_times(line)
        assert not times.attempts
        for played in times.games:
            found.add(played.micros, dict(played.waits))
    return found


def check(found: Charges, decisions: int) -> None:
    """Hardly more was charged than was used, though far more has passed."""
    assert found.decisions >= decisions
    assert found.charged < found.decisions * (USED + UNSEEN / 2) / 1000, found
    assert found.charged >= found.decisions * USED / 1000, "what was used is charged"


@pytest.mark.parametrize("decisions", [20, pytest.param(100, marks=pytest.mark.wide)])
def test_decisions_on_a_busy_core_are_charged_what_they_used(decisions: int) -> None:
    """Bots whose clocks leave them little more than they need lose nothing to other programs."""
    found = play_on_a_busy_core(decisions)
    check(found, decisions)
    assert found.wall > 2 * found.charged, "else the core was not taken"


@pytest.mark.parametrize("games", [4, pytest.param(16, marks=pytest.mark.wide)])
def test_decisions_of_a_stopped_referee_are_charged_what_they_used(
    games: int, tmp_path: Path
) -> None:
    """Nor do they lose anything when the referee is stopped at any moments, for any time."""
    found = play_while_stopped(games, tmp_path, games)
    check(found, 8 * games)
    assert found.stalls


if __name__ == "__main__":
    print("busy core:       ", play_on_a_busy_core(int(sys.argv[1])))
    with TemporaryDirectory() as name:
        print("stopped referee: ", play_while_stopped(int(sys.argv[1]) // 8, Path(name), 1))
