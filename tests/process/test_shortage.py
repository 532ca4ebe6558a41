"""A host that lacks what starting a program takes: it has failed, and no bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.process.program import Program, StderrDrain
from arena.sandbox.launch import Launch
from referee.matches import open_files

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

TESTS = Path(__file__).parents[1]


def starts(lacking: str) -> list[str]:
    """What came of each start in a referee of its own."""
    words = [sys.executable, "-m", "process.shortage", lacking]
    return subprocess.run(
        words, cwd=TESTS, capture_output=True, text=True, check=True
    ).stdout.splitlines()


PIPES = 5
"""What a start takes of a referee's files, two ends each; looking for groups takes one more at a
time, and a group to be suspended in takes three."""


@pytest.mark.parametrize(("lacking", "more"), [("files", {0, 1}), ("suspended", {0, 1, 2, 3})])
def test_no_bot_is_blamed_for_a_lack_of_files(lacking: str, more: set[int]) -> None:
    """However far a start gets before there are no more, and nothing is left of it."""
    told = starts(lacking)
    failed = told.index("started")
    assert failed + 1 - 2 * PIPES in more
    assert set(told[failed:]) == {"started"}
    assert set(told[:failed]) == {
        "cannot start a bot: this process may not open more files; raise its limit (ulimit -n)"
    }


def test_no_bot_is_blamed_for_a_lack_of_processes() -> None:
    """Whether it is its keeper that cannot be forked or the bot itself."""
    if os.geteuid():
        pytest.skip("needs root, to be a user without any process")
    lacking, still, started = starts("processes")
    assert lacking == still
    assert lacking.startswith("cannot start a bot: no more processes may be started; ")
    assert started == "started"


def test_no_bot_is_blamed_for_what_happens_before_it_runs(tmp_path: Path) -> None:
    """Where its keeper is killed, or what is prepared for it does not work."""

    def kill_keeper() -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()

    def enter_a_group() -> None:
        (tmp_path / "no-group" / "tasks").write_text("0")

    errands = StderrDrain()
    before = open_files()
    for prepare, part in ((kill_keeper, "its keeper was killed"), (enter_a_group, "No such file")):
        with pytest.raises(HostError, match=f"cannot start a bot: {part}"):
            Program(Launch(["cat"], {"PATH": "/bin"}, tmp_path, prepare), errands)
    assert open_files() == before
    errands.close()
