"""`arena ladder collusion`: look for bots that play for each other."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import to_builtins

from arena.cli.arguments import find_game
from arena.cli.ladder.files import source_in
from arena.cli.output import print_json, print_table
from arena.ladder.collusion import CollusionAudit, PairEffect, audit, contest_of
from arena.wording import counted


@click.command()
@click.argument(
    "path",
    metavar="[STORE|LOG]",
    required=False,
    type=click.Path(readable=False, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def collusion(path: Path | None, *, as_json: bool) -> None:
    """Look for bots that do something to each other's results, as if they played together.

    Of each pair three effects are estimated, in shares of the opponents: what the one's presence
    does to the other's share, the other way round, and their sum. An effect is flagged if it is
    beyond what styles do to each other in this game, and beyond chance, with a doubt of 5 % over
    all effects of the ladder.

    A flag asks for a look. The exit code is 0 with flags and without.
    """
    source = source_in(path)
    found = audit(source, find_game(contest_of(source).game))
    if as_json:
        print_json(to_builtins(found))
    else:
        _print(found)


def _print(found: CollusionAudit) -> None:
    title = (
        f"{found.ladder}: {counted(found.blocks, 'block')} of {found.game}, {found.tested} effects "
        f"of {counted(found.contestants, 'contestant')}; margin {found.margin:g}"
    )
    rows = [_row(each, "look") for each in found.flags]
    rows += [_row(each, "") for each in found.others]
    columns = ["flag", "effect of", "on", "blocks>", "effect>", "± error>", "p>"]
    print_table(columns, rows, title)
    if not found.flags:
        click.echo("no flag: no pair is beyond the margin and chance")
    if found.too_few:
        pairs = counted(found.too_few, "pair")
        click.echo(f"{pairs} met too seldom, or always with the same others, to be looked at")
    for caveat in found.caveats:
        click.echo(caveat)


def _row(each: PairEffect, flag: str) -> tuple[object, ...]:
    return (
        flag,
        each.of,
        f"{each.on}, and back" if each.both else each.on,
        each.blocks,
        f"{each.effect:+.3f}",
        f"{each.error:.3f}",
        f"{each.p:.2g}" if each.p < 1 else "1",
    )
