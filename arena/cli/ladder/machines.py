"""`arena ladder machines`: what each machine did for a ladder, and which one stands out."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import to_builtins

from arena.cli.ladder.files import STORE, store_in
from arena.cli.output import print_json, print_table
from arena.cluster.figures import MachineFigures, machine_figures

COLUMNS = (
    *("machine", "blocks>", "games>", "ms/decision>", "pace>", "slowest ms>", "stalls>"),
    *("faults>", "starts>", "compared>", "differed>"),
)


@click.command()
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def machines(path: Path | None, *, as_json: bool) -> None:
    """Show what each machine did for a ladder: times, stalls, faults, and comparisons.

    The pace is a machine's time for a decision over that of the others, for the same bots.
    """
    with store_in(path) as store:
        found = machine_figures(store.blocks())
    if as_json:
        print_json(to_builtins(found))
        return
    print_table(COLUMNS, [_row(each) for each in found])
    for each in found:
        if each.stands_out:
            click.echo(f"{each.machine} stands out: {each.stands_out}")


def _row(each: MachineFigures) -> tuple[object, ...]:
    return (
        each.machine,
        each.blocks,
        each.games,
        f"{each.ms_a_decision:.2f}",
        "" if each.pace is None else f"{each.pace:.2f}",
        f"{each.slowest_ms:.1f}",
        each.stalls,
        each.faults,
        each.starts,
        each.compared,
        each.differed,
    )
