"""`arena ladder run`: play the games of a ladder, and show the standings at the end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import click
from msgspec import to_builtins

from arena.blocks.runner import RunnerFailed
from arena.cli.arguments import (
    check_built,
    find_game,
    find_sandbox,
    plugins,
)
from arena.cli.clusters import RunnerChoice, runner_options
from arena.cli.ladder.board import FOLLOWED_EVERY, PLAIN_EVERY, Board
from arena.cli.ladder.ends import end_options, ends
from arena.cli.ladder.files import SUFFIX, definition_in
from arena.cli.ladder.programs import find_program, seal_definition
from arena.cli.ladder.tables import LadderView
from arena.cli.output import print_json, say
from arena.errors import HOST_FAILED
from arena.ladder.definition import Definition
from arena.ladder.lock import locked
from arena.ladder.opening import check_store, open_store
from arena.ladder.store import Store
from arena.ladder.writer import Orders, Reading, Writer, file_mark
from arena.machine.calls import usable_cores
from arena.process.suspension.turn_gate import BY_SIGNALS, SIGNALS, TurnGate
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant
from arena.sandbox.isolation import check_isolation
from arena.sandbox.sandbox import NONE, Sandbox

PATIENCE = 30.0
"""How many seconds a run that follows waits for a command that just writes to the store."""


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
@runner_options
@click.option(
    "--follow",
    is_flag=True,
    help="Do not end, but wait for wishes and changes of FILE; SIGTERM ends it, with code 0.",
)
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
    players: RunnerChoice,
    *,
    follow: bool,
    as_json: bool,
) -> None:
    """Play a ladder, and show the standings.

    The same command goes on where the ladder stands: after a crash, for more games, or with
    contestants that are new or changed. These play first, until they have their games.
    `arena ladder schedule FILE` says beforehand what a run plays.

    FILE's budget says where a run ends, whichever part of it comes first. Options take the place
    of its parts for this run (--games and --each of the same part); they are not in the log.

    While it plays, other commands leave wishes: `arena ladder enter`, `withdraw`, `pause` and so
    on. With --follow it goes on for weeks: it reads FILE again whenever that is written (or at
    SIGHUP), and waits where it would end. Bots are sealed then in any case.

    Exit codes: 0 done, also by SIGTERM with --follow, 2 wrong usage or input, 3 the host failed
    (what is stored is safe), 130 interrupted.
    """
    if follow and games == 0:
        raise click.UsageError("--follow plays; --games 0 makes a store and plays nothing")
    mark = file_mark(path)
    definition = definition_in(path)
    game = find_game(definition.contest.game)
    runner = players.found()
    store_path = store_path or Path(path.stem + SUFFIX)
    staff = workers or definition.workers or len(usable_cores())
    end = ends(definition.contest.tables, games, each, width, certain, minutes)
    patience = PATIENCE if follow else 0
    orders = Orders()
    take_signals(orders, follow=follow)
    board = Board(FOLLOWED_EVERY if follow else PLAIN_EVERY)
    with (
        locked(store_path, patience),
        _opened(definition, store_path, games, follow=follow) as (store, sandbox, bots),
    ):
        if store.mended:
            say(f"{store_path}: {store.mended}")
        found = partial(_found, sandbox=sandbox, store=store_path)
        writer = Writer(store, Reading(definition, bots, mark), found, game, end, board.say, orders)
        _say_who_plays(writer, definition, path)
        if sandbox is None:
            _print_hash(LadderView.of(store, writer.run.book), as_json=as_json)
            return
        reads = partial(_read_again, path, sandbox) if follow else None
        try:
            with board:
                writer.play(runner, sandbox, staff, board.show, reads, fixed=workers is not None)
        except RunnerFailed as error:
            say(f"arena ladder run: {error}")
            games = store.ledger.games
            say(f"{games} games are safe in {store_path}; run the same command to go on")
            raise click.exceptions.Exit(HOST_FAILED) from None
        except KeyboardInterrupt:
            games = store.ledger.games
            say(f"\n{games} games are stored in {store_path}; run the same command to go on")
            raise
        say(f"{writer.text}: {store.ledger.games} games in {store_path}")
        if writer.orders.end:
            return
        shown = LadderView.of(store, writer.run.book)
    if as_json:
        print_json(to_builtins(shown.overview))
    else:
        shown.print()


def _say_who_plays(writer: Writer, definition: Definition, path: Path) -> None:
    """Say who is new, and who is named in the definition and does not play."""
    run, games = writer.run, writer.store.ledger.games
    if not definition.anchored:
        anchor = definition.contest.anchor
        say(f"the anchor {anchor!r} does not play now, so the mean is shown as 25")
    for newcomer in run.newcomers if games else ():
        says = "plays first" if run.reason is None else "does not play: all games are played"
        say(f"{newcomer.name} {newcomer.version} is new and {says}")
    if run.newcomers and run.reason and games:
        say(f"{path}: budget: give newcomers games, as each = 1000, or raise games")
    if gone := writer.absent():
        say(f"{', '.join(gone)}: taken out by a wish; `arena ladder enter` lets a bot in again")


def take_signals(orders: Orders, *, follow: bool) -> None:
    """Let SIGTERM, as service managers send it, end the run, and SIGHUP have FILE read again.

    A run that follows a ladder ends after the blocks that are under way. Else SIGTERM works like
    Ctrl-C, with the same message.
    """
    if not follow:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        return

    def end(_: int, __: FrameType | None) -> None:
        if orders.end:
            raise KeyboardInterrupt  # the second time it is urgent
        orders.end = True

    def read(_: int, __: FrameType | None) -> None:
        orders.read = True

    signal.signal(signal.SIGTERM, end)
    if not sys.stderr.isatty():  # else it says that the terminal is gone
        signal.signal(signal.SIGHUP, read)


def _found(contestant: Contestant, *, sandbox: Sandbox | None, store: Path) -> BotSpec:
    """Return the program of somebody who plays by a wish."""
    spec = find_program(contestant)
    if sandbox is not None:
        check_isolation([spec], plugins().bots.values(), sandbox, "--store", store)
    return spec


def _read_again(path: Path, sandbox: Sandbox) -> Reading:
    """Read a definition that has changed, and seal its bots."""
    mark = file_mark(path)
    definition = definition_in(path)
    if sandbox.name == NONE:
        check_built(definition.bots.values())
    definition.check_held(sandbox, TurnGate().kind)
    return Reading(definition, seal_definition(definition, sandbox, follow=True), mark)


@contextmanager
def _opened(
    definition: Definition, path: Path, games: int | None, *, follow: bool
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
        bots = seal_definition(definition, sandbox, follow=follow)
        check_isolation(bots.values(), plugins().bots.values(), sandbox, "--store", path)
        if definition.contest.suspend and suspends_by == SIGNALS:
            say(f"arena: {BY_SIGNALS}")
    with open_store(definition, path) as store:
        yield store, sandbox, bots


def _print_hash(shown: LadderView, *, as_json: bool) -> None:
    """Print the hash of the secret, to be published before the first game."""
    if as_json:
        print_json(to_builtins(shown.overview))
    else:
        click.echo(f"commitment  {shown.overview.commitment}")
