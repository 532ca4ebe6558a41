"""Arguments of commands: the plugins, games, rules, bots and sandboxes that they name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.attacks.choice import choose_sandbox
from arena.builds import sealing
from arena.cli.output import say
from arena.discovery import Plugins, discover
from arena.games.game import Game, Rules
from arena.programs.finding import BotFinder
from arena.programs.spec import BotSpec
from arena.programs.vault import Vault
from arena.sandbox.limits import LIMITS, Limits
from arena.sandbox.sandbox import NONE, Sandbox, SandboxError

Command = TypeVar("Command", bound=Callable[..., Any])


@cache
def plugins(*, quiet: bool = False) -> Plugins:
    """Load all plugins, once; name those that were left out on stderr."""
    found = discover()
    if not quiet:
        for plugin in found.failures:
            say(f"arena: plugin {plugin.name!r} left out: {plugin.error}")
    return found


def sandbox_options(default: str = NONE) -> Callable[[Command], Command]:
    """Return a decorator with the options of commands that run bots: sandbox and limits."""
    sandbox = click.option(
        "--sandbox",
        default=default,
        show_default=True,
        metavar="none|bwrap|auto",
        help="The sandbox for the bots; auto takes the first that holds here, and never none.",
    )
    limit = click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="NAME=N",
        help=f"A limit for each sandboxed bot; the names are: {', '.join(LIMITS)}.",
    )
    return lambda command: sandbox(limit(command))


def find_sandbox(name: str, settings: tuple[str, ...]) -> tuple[Sandbox, Limits]:
    """Return the sandbox of this name, or the one that `auto` chooses, and the limits.

    What was chosen is printed to stderr.
    """
    try:
        limits = Limits().changed(settings)
    except ValueError as error:
        raise click.UsageError(f"--limit: {error}") from None
    if settings and name == NONE:
        raise click.UsageError(f"--limit needs a sandbox: --sandbox {NONE} holds nobody to limits")

    def tell(text: str) -> None:
        if name != NONE:
            say(f"arena: sandbox {text}")

    try:
        return choose_sandbox(name, plugins().sandboxes, tell), limits
    except SandboxError as error:
        raise click.UsageError(f"--sandbox {name}: {error}") from None


def find_game(name: str) -> Game:
    """Return the game of this name."""
    games = plugins().games
    if name not in games:
        raise click.UsageError(f"unknown game {name!r}; the games are: {', '.join(games)}")
    return games[name]


def read_rules(game: Game, options: tuple[str, ...]) -> Rules:
    """Return the rules from options of the form NAME=VALUE."""
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


def read_sizes(text: str | None) -> tuple[int, ...]:
    """Return the sizes of tables in a text, none if there is no text."""
    if text is None:
        return ()
    try:
        return tuple(sorted({int(size) for size in text.split(",")}))
    except ValueError:
        raise click.UsageError(f"--tables: expected sizes such as 3,4, got {text!r}") from None


def check_seats(game: Game, seats: int) -> None:
    """End the command unless the game takes this many players."""
    try:
        game.check_seats(seats)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def find_bot(text: str, here: Path | None = None, *, to_run: bool = True) -> BotSpec:
    """Return the bot that `BotFinder.find` finds; its warnings go to stderr."""
    return _finder().find(text, here, to_run=to_run)


def seal_strangers(bots: Iterable[BotSpec], sandbox: Sandbox) -> list[BotSpec]:
    """Return the bots as they play in this sandbox: all that are not registered are sealed."""
    return sealing.seal_strangers(bots, plugins().bots.values(), sandbox, sealed_vault(), say)


def check_built(bots: Iterable[BotSpec]) -> None:
    """End the command if a bot that is to run in its own folder has yet to be built."""
    for spec in bots:
        _finder().check_built(spec, os.path.relpath(spec.folder))


@cache
def sealed_vault() -> Vault:
    """Return the vault of this command; what it has opened stays in use until its end."""
    return Vault.default()


def _finder() -> BotFinder:
    return BotFinder(plugins().bots, say, sealed_vault())
