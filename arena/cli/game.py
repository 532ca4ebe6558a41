"""`arena game`: list games, show their rules, and try a position."""

from __future__ import annotations

import json

import click

from arena.cli.arguments import check_seats, find_game, plugins, read_rules
from arena.cli.output import print_json, print_table
from arena.games.deal import DealStream
from arena.games.game import State
from arena.games.illegal import IllegalAction
from arena.games.telling import plain
from arena.wording import brief

TRY = "try"


@click.group()
def game() -> None:
    """List games, show their rules, and try a position."""


@game.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_games(*, as_json: bool) -> None:
    """List the games."""
    games = plugins().games.values()
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "summary": game.summary,
                    "version": game.version,
                    "players": list(game.players),
                    "rules": [variant.name for variant in game.variants],
                }
                for game in games
            ]
        )
        return
    rows = [
        (
            game.name,
            game.title,
            f"{game.players[0]}-{game.players[-1]}",
            game.version,
            ", ".join(variant.name for variant in game.variants),
        )
        for game in games
    ]
    print_table(["game", "title", "players", "version", "rules"], rows)


@game.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with JSON Schemas.")
def show_game(name: str, *, as_json: bool) -> None:
    """Show what a bot author needs: players, rules, decisions with their actions, view, events."""
    from arena.cli.describe import describe_game, lines  # noqa: PLC0415 - only used here

    game = find_game(name)
    if as_json:
        print_json(describe_game(game))
        return
    click.echo("\n".join(lines(game)))


@game.command("try")
@click.argument("name")
@click.option("--players", type=int, help="How many play; by default as few as the game takes.")
@click.option("--seed", default="1", show_default=True, help="The seed of the deal: any text.")
@click.option("--rules", "options", multiple=True, metavar="NAME=VALUE", help="A rule's value.")
@click.option(
    "--play",
    "played",
    multiple=True,
    metavar="ACTION",
    help="An action to play first, as JSON; can be given many times.",
)
@click.option("--seat", type=int, help="The seat to look from; by default the one to decide.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def try_game(
    name: str,
    players: int | None,
    seed: str,
    options: tuple[str, ...],
    played: tuple[str, ...],
    seat: int | None,
    *,
    as_json: bool,
) -> None:
    """Deal, play some actions, and show what a seat then sees and can do.

    \b
    arena game try gargon --seed 7
    arena game try gargon --seed 7 --play '["play", 35]' --play '["pass", 1, 1]'
    """
    game = find_game(name)
    seats = game.players[0] if players is None else players
    check_seats(game, seats)
    rules = read_rules(game, options)
    state = game.start(seats, rules, DealStream.of(TRY, seed))
    for number, text in enumerate(played, 1):
        _play(state, number, text)
    if seat is None:
        seat = max(state.turn, 0)
    if not 0 <= seat < seats:
        raise click.UsageError(f"--seat: expected 0..{seats - 1}, got {seat}")
    actions = state.actions() if seat == state.turn else []
    events = [game.show(event, seat) for event in state.events or []]
    if as_json:
        asked = {"seat": seat, "turn": state.turn, "kind": state.kind, "scores": state.scores()}
        print_json({**asked, "view": state.view(seat), "actions": actions, "events": events})
        return
    for event in events:
        click.echo(plain(game.tell(event)))
    click.echo(f"\nview of seat {seat}:")
    for key, value in state.view(seat).items():
        click.echo(f"  {key}: {json.dumps(value)}")
    if state.over:
        click.echo(f"\nthe game is over; scores {state.scores()}")
    elif actions:
        click.echo(f"\nseat {seat} decides ({state.kind}), {len(actions)} legal actions:")
        for action in actions:
            click.echo(f"  {json.dumps(action)}")
    else:
        click.echo(f"\nseat {state.turn} decides ({state.kind})")


def _play(state: State, number: int, text: str) -> None:
    try:
        action = json.loads(text)
    except (ValueError, RecursionError):
        raise click.UsageError(
            f"--play {number}: expected an action as JSON, such as '[\"draw\", 0]', "
            f"got {brief(text)}"
        ) from None
    try:
        state.apply(state.check(action))
    except IllegalAction as error:
        raise click.UsageError(f"--play {number}: {error}") from None
