"""`arena ladder run`: play the games of a ladder, and show the standings at the end."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from arena.blocks.runner import RunnerFailed
from arena.cli.arguments import (
    check_built,
    find_game,
    find_sandbox,
    plugins,
    seal_strangers,
)
from arena.cli.ladder.board import Board
from arena.cli.ladder.ends import end_options, ends
from arena.cli.ladder.files import SUFFIX, definition_in
from arena.cli.ladder.tables import LadderView
from arena.cli.output import print_json, say
from arena.errors import HOST_FAILED, HostError
from arena.ladder.definition import Definition
from arena.ladder.goal import Goal
from arena.ladder.lock import locked
from arena.ladder.run import Run, check_store, enter, open_store
from arena.ladder.store import Store
from arena.machine.calls import usable_cores
from arena.process.suspension.turn_gate import BY_SIGNALS, SIGNALS, TurnGate
from arena.programs.digest import digest
from arena.programs.spec import BotSpec
from arena.sandbox.isolation import check_isolation
from arena.sandbox.sandbox import NONE, Sandbox


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--games",
    type=click.IntRange(0),
    help="End after this many, or a few more; 0 makes the store and prints the secret's hash.",
)
@end_options
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="Games at a time; by default as FILE says, or one per core.",
)
@click.option(
    "--store",
    "store_path",
    type=click.Path(path_type=Path),
    help=f"The folder for the log; by default FILE's name with {SUFFIX}, in this directory.",
)
@click.option("--runner", default="local", show_default=True, help="The runner of the games.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(
    path: Path,
    games: int | None,
    each: tuple[str, ...],
    width: float | None,
    certain: float | None,
    minutes: float | None,
    workers: int | None,
    store_path: Path | None,
    runner: str,
    *,
    as_json: bool,
) -> None:
    """Play a ladder, and show the standings.

    The same command goes on where the ladder stands: after a crash, for more games, or with
    contestants that are new or changed. These play first, until they have their games.
    `arena ladder schedule FILE` says beforehand what a run plays.

    FILE's budget says where a run ends, whichever part of it comes first. Options take the place
    of its parts for this run (--games and --each of the same part); they are not in the log.

    Exit codes: 0 done, 2 wrong usage or input, 3 the host failed (what is stored is safe),
    130 interrupted.
    """
    definition = definition_in(path)
    game = find_game(definition.contest.game)
    runners = plugins().runners
    if runner not in runners:
        raise click.UsageError(f"--runner: expected one of {', '.join(runners)}, got {runner!r}")
    store_path = store_path or Path(path.stem + SUFFIX)
    staff = workers or definition.workers or len(usable_cores())
    with locked(store_path), _opened(definition, store_path, games) as (store, sandbox, bots):
        if store.mended:
            say(f"{store_path}: {store.mended}")
        enter(store, definition)
        playing = replace(definition, bots=bots)
        sizes = definition.contest.tables
        goal = Goal(definition.budget, ends(sizes, games, each, width, certain, minutes))
        this = Run(store, playing, game, goal)
        if not definition.anchored:
            anchor = definition.contest.anchor
            say(f"the anchor {anchor!r} does not play now, so the mean is shown as 25")
        if sandbox is None:
            _print_hash(LadderView.of(store, this.book), as_json=as_json)
            return
        for newcomer in this.newcomers if store.ledger.games else ():
            says = "plays first" if this.reason is None else "does not play: all games are played"
            say(f"{newcomer.name} {newcomer.version} is new and {says}")
        if this.newcomers and this.reason and store.ledger.games:
            say(f"{path}: budget: give newcomers games, as each = 1000, or raise games")
        # SIGTERM, as service managers send it, works like Ctrl-C, with the same message.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with Board() as board:
                this.play(runners[runner], sandbox, staff, board.show)
        except RunnerFailed as error:
            say(f"arena ladder run: {error}")
            games = store.ledger.games
            say(f"{games} games are safe in {store_path}; run the same command to go on")
            raise click.exceptions.Exit(HOST_FAILED) from None
        except KeyboardInterrupt:
            games = store.ledger.games
            say(f"\n{games} games are stored in {store_path}; run the same command to go on")
            raise
        assert this.reason is not None
        say(f"{goal.text(this.reason)}: {store.ledger.games} games in {store_path}")
        shown = LadderView.of(store, this.book)
    if as_json:
        print_json(shown.as_map())
    else:
        shown.print()


@contextmanager
def _opened(
    definition: Definition, path: Path, games: int | None
) -> Iterator[tuple[Store, Sandbox | None, Mapping[str, BotSpec]]]:
    """Open the store; if there are games to play, choose a sandbox, and seal the bots for it.

    Errors of the store are reported before the sandbox is tested, which takes seconds. And no
    store is made for a ladder whose sandbox does not hold.
    """
    check_store(definition, path)
    sandbox = None
    bots = definition.bots
    if games != 0:
        if definition.contest.sandbox == NONE:
            check_built(bots.values())
        sandbox, _ = find_sandbox(definition.contest.sandbox, ())
        suspends_by = TurnGate().kind
        definition.check_held(sandbox, suspends_by)
        bots = _sealed(bots, sandbox)
        check_isolation(bots.values(), plugins().bots.values(), sandbox, "--store", path)
        if definition.contest.suspend and suspends_by == SIGNALS:
            say(f"arena: {BY_SIGNALS}")
    with open_store(definition, path) as store:
        yield store, sandbox, bots


def _sealed(bots: Mapping[str, BotSpec], sandbox: Sandbox) -> Mapping[str, BotSpec]:
    """Return the bots by digest as they play; raise `HostError` if one has changed meanwhile."""
    found = dict(zip(bots, seal_strangers(bots.values(), sandbox), strict=True))
    for identity, spec in found.items():
        if spec.sources is not None and digest(spec) != identity:
            raise HostError(
                f"the files of bot {spec.name!r} have changed since the definition was read; run "
                "again to let the changed bot enter"
            )
    return found


def _print_hash(shown: LadderView, *, as_json: bool) -> None:
    """Print the hash of the secret, to be published before the first game."""
    if as_json:
        print_json(shown.as_map())
    else:
        click.echo(f"commitment  {shown.facts['commitment']}")
