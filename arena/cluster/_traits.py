"""What a machine is, as far as results could depend on it, and how two of them differ."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping

from arena.builds.build import builder_environment
from arena.cluster._messages import Job, Traits
from arena.games.game import Game
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.tools import PROVIDERS
from arena.referee.terms import label
from arena.sandbox.sandbox import Sandbox
from arena.version import VERSION

SECONDS = 20
ARGUMENTS = {"go": "version", "java": "-version", "javac": "-version"}
"""How programs are asked for their version that do not know `--version`."""


def traits(
    machine: str,
    games: Mapping[str, Game],
    sandbox: Sandbox,
    tools: Collection[str],
    referees: int,
) -> Traits:
    """Return what this machine is."""
    return Traits(
        machine=machine,
        arena=VERSION,
        python=platform.python_version(),
        games={name: game.version for name, game in sorted(games.items())},
        held=label(sandbox, TurnGate().kind),
        held_running=label(sandbox, None),
        tools={tool: version for tool in sorted(tools) if (version := _version(tool))},
        referees=referees,
    )


def tools_of(job: Job) -> tuple[str, ...]:
    """Return the programs that the bots of a job are built and run with."""
    words = {
        words[0]
        for each in job.programs
        if not each.registered
        for words in (each.build, each.run)
        if words
    }
    return tuple(sorted(word for word in words if word in PROVIDERS))


def refusals(there: Traits, here: Traits, job: Job) -> Iterator[str]:
    """Yield why a machine cannot play this job: what would make its results other ones."""
    if there.arena != here.arena:
        yield f"arena {there.arena} is installed, expected {here.arena}"
    game = job.contest.game
    if game not in there.games:
        yield f"the game {game} is not installed"
    elif there.games[game] != here.games[game]:
        yield (f"version {there.games[game]} of {game} is installed, expected {here.games[game]}")
    if not job.programs:
        return  # it is to check games, and starts no bot
    one, other = (
        (there.held, here.held) if job.contest.suspend else (there.held_running, here.held_running)
    )
    if one != other:
        yield (
            f"its sandbox is {one!r}, expected {other!r}, which the log names (arena worker "
            f"--sandbox {job.contest.sandbox})"
        )


def remarks(there: Traits, here: Traits) -> Iterator[str]:
    """Yield what else differs, which a bot may notice."""
    if there.python != here.python:
        yield f"Python {there.python}, here {here.python}"
    for tool, version in here.tools.items():
        found = there.tools.get(tool)
        if found != version:
            yield f"{tool}: {found or 'not installed'}, here {version}"


def _version(tool: str) -> str:
    """Return the first line in which a program says its version; "" if it is not there."""
    path = shutil.which(tool, path=builder_environment()["PATH"])
    if path is None:
        return ""
    try:
        done = subprocess.run(
            [path, ARGUMENTS.get(tool, "--version")],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next(_lines(done.stdout + done.stderr), "")


def _lines(text: str) -> Iterator[str]:
    lines: Iterable[str] = text.splitlines()
    return (line.strip()[:100] for line in lines if line.strip())
