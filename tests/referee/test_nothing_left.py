"""However a match ends, no process and no file descriptor is left of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.process.ending import PipeClosed
from arena.process.program import Program, StderrDrain
from arena.records.verdicts import FINISHED, START_FAILED
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.launch import Launch, StartError
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import UNCONFINED

from .matches import (
    CASTORS,
    DEALS,
    GENEROUS,
    MISBEHAVING,
    RANDOM,
    assert_nothing_left,
    assert_soon,
    marked,
    misbehaving,
    new_mark,
    open_files,
    play,
)

TESTS = Path(__file__).parents[1]
SHORT: dict[str, object] = {"laps": 1}
TERMS = Terms(CASTORS, CASTORS.rules(SHORT), GENEROUS)


@contextmanager
def referee(ending: str, mark: str) -> Iterator[subprocess.Popen[str]]:
    """A referee of its own with its bots, after its first game."""
    words = [sys.executable, "-m", "referee.long_match", ending, mark]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=TESTS, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{[FINISHED] * 3}\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_outlives_a_referee_that_is_killed(number: signal.Signals) -> None:
    """Whoever ends a ladder, with Ctrl-C or worse, need not look for stray bots."""
    mark = new_mark()
    with referee("never", mark) as process:
        # The referee, its three keepers, two bots and three processes that one has started.
        assert len(marked(mark)) >= 8
        process.send_signal(number)
        process.wait(300)
    assert_nothing_left(mark)


def test_nothing_outlives_a_referee_that_is_killed_with_its_group() -> None:
    """A terminal that is closed signals the whole group; the bots' keepers are not in it."""
    mark = new_mark()
    words = [sys.executable, "-m", "referee.long_match", "never", mark]
    with subprocess.Popen(
        words, cwd=TESTS, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGKILL)
    assert_nothing_left(mark)


def test_nothing_outlives_a_referee_that_fails() -> None:
    """An error in the referee itself does not leave its bots behind, and is still told."""
    mark = new_mark()
    with referee("error", mark) as process:
        _, errors = process.communicate(timeout=300)
        assert "RuntimeError: the disk is full" in errors
        assert process.returncode == 1
    assert_nothing_left(mark)


def test_a_bot_does_not_outlive_its_keeper() -> None:
    """Even if somebody kills the keeper, its bot is not left behind, and the error is told."""
    mark = new_mark()
    errands = StderrDrain()
    spec = misbehaving("honest_bot", mark)
    program = Program(UNCONFINED.launch(spec, None, Limits()), errands)
    keeper = int(Path(f"/proc/{program.pid}/stat").read_text("ascii").rpartition(")")[2].split()[1])
    assert len(marked(mark)) == 1
    os.kill(keeper, signal.SIGKILL)
    with pytest.raises(PipeClosed):
        program.read(10)
    assert str(program.wait_for_ending()) == "killed by signal 9 (SIGKILL)"
    program.close()
    errands.close()
    assert_nothing_left(mark)


def test_many_games_leave_no_file_descriptors() -> None:
    """A ladder of thousands of games does not run out of files."""
    play([RANDOM] * 2, game=CASTORS, options=SHORT)
    before = open_files()
    with Roster([RANDOM] * 2, TERMS) as roster:
        counts = [open_files() for _ in Match(roster, DEALS).play(200)]
    assert counts[0] == counts[-1]
    assert open_files() == before


def test_restarts_leave_no_file_descriptors() -> None:
    """Nor do bots that fail in every game and are started again each time, or never start."""
    mark = new_mark()
    missing = misbehaving("honest_bot")
    missing = type(missing)("missing", ("no-such-program",), MISBEHAVING, files=("honest.py",))
    bots = [misbehaving("exits_mid_game", mark), missing]
    play(bots, game=CASTORS, options=SHORT)
    before = open_files()
    games = play(bots, 25, game=CASTORS, options=SHORT)
    assert open_files() == before
    assert all(FINISHED not in game.played.verdicts for game in games)
    assert sum(game.played.verdicts.count(START_FAILED) for game in games) == 25
    assert_nothing_left(mark)


def test_fresh_processes_leave_no_file_descriptors() -> None:
    """A ladder that starts every bot anew for each game can do so for as long as it likes."""
    mark = new_mark()
    bots = [misbehaving("honest_bot", mark)] * 2
    before = open_files()
    with Roster(bots, replace(TERMS, fresh=True)) as roster:
        for game in Match(roster, DEALS).play(25):
            assert game.played.verdicts == [FINISHED] * 2
            assert_soon(lambda: marked(mark), "bots are left between games")
    assert open_files() == before


def test_a_program_that_cannot_start_leaves_nothing() -> None:
    """A thousand typing errors cost no file descriptor and no process."""
    errands = StderrDrain()
    before = open_files()
    for _ in range(20):
        with pytest.raises(StartError, match="No such file"):
            Program(Launch(["no-such-program"], {"PATH": "/bin"}, MISBEHAVING), errands)
    assert open_files() == before
    errands.close()
    assert_nothing_left("no-such-program")
