"""`arena ladder close`, `export` and `verify`: end a ladder, publish it and check it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from arena.cli.arguments import plugins
from arena.cli.ladder.files import STORE, only_store, source_in, store_in
from arena.cli.output import print_json, say
from arena.errors import DOES_NOT_HOLD, HOST_FAILED
from arena.ladder.export import export as export_lines
from arena.ladder.lock import locked
from arena.ladder.store import Store
from arena.ladder.verification import Verified, verify_ladder
from arena.records.difference import Difference


@click.command()
@STORE
@click.option("--yes", is_flag=True, help="Do not ask.")
def close(path: Path | None, *, yes: bool) -> None:
    """Close a ladder for good, and reveal its secret, so that all deals can be checked.

    Publish the last hash that is printed: it covers every game of the ladder.
    """
    path = path or only_store()
    with store_in(path) as store:
        if store.closed:
            raise click.UsageError(f"{path}: this ladder is closed already")
        if not yes and not _agreed(store):
            say("not closed")
            return
    with locked(path), store_in(path, write=True) as store:
        store.close_ladder()
        click.echo(f"{store.ladder.name} is closed after {store.games} games")
        click.echo(f"secret     {store.secret.hex()}")
        click.echo(f"last hash  {store.last_hash}")


@click.command()
@STORE
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    required=True,
    help="The file to write; - for standard output.",
)
def export(path: Path | None, output: Path) -> None:
    """Write a ladder to one file, with everything needed to verify it.

    A secret that was drawn is included only once the ladder is closed. `arena ladder verify`
    checks such a file; its format is described in ladders/README.md.
    """
    with store_in(path) as store:
        if str(output) == "-":
            _write(sys.stdout, store)
            return
        if not output.name:
            raise click.UsageError("--output: expected the name of a file, got none")
        try:
            if output.exists() and output.samefile(store.path):
                raise click.UsageError(f"--output {output}: this is the store; choose another name")
            if output.exists() and (output.is_symlink() or not output.is_file()):
                with output.open("w", encoding="utf-8", newline="\n") as file:
                    _write(file, store)  # a device, or a link such as /dev/stdout, stays what it is
                return
            size = _replace(output, store)
        except BrokenPipeError:
            raise  # the reader has closed the pipe
        except OSError as error:
            raise click.UsageError(f"--output {output}: {error.strerror}") from None
        say(f"{output}: {store.ladder.name}, {size:,} bytes")


def _agreed(store: Store) -> bool:
    """Ask at the terminal whether to close the ladder; return the answer."""
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask at; give --yes to close the ladder")
    return click.confirm(
        f"Close {store.ladder.name} after {store.games} games? No more can be played.", err=True
    )


def _write(file: TextIO, store: Store) -> None:
    file.writelines(export_lines(store))
    file.flush()


def _replace(output: Path, store: Store) -> int:
    """Replace a file by the export, completely or not at all; return the size in bytes."""
    written = output.with_name(output.name + ".part")
    try:
        with written.open("w", encoding="utf-8", newline="\n") as file:
            _write(file, store)
        size = written.stat().st_size
        written.replace(output)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    return size


@click.command("verify")
@click.argument(
    "path",
    metavar="[STORE|EXPORT]",
    required=False,
    type=click.Path(dir_okay=False, path_type=Path),
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="How many processes check games; by default one per core.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_ladder_file(path: Path | None, workers: int | None, *, as_json: bool) -> None:
    """Compute a ladder again from its records, and name the first thing that is wrong.

    The check covers the chain of hashes, the deals if the secret is known, every move and
    score, the schedule, the ratings and the standings.

    Exit code 0 if everything holds, 1 if not, 2 if the file cannot be read, 3 if the host
    failed and nothing was decided, 130 if interrupted.
    """
    path = path or only_store()
    source = source_in(path)
    found: Difference | None = None
    verified: Verified | None = None
    with _progress(path) as report:
        try:
            verified = verify_ladder(
                source, plugins().games, workers or len(os.sched_getaffinity(0)), report
            )
        except Difference as difference:
            found = difference
        except BrokenProcessPool:
            say(
                "arena ladder verify: a process that checks was ended (memory?); nothing was "
                "decided, try fewer --workers"
            )
            raise click.exceptions.Exit(HOST_FAILED) from None
    if as_json:
        print_json(
            {
                "file": str(path),
                "holds": found is None,
                "games": verified.games if verified else None,
                "deals": verified.dealt if verified else None,
                "repeated_blocks": verified.repeated if verified else None,
                "last_hash": verified.last_hash if verified else None,
                "difference": found.as_map() if found else None,
            }
        )
    elif verified:
        deals = "with their deals" if verified.dealt else "but not their deals: the secret is kept"
        click.echo(f"{verified.games} games hold, {deals}; the last hash is {verified.last_hash}")
        if verified.repeated:
            click.echo(
                f"{verified.repeated} blocks were played again, on other deals, because the host "
                "had stalled; what was broken off is in no record"
            )
    else:
        click.echo(f"{path}, {found}")
    if found is not None:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


@contextmanager
def _progress(path: Path) -> Iterator[Callable[[int], None]]:
    """Show progress on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _games: None
        return
    from rich import progress  # noqa: PLC0415 - rich takes as long to load as all the rest
    from rich.console import Console  # noqa: PLC0415

    bar = progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.SpinnerColumn(),
        progress.TextColumn("{task.completed} games, {task.speed:.0f}/s"),
        progress.TimeElapsedColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
    with bar:
        task = bar.add_task(f"verifying {path.name}", total=None)

        def report(games: int) -> None:
            bar.update(task, completed=games)
            if games % 50 == 0:
                bar.refresh()

        yield report
