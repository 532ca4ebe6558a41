"""The plugins as commands need them: loaded once, with what went wrong said on stderr."""

from __future__ import annotations

from functools import cache

import click

from arena.cli.output import say
from arena.games.game import Game, Rules
from arena.plugins import PluginError, Plugins, discover
from arena.process.spec import BotSpec


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


def find_bot(text: str) -> BotSpec:
    """The bot of this name."""
    bots = plugins().bots
    if text not in bots:
        raise click.UsageError(f"unknown bot {text!r}; the bots are: {', '.join(bots)}")
    return bots[text]
