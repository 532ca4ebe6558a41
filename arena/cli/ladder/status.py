"""`arena ladder status`: a ladder's run, its queue, its bots' faults and its host, at a glance."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from arena.cli.arguments import find_bot, find_game, plugins
from arena.cli.ladder.files import STORE, store_in
from arena.cli.output import print_json, print_table, printable
from arena.ladder.status import Status, host_facts, tools_of_builds
from arena.ladder.status import status as status_of

SPEED_GAMES = 40
"""Games of a round in which the host's speed is measured."""
MB = 1e6


@click.command()
@STORE
@click.option(
    "--speed", is_flag=True, help="Measure this host's speed too, as `arena bench referee` does."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(path: Path | None, *, speed: bool, as_json: bool) -> None:
    """Show what the run of a ladder does, what waits, which bots fail, and how the host is.

    What the run says of itself may be some seconds old. --speed takes some seconds, and measures
    what a run that is on leaves.
    """
    tools = tools_of_builds(next(iter(plugins().bots.values())))
    with store_in(path) as store:
        game = plugins().games.get(store.contest.game)
        found = status_of(store, game, host_facts(tools))
        game_name, players = store.contest.game, max(store.contest.tables)
    measured = _speed(game_name, players) if speed else None
    if as_json:
        data = to_builtins(found)
        if measured is not None:
            data["host"]["speed"] = measured
        print_json(data)
    else:
        _print(found, measured)


def _speed(game_name: str, players: int) -> dict[str, Any]:
    from arena.bench.referee import measure  # noqa: PLC0415 - only used here
    from arena.referee.terms import Terms  # noqa: PLC0415

    game = find_game(game_name)
    random = find_bot("random")
    return asdict(measure([random] * players, Terms(game, game.rules({})), SPEED_GAMES))


def _print(found: Status, speed: dict[str, Any] | None) -> None:
    run = found.run
    why = f": {run.why}" if run is not None and run.why and found.doing != "not running" else ""
    counts = f"{found.games} games in {found.blocks} blocks"
    click.echo(f"{found.ladder}: {found.doing}{printable(why)}; {counts}")
    if run is not None:
        click.echo(f"run         {_run(found)}")
    click.echo(f"budget      {found.budget}")
    click.echo(f"sandbox     {found.sandbox or 'not chosen yet'}, arena {found.arena or '-'}")
    disk = found.disk
    click.echo(
        f"disk        log {disk.log / MB:.1f} MB, times {disk.times / MB:.1f} MB, "
        f"{disk.free / MB:,.0f} MB free"
    )
    load = ", ".join(f"{each:.2f}" for each in found.host.load)
    click.echo(f"host        {found.host.cores} cores, load {load}")
    if speed is not None:
        click.echo(
            f"speed       {speed['games_per_second']:.0f} games a second and worker, "
            f"{speed['referee_us']:.0f} µs a decision"
        )
    for at, (name, version) in enumerate(found.host.tools.items()):
        click.echo(f"{'' if at else 'tools':<12}{name}: {printable(version)}")
    rows = [
        (
            bot.bot,
            printable(bot.version),
            bot.games,
            "-" if bot.to_play is None else bot.to_play,
            ", ".join(f"{count} {verdict}" for verdict, count in bot.faults.items()) or "none",
            f"{bot.ms_per_decision:.2f}",
        )
        for bot in found.bots
    ]
    print_table(["bot", "version", "games>", "to play>", "faults", "ms/decision>"], rows)
    for wish in found.first_wishes:
        click.echo(f"waits {wish.seconds:.0f} s: {wish.kind} ({wish.name})")
    for text in found.waits:
        click.echo(printable(text))


def _run(found: Status) -> str:
    run = found.run
    assert run is not None
    on = found.doing not in ("not running", "closed")
    parts = [f"process {run.process} since {run.began}" if on else f"the last said so {run.said}"]
    parts.append(f"{run.workers} workers, {run.rate:g} games/s, {run.wishes} wishes answered")
    if on and run.total is not None and run.rate:
        left = max(0, run.total - found.games) / run.rate
        parts.append(f"{timedelta(seconds=round(left))} left")
    return "; ".join(parts)
