"""Build a bot: run the `build` command of its description in its folder, and keep the output."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TypeAlias

from arena.errors import ArenaError
from arena.programs.places import state_home
from arena.programs.spec import BotSpec
from arena.programs.tools import missing
from arena.programs.unbuilt import not_built

TAIL_LINES = 20
CHUNK = 1 << 16

OnOutput: TypeAlias = Callable[[bytes], object]
"""Called with the output of a build while it runs."""
RunBuild: TypeAlias = Callable[[BotSpec, float | None, OnOutput], str]
"""Runs the build of a bot, with a limit in seconds; returns what went wrong, "" if nothing did."""


class BuildError(ArenaError):
    """A bot that was not built: why, and the last lines of its build's output."""

    def __init__(self, reason: str, tail: Sequence[str] = (), log: Path | None = None) -> None:
        super().__init__(reason)
        self.tail = tuple(tail)
        self.log = log


@dataclass(frozen=True)
class Built:
    """How long a build took, and its log, which is None for a bot that needs no build."""

    seconds: float
    log: Path | None


def builder_environment() -> Mapping[str, str]:
    """Return the caller's environment, with the arena's own Python first on PATH, as for bots."""
    own = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([own, os.environ.get("PATH", os.defpath)])}


def build(
    spec: BotSpec,
    log: Path | None = None,
    limit: float | None = None,
    on_output: OnOutput | None = None,
    run: RunBuild | None = None,
) -> Built:
    """Build this bot; raise `BuildError` if that fails. The log is overwritten.

    By default it is built by `run_here`, in the caller's environment and with his rights.
    """
    if not spec.build:
        return Built(0.0, None)
    log = log_of(spec) if log is None else log
    began = time.monotonic()
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile() as kept:

            def keep_output(data: bytes) -> None:
                kept.write(data)
                if on_output is not None:
                    on_output(data)

            wrong = (run or run_here)(spec, limit, keep_output)
            kept.seek(0)
            with log.open("wb") as file:
                shutil.copyfileobj(kept, file)
    except OSError as error:
        raise BuildError(f"{error.filename or log}: {error.strerror}") from None
    if wrong:
        raise BuildError(f"its build {wrong}", _tail(log), log)
    if (lacks := not_built(spec)) is not None:
        raise BuildError(f"its build succeeded, but there is no {lacks}, which run needs")
    return Built(time.monotonic() - began, log)


def log_of(spec: BotSpec) -> Path:
    """Return where a bot's log is kept by default: never in its folder, which may have links."""
    place = sha256(os.fsencode(spec.folder.absolute())).hexdigest()[:8]
    return state_home() / "builds" / f"{spec.name}-{place}.log"


def check_program(spec: BotSpec, path: str) -> None:
    """Raise `BuildError` if the program of the build is not on this PATH."""
    program = spec.build[0]
    if "/" not in program and (lacking := missing([program], path)):
        raise BuildError(f"its build needs a program that is not on PATH: {lacking[0]}")


def run_here(spec: BotSpec, limit: float | None, on_output: OnOutput) -> str:
    """Run a build as its caller would, with no sandbox; see `RunBuild`."""
    check_program(spec, builder_environment()["PATH"])
    source, sink = os.pipe()
    try:
        process = subprocess.Popen(
            spec.build,
            cwd=spec.folder,
            env=builder_environment(),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
        )
    except OSError:
        os.close(source)
        raise
    finally:
        os.close(sink)
    deadline = None if limit is None else time.monotonic() + limit
    with os.fdopen(source, "rb", buffering=0) as output, _ended(process):
        if not _listen(process, output, deadline, on_output):
            return f"took longer than {limit:g} s and was ended"
        code = process.wait()
    return f"ended with {_ending(code)}" if code else ""


def _listen(
    process: subprocess.Popen[bytes],
    output: IO[bytes],
    deadline: float | None,
    on_output: OnOutput,
) -> bool:
    """Pass on the output until the build has ended; return False if it does not end in time.

    A server that the build leaves behind may keep the output open, so this does not wait for
    the end of the output.
    """
    waiting = select.poll()
    waiting.register(output, select.POLLIN)
    ended = False
    while True:
        if waiting.poll(0 if ended else 50):
            data = os.read(output.fileno(), CHUNK)
            if not data:
                break
            on_output(data)
        elif ended:
            break
        ended = ended or process.poll() is not None
        if deadline is not None and not ended and time.monotonic() > deadline:
            return False
    if deadline is not None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, deadline - time.monotonic()))
        return process.returncode is not None
    return True


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill what is left of the build when the block is left, in whatever way."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tail(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()[-TAIL_LINES:]


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
