"""Running the command `arena` as its users do: a process, its output and its exit code."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from arena.cli import run_command


@dataclass(frozen=True)
class Outcome:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its standard output, read as JSON."""
        return json.loads(self.out)


def arena(
    *words: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    limit: float = 300,
) -> Outcome:
    """Run `arena` with these words; it may take five minutes, or as many seconds as are said."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
        cwd=cwd,
        env={**os.environ, **(env or {})},
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def arena_here(*words: str, cwd: Path | None = None) -> Outcome:
    """Give `arena` these words in this process, which takes a tenth of the time of a new one.

    It is for tables of words that are refused, or that only read a file. `cli/test_commands.py`
    shows that a process of its own prints the same lines and ends with the same code.
    """
    out, err = StringIO(), StringIO()
    with chdir(cwd or Path.cwd()), redirect_stdout(out), redirect_stderr(err):
        code = run_command(list(words))
    return Outcome(code, out.getvalue(), err.getvalue())


def assert_refused(outcome: Outcome, *parts: str) -> None:
    """A refusal is one line on stderr that contains these parts, exit code 2, no results."""
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    lines = outcome.err.splitlines()
    assert len(lines) == 1, outcome.err
    assert "Traceback" not in outcome.err
    for part in parts:
        assert part in lines[0], lines[0]


def on_a_terminal(*words: str, cwd: Path, columns: int = 160) -> bytes:
    """All that a command shows to somebody who sits before it."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=cwd,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": str(columns)},
    ):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how a terminal ends
            while data := os.read(ours, 4096):
                shown += data
    os.close(ours)
    return shown
