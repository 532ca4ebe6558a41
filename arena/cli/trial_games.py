"""Test games on a site, shown as they are played: what `arena submit --try --against` prints."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import click

from arena.cli.output import print_table, printable, say
from arena.remote.client import Client, Played

EVERY: Final = 0.5


def play_tests(client: Client, number: int, opponents: Sequence[str], deals: int) -> Played:
    """Let a submission play test games, and wait for their end."""
    started = client.start_test(number, opponents, deals)
    say(f"test games {started.number}: {client.address}/matches/{started.number}")
    state = ""
    while True:
        played = client.match(started.number)
        found = played.match
        now = f"{found.words}, {played.ahead} before it" if played.ahead else found.words
        if now != state:
            say(f"test games {started.number}: {now}")
            state = now
        if not found.open:
            return played
        time.sleep(EVERY)


def show_tests(played: Played, address: str) -> None:
    """Print each game, with its replay, and what went wrong in it."""
    match = played.match
    rows = [
        (
            game.number,
            ", ".join(printable(match.bots[bot].name) for bot in game.seating),
            " ".join(map(str, game.scores)),
            " ".join(map(str, game.places)),
            f"{address}/matches/{match.number}/games/{game.number}",
        )
        for game in played.games
    ]
    if rows:
        print_table(["game>", "bots by seat", "scores", "places", "replay"], rows)
    for game in played.games:
        for fault in game.faults:
            bot = match.bots[fault.bot].name
            where = f"game {game.number}, seat {fault.seat} ({bot}), decision {fault.decision}"
            click.echo(printable(f"{where}: {fault.verdict}: {fault.text}"))
            for line in fault.stderr.splitlines():
                click.echo(f"  {printable(line)}")
    if match.reason:
        click.echo(printable(match.reason))


def went_well(played: Played) -> bool:
    """Whether games were played, and the bot that is tested failed in none of them."""
    own_faults = any(fault.bot == 0 for game in played.games for fault in game.faults)
    return played.match.state == "played" and not own_faults
