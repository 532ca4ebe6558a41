"""`arena ladder run`: the games of a ladder, with progress, and the standings at the end."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import click

from arena.blocks.runner import RunnerFailed
from arena.cli.apart import check_apart
from arena.cli.ladder.board import Board
from arena.cli.ladder.files import SUFFIX, definition_in, explained
from arena.cli.ladder.tables import Shown
from arena.cli.output import HOST_FAILED, print_json, say
from arena.cli.registry import find_game, find_sandbox, plugins
from arena.ladder.goal import Goal
from arena.ladder.lock import locked
from arena.ladder.run import Run, open_store
from arena.process.floor import BY_SIGNALS, SIGNALS, Floor
from arena.version import VERSION


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--games", type=click.IntRange(1), help="End after so many, or a few more.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time; one per core.")
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"Where the games are kept; by default FILE's name with {SUFFIX}, in this directory.",
)
@click.option("--runner", default="local", show_default=True, help="What plays the games.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@explained
def run(
    path: Path,
    games: int | None,
    workers: int | None,
    store_path: Path | None,
    runner: str,
    *,
    as_json: bool,
) -> None:
    """Play a ladder, and show the standings.

    The same command goes on where it was left, however it ended: after a crash, for more
    games, or with contestants that are new or were changed. These play until they have as
    much behind them as the others.

    Exit codes: 0 done, 2 wrong usage or input, 3 the host failed (what is stored is safe),
    130 interrupted.
    """
    definition = definition_in(path)
    game = find_game(definition.ladder.game)
    runners = plugins().runners
    if runner not in runners:
        raise click.UsageError(f"--runner: expected one of {', '.join(runners)}, got {runner!r}")
    store_path = store_path or Path(path.stem + SUFFIX)
    sandbox, _ = find_sandbox(definition.ladder.sandbox, ())
    check_apart(definition.bots.values(), sandbox, "--store", store_path)
    if definition.ladder.suspend and Floor().kind == SIGNALS:
        say(f"arena: {BY_SIGNALS}")
    staff = workers or definition.workers or len(os.sched_getaffinity(0))
    with locked(store_path), open_store(definition, store_path) as store:
        this = Run(store, definition, game, Goal(definition.budget, games))
        for newcomer in this.newcomers if store.games else ():
            say(f"{newcomer.name} {newcomer.version} is new and plays first, to catch up")
        # Whoever stops a service gets what Ctrl-C gets, the message included.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with Board() as board:
                this.play(runners[runner], sandbox, staff, VERSION, board.show)
        except RunnerFailed as error:
            say(f"arena ladder run: {error}")
            say(f"{store.games} games are safe in {store_path}; run the same command to go on")
            raise click.exceptions.Exit(HOST_FAILED) from None
        except KeyboardInterrupt:
            say(f"\n{store.games} games are stored in {store_path}; run the same command to go on")
            raise
        say(f"{this.reason}: {store.games} of them in {store_path}")
        shown = Shown.of(store, this.book)
    if as_json:
        print_json(shown.as_map())
    else:
        shown.print()
