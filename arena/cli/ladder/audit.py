"""`arena ladder collusion`: look for bots that play for each other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec import to_builtins

from arena.cli.arguments import find_game
from arena.cli.ladder.files import source_in
from arena.cli.output import print_json, print_table
from arena.ladder.collusion import (
    CollusionAudit,
    MovesAudit,
    Pair,
    audit,
    contest_of,
    tells_aims,
)
from arena.wording import counted


@click.command()
@click.argument(
    "path",
    metavar="[STORE|LOG]",
    required=False,
    type=click.Path(readable=False, path_type=Path),
)
@click.option(
    "--moves/--no-moves",
    default=True,
    help="Play all games again and look at who acts against whom; by default yes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def collusion(path: Path | None, *, moves: bool, as_json: bool) -> None:
    """Look for bots that do something to each other's results, or spare each other.

    Results: of each pair three effects are estimated, in shares of the opponents: what the one's
    presence does to the other's share, the other way round, and their sum.

    Moves: how often each acts against each other, if the game says what that is (swaps with
    him, plays his colours), beside how often the habits of both lead to expect.

    Flagged is what is beyond style in this game, and beyond chance, with a doubt of 5 % over all
    results, and of 5 % over all moves of the ladder.

    A flag asks for a look. The exit code is 0 with flags and without.
    """
    source = source_in(path)
    game = find_game(contest_of(source).game)
    with _progress() as report:
        found = audit(source, game, report, moves=moves)
    if as_json:
        print_json(to_builtins(found))
        return
    _print(found)
    if found.moves is not None:
        _print_moves(found.moves)
    elif not tells_aims(game):
        click.echo(f"moves: {game.name} does not say who acts against whom")
    for caveat in found.caveats:
        click.echo(caveat)


def _print(found: CollusionAudit) -> None:
    title = (
        f"{found.ladder}: {counted(found.blocks, 'block')} of {found.game}, "
        f"{counted(found.contestants, 'contestant')}\n"
        f"results: {counted(found.tested, 'effect')}; margin {found.margin:g}"
    )
    rows = [
        (*_pair(each, flagged=flagged), f"{each.effect:+.3f}", f"{each.error:.3f}", _p(each))
        for flagged, some in ((True, found.flags), (False, found.others))
        for each in some
    ]
    columns = ["flag", "effect of", "on", "blocks>", "effect>", "± error>", "p>"]
    print_table(columns, rows, title)
    if not found.flags:
        click.echo("no flag: no pair's effect is beyond the margin and chance")
    _say_too_few(found.too_few, "met too seldom, or always with the same others, to be looked at")


def _print_moves(found: MovesAudit) -> None:
    title = f"moves: {counted(found.tested, 'ratio')}; factor {found.factor:g}"
    rows = [
        (
            *_pair(each, flagged=flagged),
            each.acts,
            f"{each.expected:.1f}",
            f"{each.ratio:.2f}",
            _p(each),
        )
        for flagged, some in ((True, found.flags), (False, found.others))
        for each in some
    ]
    columns = ["flag", "who acts", "against", "blocks>", "acts>", "expected>", "ratio>", "p>"]
    print_table(columns, rows, title)
    if not found.flags:
        click.echo("no flag: no pair's ratio is beyond the factor and chance")
    _say_too_few(found.too_few, "met too seldom, or never act against anybody, to be looked at")


def _say_too_few(pairs: int, why: str) -> None:
    if pairs:
        click.echo(f"{counted(pairs, 'pair')} {why}")


def _pair(each: Pair, *, flagged: bool) -> tuple[str, str, str, int]:
    on = f"{each.on}, and back" if each.both else each.on
    return ("look" if flagged else "", each.of, on, each.blocks)


def _p(each: Pair) -> str:
    return f"{each.p:.2g}" if each.p < 1 else "1"


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    """Show how many blocks were read on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _blocks: None
        return
    from rich.console import Console  # noqa: PLC0415 - rich takes as long to load as all the rest
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda blocks: progress.update(task, description=counted(blocks, "block"))
