"""The plugins as commands need them: loaded once, with what went wrong said on stderr."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.cli.output import HOST_FAILED, say
from arena.games.game import Game, Rules
from arena.names import LONGEST
from arena.plugins import PluginError, Plugins, discover
from arena.process.build import not_built, seems_not_built
from arena.process.host import HostError
from arena.process.launch import search_path
from arena.process.limits import LIMITS, Limits
from arena.process.manifest import MANIFEST, ManifestError, load_manifest
from arena.process.sandbox import NONE, Sandbox, SandboxError, choose
from arena.process.spec import BotSpec
from arena.referee.faults import HostStalled

INTERPRETER = re.compile(r"(python|pypy|perl|ruby|node(js)?|java|php|lua|(ba|da)?sh)[\d.]*")
"""Programs that run a file of the bot's; to others a word may mean anything, such as a host."""
SCRIPT = re.compile(r"(?!-)\S*\.[A-Za-z]\w*|\.{0,2}/\S*")
"""What looks like the name of a file: it has a suffix, or begins as a path."""
NO_SCRIPT = frozenset({"-c", "-e", "-m", "-cp", "-classpath", "--class-path", "-p"})
"""Options of interpreters after which code comes, or a module or class by its name."""

Command = TypeVar("Command", bound=Callable[..., Any])


@cache
def plugins(*, quiet: bool = False) -> Plugins:
    """All plugins; a strict failure ends the command."""
    try:
        found = discover()
    except PluginError as error:
        raise click.UsageError(str(error)) from None
    if not quiet:
        for plugin in found.failures:
            say(f"arena: plugin {plugin.name!r} left out: {plugin.error}")
    return found


def sandbox_options(default: str = NONE) -> Callable[[Command], Command]:
    """The options of every command that runs bots: which sandbox, and with which limits."""
    sandbox = click.option(
        "--sandbox",
        default=default,
        show_default=True,
        metavar="none|bwrap|auto",
        help="What locks bots up; auto tests the sandboxes of this host, and never takes none.",
    )
    limit = click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="NAME=N",
        help=f"What a sandboxed bot may use: {', '.join(LIMITS)}.",
    )
    return lambda command: sandbox(limit(command))


def find_sandbox(name: str, settings: tuple[str, ...]) -> tuple[Sandbox, Limits]:
    """The sandbox of this name, or what `auto` chooses, which is said; and the limits."""
    try:
        limits = Limits().changed(settings)
    except ValueError as error:
        raise click.UsageError(f"--limit: {error}") from None
    if settings and name == NONE:
        raise click.UsageError(f"--limit needs a sandbox: --sandbox {NONE} holds nobody to limits")

    def tell(text: str) -> None:
        if name != NONE:
            say(f"arena: sandbox {text}")

    with host_watched("arena"):
        try:
            return choose(name, plugins().sandboxes, tell), limits
        except SandboxError as error:
            raise click.UsageError(f"--sandbox {name}: {error}") from None


@contextmanager
def host_watched(command: str) -> Iterator[None]:
    """End the command with one line where it was the host that failed."""
    try:
        yield
    except HostStalled as error:
        say(f"{command}: {error}; nothing was decided, run it again on a quieter machine")
        raise click.exceptions.Exit(HOST_FAILED) from None
    except HostError as error:
        say(f"{command}: {error}")
        raise click.exceptions.Exit(HOST_FAILED) from None


def find_game(name: str) -> Game:
    """The game of this name."""
    games = plugins().games
    if name not in games:
        raise click.UsageError(f"unknown game {name!r}; the games are: {', '.join(games)}")
    return games[name]


def read_rules(game: Game, options: tuple[str, ...]) -> Rules:
    """Rules from options of the form NAME=VALUE."""
    chosen = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--rules: expected NAME=VALUE, got {option!r}")
        chosen[name] = value
    try:
        return game.rules(chosen)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def check_seats(game: Game, seats: int) -> None:
    """End the command unless the game takes so many players."""
    try:
        game.check_seats(seats)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def find_bot(text: str, here: Path | None = None, *, to_run: bool = True) -> BotSpec:
    """The bot that is meant: a registered name, a folder with a bot.toml, or a command line.

    A registered name comes first; a folder of the same name is meant by `./name`. Paths and
    command lines are meant from `here`, by default the current directory. A bot that is to
    run must have been built.
    """
    bots = plugins().bots
    path = Path(text) if here is None else here / text
    try:
        if text in bots:
            spec = bots[text]
        elif text and path.is_dir():
            spec = load_manifest(path)
        elif path.name == MANIFEST and path.is_file():
            spec = load_manifest(path.parent)
        else:
            return _command_line(text, Path.cwd() if here is None else here)
    except ManifestError as error:
        raise click.UsageError(str(error)) from None
    if to_run:
        check_built(spec, text if here is None or text in bots else os.path.relpath(path))
    return spec


def check_built(spec: BotSpec, text: str) -> None:
    """End the command if the bot has yet to be built; say so if it looks like it."""
    first = f"arena bot build {shlex.quote(text)}"
    if (lacks := not_built(spec)) is not None:
        raise click.UsageError(f"bot {spec.name!r} is not built: no {lacks}; run first: {first}")
    if seems_not_built(spec):
        say(f"bot {spec.name!r} seems not to be built; if it does not start, run first: {first}")


def check_plays(spec: BotSpec, game: str) -> None:
    """End the command unless the bot plays this game."""
    if spec.games and game not in spec.games:
        raise click.UsageError(
            f"bot {spec.name!r} does not play {game}; it plays {', '.join(spec.games)}"
        )


def _command_line(text: str, here: Path) -> BotSpec:
    """A bot of a command line, run in this directory.

    Its files are those among its words that lie in there.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise click.UsageError(
            f"bot {text!r}: expected a command line, got one with wrong quoting: {error}"
        ) from None
    if not words or (len(words) == 1 and "/" not in words[0]):
        raise click.UsageError(_unknown(text, here))
    program = here / words[0]
    if "/" in words[0]:
        if not program.is_file():
            raise click.UsageError(
                f"bot {text!r}: expected a folder or a program, got {words[0]}, which is not there"
            )
        if not os.access(program, os.X_OK):
            raise click.UsageError(
                f"bot {text!r}: expected a program, got {words[0]}, which is not executable; "
                "run chmod +x on it, or put its interpreter before it in quotes, "
                f'such as "python3 {words[0]}"'
            )
    elif shutil.which(words[0], path=search_path()) is None:
        raise click.UsageError(
            f"bot {text!r}: expected a folder or a program, got {words[0]}, which is not on the "
            f"PATH of bots: {search_path()}"
        )
    if (lacks := _lacking(words, here)) is not None:
        raise click.UsageError(f"bot {text!r}: {lacks} is not there, seen from {here}")
    own = [path for word in words if (path := _inside(word, here))]
    named = next((path for word in words[1:] if (path := here / word).is_file()), program)
    return BotSpec(
        name=name_from(named.stem),
        run=tuple(words),
        folder=here,
        language="unknown",
        files=tuple(glob.escape(path.as_posix()) for path in own) or (glob.escape(program.name),),
    )


def _lacking(command: Sequence[str], here: Path) -> str | None:
    """A word that means a file, where none is there; None where no file need be meant."""
    program, *words = command
    if INTERPRETER.fullmatch(os.path.basename(program)) is None:  # noqa: PTH119 - it is a word
        return None
    if any(word in NO_SCRIPT or os.path.exists(here / word) for word in words):  # noqa: PTH110
        return None  # which does not mind words that cannot be names
    return next((word for word in words if SCRIPT.fullmatch(word)), None)


def _unknown(text: str, here: Path) -> str:
    """What to say about a word that is no bot."""
    known = ", ".join(plugins().bots)
    hint = ""
    if text and (here / text).is_file():
        hint = f' (to run the file of this name: "./{text}")'
    return (
        f"unknown bot {text!r}{hint}; the bots are: {known}; a folder with a {MANIFEST}, or a "
        'command line in quotes such as "python3 bot.py", is possible too'
    )


def _inside(word: str, here: Path) -> Path | None:
    """The file that a word names, relative to this directory, if it lies in there."""
    path = here / word
    try:
        return Path(os.path.normpath(path)).relative_to(here) if path.is_file() else None
    except (ValueError, OSError):
        return None


def name_from(text: str) -> str:
    """A name that is as much like this text as names can be."""
    name = re.sub(r"[^a-z0-9]+", lambda m: m[0] if m[0] in "-_." else "-", text.lower())
    return name[:LONGEST].strip("-_.") or "bot"
