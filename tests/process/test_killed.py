"""Nothing of a bot outlives its referee, whichever of their processes is killed, and when."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.process.process_tree import children, descendants
from arena.process.suspension.freezer import freezer_home
from arena.process.suspension.turn_gate import TurnGate
from arena.sandbox.bubblewrap import Bubblewrap
from referee.matches import MISBEHAVING, assert_soon, marked, new_mark
from sandbox.walls import bubblewrap

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

TESTS = Path(__file__).parents[1]
LONGEST = 0.4
"""Seconds until the kill: bots start, play and end meanwhile."""
GENERATIONS = {
    "here": ("referee", "keeper", "bwrap", "bot"),
    "nursery": ("referee", "nursery", "keeper", "bwrap", "bot"),
}
"""By where keepers are forked."""


@pytest.mark.parametrize("rounds", [30, pytest.param(200, marks=pytest.mark.wide)])
def test_a_start_finds_nothing_of_what_was_killed_before(rounds: int) -> None:
    """Neither processes nor groups nor mounts, though nobody was left to clear up."""
    if bubblewrap().cgroups is None:
        pytest.skip("without control groups nobody can tell whose a process was")
    for number in range(rounds):
        chance = random.Random(number)
        mark = new_mark()
        referee = kill_at_random(chance, mark)
        assert Bubblewrap().cgroups is not None  # which looks for what is left
        assert TurnGate().kind  # ditto
        left = f"left in round {number}"
        assert_soon(lambda mark=mark: marked(mark), f"processes are {left}")  # type: ignore[misc]
        assert_soon(lambda pid=referee: groups_of(pid), f"groups are {left}")  # type: ignore[misc]
    assert mount_points() == []


def kill_at_random(chance: random.Random, mark: str) -> int:
    """Start a referee; kill one of its processes, then itself; return its process id."""
    where = chance.choice(list(GENERATIONS))
    generations = GENERATIONS[where]
    words = [sys.executable, "-m", "process.sandboxed_match", mark, "grouped", where]
    with subprocess.Popen(words, cwd=TESTS, stderr=subprocess.DEVNULL) as process:
        assert_soon(lambda: not children(process.pid), "no bot was started", 300.0)
        time.sleep(chance.uniform(0, LONGEST))
        number = chance.randrange(len(generations))
        victims = generation(process.pid, number)
        if number == len(generations) - 1:
            victims += [below for parent in victims for below in descendants(parent)]
        if victims:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(victims), signal.SIGKILL)
        time.sleep(chance.choice((0.0, chance.uniform(0, 0.02))))
        keepers = range(1, generations.index("keeper") + 1)
        beside = [pid for each in keepers for pid in generation(process.pid, each)]
        for pid in (*beside, process.pid) if chance.random() < 0.5 else [process.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(300)
        return process.pid


def generation(pid: int, number: int) -> list[int]:
    """The processes so many generations below this one."""
    found = [pid]
    for _ in range(number):
        found = [child for parent in found for child in children(parent)]
    return found


def groups_of(pid: int) -> list[Path]:
    """The control groups that the referee with this process id has made."""
    groups, home = Bubblewrap().cgroups, freezer_home()
    parents = [*(groups.parents.values() if groups else ()), *([home] if home else [])]
    return [group for parent in set(parents) for group in parent.glob(f"arena-{pid}-*")]


def mount_points() -> list[str]:
    """Where something is mounted on the host that has to do with the bots' folder."""
    lines = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    return [line for line in lines if str(MISBEHAVING) in line]
