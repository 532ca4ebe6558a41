"""`arena ladder check` and `backup`: whether a store is as it was written, and a copy of it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from arena.cli.ladder.files import STORE, only_store
from arena.cli.output import print_json, printable
from arena.errors import DOES_NOT_HOLD
from arena.ladder.backup import back_up
from arena.ladder.checkup import Checkup, examine, repair
from arena.ladder.lock import locked
from arena.records.ledger import Ledger
from arena.wording import counted


@click.command()
@STORE
@click.option("--repair", "mend", is_flag=True, help="Put right what is damaged.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(path: Path | None, *, mend: bool, as_json: bool) -> None:
    """Check that a store is as it was written, all of its log and the secret of the deals.

    With --repair, the log is cut off after the last entry up to which it holds, and what was cut
    off is kept in the store, in a file `cut-1`; the next run plays these blocks again. An entry
    whose check alone is damaged is not lost. What else is damaged is written anew from its copy.

    Whether the games follow the rules is a question for `arena ladder verify`.

    Exit code 0 if the store holds, or was repaired, 1 if it is damaged, 2 if it cannot be read.
    """
    path = path or only_store()
    done: list[str] = []
    with locked(path) if mend else nullcontext():
        found = before = examine(path)
        if mend and not found.holds:
            done = repair(found)
            found = examine(path)
    if as_json:
        print_json(_as_map(before, found, done))
    else:
        for finding in before.findings:
            click.echo(f"{path}: damaged: {printable(finding)}")
        for text in done:
            click.echo(f"{path}: repaired: {text}")
        for remark in found.remarks:
            click.echo(f"{path}: {remark}")
        click.echo(f"{path}: {_summary(found)}")
    if not found.holds:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


def _summary(found: Checkup) -> str:
    """Return in a line whether a store holds, and what --repair would do if not."""
    said = counts(found.ledger)
    if found.holds:
        return f"holds: {said}"
    if found.survey.damage:
        lost = f"{counted(found.lost.blocks, 'block')} with {counted(found.lost.games, 'game')}"
        return (
            f"holds only up to {said}; --repair keeps these, and leaves {lost} to be played again"
        )
    return f"--repair puts it right, and keeps {said}"


def counts(ledger: Ledger) -> str:
    """Return in a line what a log has."""
    size = ledger.tree.size
    parts = (
        counted(size, "entry", "entries"),
        counted(ledger.blocks, "block"),
        counted(ledger.games, "game"),
    )
    return f"{', '.join(parts)}, head {size}:{ledger.root}"


def _as_map(before: Checkup, now: Checkup, done: list[str]) -> dict[str, object]:
    ledger = now.ledger
    return {
        "store": str(now.path),
        "holds": now.holds,
        "entries": ledger.tree.size,
        "blocks": ledger.blocks,
        "games": ledger.games,
        "head": f"{ledger.tree.size}:{ledger.root}",
        "damaged": list(before.findings),
        "lost_blocks": before.lost.blocks,
        "lost_games": before.lost.games,
        "repaired": done,
        "remarks": list(now.remarks),
    }


@click.command()
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
@click.argument("to", metavar="TO", type=click.Path(path_type=Path))
def backup(path: Path, to: Path) -> None:
    """Copy a store to TO, also while a run writes to it; a ladder goes on from the copy as well.

    The copy has all entries that were whole when it began, and the wishes that wait. It is
    complete or not there at all. It has the secret of the deals, so keep it as you keep the store.
    """
    ledger = back_up(path, to)
    click.echo(f"{to}: {counts(ledger)}")
