"""The test of a sandbox: a program inside it tries what must fail."""

from __future__ import annotations

import json
import time
from pathlib import Path

from arena.attacks import _probe as probe
from arena.process.ending import PipeClosed
from arena.process.program import Program, StderrDrain
from arena.programs.spec import BotSpec
from arena.sandbox.launch import StartError
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox, SandboxError

SECONDS = 20.0
PROGRAM = "probe.py"


def withstands(sandbox: Sandbox) -> str:
    """Attack a sandbox from inside; return what was tried, in words.

    Raise `SandboxError` if a wall is down.
    """
    with temporary_folder("test") as place:
        folder = place / "bot"
        folder.mkdir()
        secret = place / "secret"
        secret.write_text("secret", encoding="ascii")
        (folder / PROGRAM).write_bytes(Path(probe.__file__).read_bytes())
        for path in (folder.parent, folder, folder / PROGRAM, secret):
            path.chmod(0o755)  # only the sandbox may keep the program from the secret
        spec = BotSpec("probe", ("python3", "-I", "-S", PROGRAM, str(secret)), folder)
        said, program = _run(sandbox, spec)
    try:
        down = json.loads(said)
    except ValueError:
        reason = " ".join(program.stderr_tail.split())[-300:] or program.ending
        raise SandboxError(
            f"{sandbox.name}: does not run programs on this host: {reason}"
        ) from None
    if down:
        raise SandboxError(f"{sandbox.name}: does not hold on this host: {', '.join(down)}")
    return f"{len(probe.attempts(secret))} attacks from inside have failed, as they must"


def _run(sandbox: Sandbox, spec: BotSpec) -> tuple[bytes, Program]:
    """Run the program; return what it printed, and the program after it has ended."""
    drain = StderrDrain()
    said = b""
    try:
        program = Program(sandbox.launch(spec, None, Limits()), drain)
    except StartError as error:
        drain.close()
        raise SandboxError(f"{sandbox.name}: {error.filename}: {error.strerror}") from None
    deadline = time.monotonic() + SECONDS
    try:
        while (left := deadline - time.monotonic()) > 0:
            said += program.read(left) or b""
    except PipeClosed:
        program.await_ending(1)
    finally:
        program.close()
        drain.close()
    return said, program
