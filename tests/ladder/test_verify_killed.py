"""Verification that is interrupted, or whose processes are killed: nothing is decided then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.process.process_tree import children
from command import arena
from ladder.fields import definition

pytestmark = pytest.mark.source_only


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that is not verified in the twinkling of an eye."""
    folder = tmp_path_factory.mktemp("long")
    path = definition(folder, tables=(3,), games=1200)
    done = arena("ladder", "run", path.name, cwd=folder, limit=600)
    assert done.code == 0, done.err
    return folder


CHECKERS = 3
"""Two that play games again, after the second rater."""


def verifying(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A verification that is under way, and the processes that check for it, stopped."""
    while True:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", "verify", "test.ladder", "--workers", "2"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        checkers: list[int] = []
        while len(checkers) < CHECKERS and process.poll() is None:
            checkers = sorted(children(process.pid))
        for pid in checkers:
            os.kill(pid, signal.SIGSTOP)
        if len(checkers) == CHECKERS and process.poll() is None:
            return process, checkers
        process.communicate()  # it was faster than this


def test_an_interrupted_verification_has_decided_nothing(long: Path) -> None:
    """Ctrl-C, which all of its processes get, ends it with 130 and one line."""
    process, checkers = verifying(long)
    os.killpg(process.pid, signal.SIGINT)
    for pid in checkers:
        os.kill(pid, signal.SIGCONT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == ""
    assert err == "arena: interrupted\n"


@pytest.mark.parametrize("killed", range(CHECKERS))
def test_a_verification_whose_process_is_killed_has_decided_nothing(
    long: Path, killed: int
) -> None:
    """The host has failed, not the ladder: exit code 3, and what may help."""
    process, checkers = verifying(long)
    os.kill(checkers[killed], signal.SIGKILL)
    for pid in checkers:
        os.kill(pid, signal.SIGCONT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 3
    assert out == ""
    assert err == (
        "arena ladder verify: a process that checks was ended (memory?); nothing was decided, "
        "try fewer --workers\n"
    )
