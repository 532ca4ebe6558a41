"""`arena ladder new` and `schedule`: prepare a ladder before it is run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from arena.cli.arguments import find_game, plugins
from arena.cli.ladder.files import check_listed, definition_in, store_in
from arena.cli.output import print_json, print_table, printable
from arena.ladder.balance import SizeBalance, balance
from arena.ladder.definition import Definition
from arena.ladder.definition_template import template
from arena.ladder.goal import Goal
from arena.ladder.labels import labels
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.store import Store
from arena.ladder.store_files import is_store
from arena.names import name_like
from arena.programs.manifest import MANIFEST
from arena.records.entries import Budget, Contestant
from arena.records.ledger import Field


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("bots", metavar="[BOT...]", nargs=-1)
@click.option("--game", "name", required=True, help="The game that is played.")
def new(path: Path, bots: tuple[str, ...], name: str) -> None:
    """Write a definition with comments, for you to edit.

    The contestants are the bots that are named, by default all that are registered. Folders
    are looked up from the current directory, and written as seen from FILE; command lines are
    run in FILE's folder.

    \b
    arena ladder new friday.toml --game gargon
    arena ladder new friday.toml --game gargon random my-bot "./other --fast"
    """
    game = find_game(name)
    registered = [spec.name for spec in plugins().bots.values() if name in (spec.games or [name])]
    for word in (str(path), *bots):
        if not word.isprintable():
            raise click.UsageError(f"expected printable text, got {printable(word)!r}")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path}: cannot be written: there is no folder {path.parent}")
    try:
        listed = [_seen_from(path.resolve().parent, bot) for bot in bots] or registered
    except OSError as error:
        raise click.UsageError(f"BOT: {error.strerror}") from None
    check_listed(listed, path, game)
    text = template(str(path), name_like(path.stem), game, listed)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path}: there is such a file; choose another name") from None
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be written: {error.strerror}") from None
    click.echo(f"{path} is written. Change it, and then:")
    click.echo(f"  arena ladder schedule {path}")
    click.echo(f"  arena ladder run {path}")


def _seen_from(folder: Path, bot: str) -> str:
    """Return what a definition in `folder` calls a bot that is named in the current directory."""
    if bot in plugins().bots or Path(bot).is_absolute() or folder == Path.cwd():
        return bot
    if Path(bot).is_dir() or Path(bot).name == MANIFEST or any(sign in bot for sign in "*?["):
        seen = os.path.relpath(bot, folder)
        return seen if "/" in seen else f"./{seen}"  # never a registered name
    for word in bot.split():
        if Path(word).is_file() and not (folder / word).is_file():
            raise click.UsageError(
                f"bot {bot!r}: expected a command line for {folder}, where it will be run, but "
                f"{word} is not there; name its whole path, or a folder with a {MANIFEST}"
            )
    return bot


@click.command()
@click.argument("path", metavar="FILE|STORE", type=click.Path(readable=False, path_type=Path))
@click.option("--games", type=click.IntRange(1), help="At least this many; by default the budget.")
@click.option("--blocks", "listed", is_flag=True, help="Also list every block.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def schedule(path: Path, games: int | None, *, listed: bool, as_json: bool) -> None:
    """Show the schedule of a definition or a store, and how equally it treats everybody.

    A block is one deal, played once per rotation of its seats. A ladder ends only at a point
    where everybody has played equally often, at every table size and in every seat, and the
    meetings of every two differ by at most one.
    """
    if is_store(path):
        if games is not None:
            raise click.UsageError("--games: a store has the games that it has")
        with store_in(path) as store:
            contestants, active, pairings = _played(store)
    else:
        definition = definition_in(path)
        contestants = list(definition.contestants)
        active = range(len(contestants))
        pairings = _to_play(definition, games)
    sizes = balance(pairings, active)
    if as_json:
        print_json(_as_map(sizes, pairings, contestants, listed=listed))
        return
    if listed:
        names = labels(contestants, active)
        for pairing in pairings:
            seated = ", ".join(names[contestants[number].digest] for number in pairing.contestants)
            click.echo(f"block {pairing.block}: {seated}")
    columns = ["table of>", "blocks>", "games>", "games each>", "games in each seat>", "meetings>"]
    rows = [
        (each.size, each.blocks, each.games, each.games_each, each.games_in_seat, each.meetings)
        for each in sizes
    ]
    total = sum(each.games for each in sizes)
    print_table(columns, rows, f"{len(active)} contestants, {total} games")


def _to_play(definition: Definition, games: int | None) -> list[Pairing]:
    """Return the blocks to play until the wanted games are reached and everybody treated alike."""
    contest = definition.contest
    field = Field(block=0, contestants=tuple(range(len(definition.contestants))))
    schedule = Schedule(contest.name, contest.tables, [field])
    goal = Goal(Budget(games=games or definition.budget.games))
    pairings = [schedule.next()]
    while not goal.enough(pairings[-1]):
        pairings.append(schedule.next())
    return pairings


def _played(store: Store) -> tuple[list[Contestant], Sequence[int], list[Pairing]]:
    """Return what was played: all contestants, those who play now, and the blocks."""
    ledger = store.ledger
    schedule = Schedule(ledger.contest.name, ledger.contest.tables, ledger.fields)
    pairings = [schedule.next() for _ in range(ledger.blocks)]
    return ledger.contestants, ledger.playing, pairings


def _as_map(
    sizes: list[SizeBalance],
    pairings: list[Pairing],
    contestants: list[Contestant],
    *,
    listed: bool,
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "contestants": [asdict(contestant) for contestant in contestants],
        "games": sum(each.games for each in sizes),
        "tables": [
            {
                "size": each.size,
                "blocks": each.blocks,
                "games": each.games,
                "games_each": [each.games_each.least, each.games_each.most],
                "games_in_seat": [each.games_in_seat.least, each.games_in_seat.most],
                "meetings": [each.meetings.least, each.meetings.most],
            }
            for each in sizes
        ],
    }
    if listed:
        result["blocks"] = [
            {
                "block": pairing.block,
                "first_game": pairing.first_game,
                "contestants": list(pairing.contestants),
                "balanced": pairing.balanced,
            }
            for pairing in pairings
        ]
    return result
