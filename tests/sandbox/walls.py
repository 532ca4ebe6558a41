"""A sandbox to test, and programs run in it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.attacks._self_test import withstands
from arena.process.ending import Ending, PipeClosed
from arena.process.program import Program, StderrDrain
from arena.programs.spec import BotSpec
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox, SandboxError

HERE = Path(__file__).parent
SECONDS = 300.0


def bubblewrap(*, grouped: bool = True) -> Bubblewrap:
    """The sandbox, or a skipped test where there is none; CI must have one."""
    sandbox = Bubblewrap(grouped=grouped)
    try:
        withstands(sandbox)
    except SandboxError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    return sandbox


@dataclass(frozen=True)
class Ran:
    """What a program said, and how it ended."""

    out: bytes
    err: str
    ending: Ending | None


def run(sandbox: Sandbox, words: Sequence[str], folder: Path, limits: Limits | None = None) -> Ran:
    """Run a program to its end."""
    errands = StderrDrain()
    spec = BotSpec("tested", tuple(words), folder)
    program = Program(sandbox.launch(spec, None, limits or Limits()), errands)
    out = b""
    deadline = time.monotonic() + SECONDS
    try:
        while time.monotonic() < deadline:
            out += program.read(1) or b""
    except PipeClosed:
        program.await_ending(SECONDS)
    finally:
        program.close()
        errands.close()
    return Ran(out, program.stderr_tail, program.ending)


def shown(folder: Path) -> Path:
    """A folder that every user may read, and the way to it."""
    for path in (folder, *folder.parents):
        if path.stat().st_uid == os.geteuid() and path.is_relative_to("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    return folder
