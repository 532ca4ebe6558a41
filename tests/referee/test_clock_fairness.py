"""A bot is charged for the time in which it could run, neither for more nor for less."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from arena.process.placement import on_one_core
from arena.records.entries import TimeControl
from arena.records.verdicts import FINISHED, TIMEOUT
from arena.referee.match import MatchGame
from arena.referee.player import LATE

from .matches import (
    CASTORS,
    RANDOM,
    assert_nothing_left,
    misbehaving,
    new_mark,
    only_fault,
    play,
)

SPINNERS = 5
STOPS = 6
SPIN = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
print("spinning", flush=True)
end = time.monotonic() + 60
while time.monotonic() < end:
    pass
"""
CONTROL = TimeControl(decision=80, bank=300, start=20_000)
ALLOWED = CONTROL.decision + CONTROL.bank
BUSY = TimeControl(decision=150, bank=300, start=20_000)


@contextmanager
def busy(core: int) -> Iterator[None]:
    """Keep a core busy with programs that are no business of the referee's."""
    words = [sys.executable, "-c", SPIN, str(core)]
    with ExitStack() as stack:
        for _ in range(SPINNERS):
            # A session each, or the system may give all of them together one program's share.
            spinner = stack.enter_context(
                subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
            )
            stack.callback(spinner.kill)
            assert spinner.stdout is not None
            assert spinner.stdout.readline() == b"spinning\n"
        yield


def play_computing(
    milliseconds: int, helpers: str, mark: str, control: TimeControl = CONTROL
) -> MatchGame:
    """A short game of a bot that computes so long for each decision, on this core alone."""
    (core,) = os.sched_getaffinity(0)
    bot = misbehaving("computes", str(milliseconds), helpers, mark)
    options: dict[str, object] = {"laps": 1}
    (game,) = play([bot, RANDOM], control=control, game=CASTORS, core=core, options=options)
    return game


def charged(game: MatchGame) -> tuple[int, int]:
    """The milliseconds that a bot was charged when it ran out of time, and those it was not."""
    fault, evidence = only_fault(game)
    assert fault.verdict == TIMEOUT
    figures = re.fullmatch(
        r"took (\d+) ms, allowed \d+ ms; (\d+) ms of the host's not counted", evidence.figures
    )
    assert figures, evidence.figures
    return int(figures[1]), int(figures[2])


def test_time_in_which_the_host_was_busy_is_not_charged() -> None:
    """An honest bot on an overloaded host keeps its game, which the wall clock would take."""
    mark = new_mark()
    with on_one_core() as core, busy(core):
        game = play_computing(60, "alone", mark, BUSY)
    played = game.played
    assert played.verdicts == [FINISHED, FINISHED], played.evidence
    own = [number for number, seat in enumerate(played.deciders) if seat == 0]
    by_the_wall = [played.micros[number] / 1000 for number in own]
    assert sum(max(0.0, wall - BUSY.decision) for wall in by_the_wall) > BUSY.bank
    assert sum(played.waits.get(number, 0) for number in own) / 1000 > BUSY.bank
    assert_nothing_left(mark)


def test_a_busy_host_is_no_excuse() -> None:
    """A bot that computes for too long loses on time on an overloaded host as elsewhere."""
    mark = new_mark()
    with on_one_core() as core, busy(core):
        game = play_computing(2000, "alone", mark)
    took, waited = charged(game)
    assert ALLOWED - CONTROL.bank <= took < 3 * ALLOWED
    assert waited > 0
    assert_nothing_left(mark)


@pytest.mark.parametrize("helpers", ["children", "daemons", "turns"])
def test_a_bot_cannot_make_the_host_busy(helpers: str) -> None:
    """Eight helpers on its own core win a bot no time, whatever has become of their parents."""
    mark = new_mark()
    with on_one_core():
        game = play_computing(20_000, helpers, mark)
    took, waited = charged(game)
    assert took + waited < 6 * ALLOWED, "with what the helpers take it would be nine times"
    assert_nothing_left(mark)


def test_a_referee_that_is_stopped_charges_nobody() -> None:
    """Whoever stops a competition for a moment, by Ctrl-Z or else, makes no bot lose on time."""
    words = ["play", "gargon", *["random"] * 4, "--games", "400", "--time", "bank=0", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words], stdout=subprocess.PIPE, text=True
    ) as referee:
        assert referee.stdout is not None
        time.sleep(0.5)
        stops = 0
        while stops < STOPS and referee.poll() is None:
            referee.send_signal(signal.SIGSTOP)
            time.sleep(2 * LATE)
            referee.send_signal(signal.SIGCONT)
            stops += 1
            time.sleep(0.1)
        bots = json.load(referee.stdout)
    assert stops
    assert [bot["faults"] for bot in bots] == [{}] * 4
