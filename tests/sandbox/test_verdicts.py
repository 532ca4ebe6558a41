"""What the author of a bot is told that goes over a limit, or ends otherwise, in a sandbox."""

from __future__ import annotations

import platform

import pytest

from arena.process.nursery import FORKED_HERE, Keepers, Nursery
from arena.programs.spec import BotSpec
from arena.records.entries import SeatFault, TimeControl
from arena.records.times import Evidence
from arena.records.verdicts import (
    CRASHED,
    OUT_OF_MEMORY,
    OUTPUT_LIMIT,
    PROTOCOL,
    TIMEOUT,
)
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits
from referee.matches import DEALS, GARGON, RANDOM, only_fault

from .walls import HERE, bubblewrap

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

SMALL = Limits(memory_mb=100, file_mb=2, log_mb=1, cpu_seconds=2)
PATIENT = TimeControl(decision=60_000, bank=60_000, start=20_000)


def fault_of(
    way: str, *, grouped: bool = True, keepers: Keepers = FORKED_HERE
) -> tuple[SeatFault, Evidence]:
    """What becomes of a bot among two that play on to the end."""
    bots = [
        BotSpec("over", ("python3", "over.py", way), HERE, files=("over.py",)),
        RANDOM,
        RANDOM,
    ]
    sandbox = bubblewrap(grouped=grouped)
    terms = Terms(GARGON, GARGON.rules({}), PATIENT, sandbox, SMALL)
    with Roster(bots, terms, keepers=keepers) as roster:
        (game,) = Match(roster, DEALS).play(1)
    return only_fault(game)


@pytest.mark.parametrize(
    ("way", "verdict", "text"),
    [
        ("file", OUTPUT_LIMIT, "a larger file than allowed: 2 MB"),
        ("spin", TIMEOUT, "more CPU time than allowed: 2 s"),
        ("log", OUTPUT_LIMIT, "more written to stderr than allowed: 1 MB"),
        ("close", PROTOCOL, "closed its stdout while the game went on"),
        ("exit", CRASHED, "ended while the game went on: exit code 7"),
        ("large-exit", CRASHED, "ended while the game went on: exit code 200"),
        ("abort", CRASHED, "ended while the game went on: killed by signal 6 (SIGABRT)"),
        ("kill", CRASHED, "ended while the game went on: killed by signal 9 (SIGKILL)"),
    ],
)
@pytest.mark.parametrize("grouped", [True, False])
def test_the_author_is_told_which_limit_or_ending_it_was(
    way: str, verdict: str, text: str, *, grouped: bool
) -> None:
    """In words that are the same in every run, with what was used beside them."""
    fault, evidence = fault_of(way, grouped=grouped)
    assert (fault.verdict, fault.text) == (verdict, text)
    if verdict != PROTOCOL:
        assert "allowed 100; CPU time " in evidence.figures


@pytest.mark.parametrize("way", ["heap", "children"])
def test_memory_counts_for_all_processes_together(way: str) -> None:
    """Where there are control groups: eight children of 30 MB are more than 100."""
    if bubblewrap().cgroups is None:
        pytest.skip("no control groups can be made here")
    fault, evidence = fault_of(way)
    assert fault.verdict == OUT_OF_MEMORY
    assert fault.text == "more memory than allowed: 100 MB for all its processes"
    assert "memory 100.0 MB at its peak" in evidence.figures


@pytest.mark.parametrize("grouped", [True, False])
def test_limits_hold_where_a_nursery_forks_the_keepers(*, grouped: bool) -> None:
    """As in the workers of a ladder: what it takes to lock a program up reaches its keeper."""
    with Nursery() as nursery:
        fault, evidence = fault_of("children", grouped=grouped, keepers=nursery)
    assert fault.verdict == OUT_OF_MEMORY
    assert "allowed 100; CPU time " in evidence.figures


def test_without_groups_each_process_is_limited() -> None:
    """It gets no more, and its runtime says so; the label says that there are no groups."""
    fault, evidence = fault_of("heap", grouped=False)
    assert (fault.verdict, "MemoryError" in evidence.stderr) == (CRASHED, True)
    assert bubblewrap(grouped=False).label.endswith("+no-cgroup")


def test_without_groups_the_keeper_adds_up() -> None:
    """It looks every second, so that children cannot stay above the limit."""
    fault, _ = fault_of("children", grouped=False)
    assert fault.verdict == OUT_OF_MEMORY


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86_64 has such calls")
def test_a_call_of_a_foreign_interface_is_named() -> None:
    """The author learns that it was the sandbox."""
    fault, _ = fault_of("foreign")
    assert fault.verdict == CRASHED
    assert fault.text.endswith("(SIGSYS) for a system call that the sandbox denies")
