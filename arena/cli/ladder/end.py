"""`arena ladder close`, `export` and `verify`: end a ladder, publish it and check it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

import click
from msgspec.structs import asdict

from arena.cli.arguments import plugins
from arena.cli.clusters import RunnerChoice, checking_options
from arena.cli.ladder.files import STORE, only_store, source_in, store_in
from arena.cli.ladder.wish import leave_wish, wish_options
from arena.cli.output import print_json, printable, say
from arena.errors import DOES_NOT_HOLD, HOST_FAILED
from arena.ladder.claims import FAILS
from arena.ladder.export import log_lines, standings_line
from arena.ladder.kept_head import Head
from arena.ladder.published import standings_path
from arena.ladder.store import Store
from arena.ladder.verification import Verified, verify_ladder
from arena.ladder.wishes import Close
from arena.machine.calls import usable_cores
from arena.wording import brief


@click.command()
@STORE
@click.option(
    "--reason",
    type=click.Choice(["time", "host"]),
    default="host",
    show_default=True,
    help="Why it ends, unless its games are played or its order is certain, which the log shows.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@wish_options
def close(
    path: Path | None, reason: Literal["time", "host"], *, yes: bool, no_wait: bool, as_json: bool
) -> None:
    """Close a ladder for good, and reveal its secret, so that all deals can be checked.

    A run that is on ends. Publish the head that is printed: it stands for every entry of the log.
    """
    path = path or only_store()
    with store_in(path) as store:
        if store.ledger.closed:
            raise click.UsageError(f"{path}: this ladder is closed already")
        if not yes and not _agreed(store):
            say("not closed")
            return
    asked = leave_wish(path, Close(reason=reason), no_wait=no_wait, as_json=as_json)
    if asked.answer is None or as_json:
        return
    with store_in(path) as store:
        ledger = store.ledger
        assert ledger.closed is not None
        click.echo(f"secret  {ledger.closed.secret}")
        click.echo(f"head    {ledger.tree.size}:{ledger.root}")


@click.command()
@STORE
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    required=True,
    help="The file for the log; - for standard output, and then no standings are written.",
)
def export(path: Path | None, output: Path) -> None:
    """Write a ladder's log to a file, and its standings to a file beside it.

    The secret is in the log once the ladder is closed. `arena ladder verify` checks such a file;
    its format is described in ladders/README.md.
    """
    with store_in(path) as store:
        if str(output) == "-":
            _write(sys.stdout.buffer, store)
            return
        if not output.name:
            raise click.UsageError("--output: expected the name of a file, got none")
        if output.resolve().is_relative_to(store.path.resolve()):
            raise click.UsageError(f"--output {output}: lies in the store; name another file")
        try:
            if output.exists() and (output.is_symlink() or not output.is_file()):
                with output.open("wb") as file:
                    _write(file, store)  # a device, or a link such as /dev/stdout, stays what it is
                return
            size = _replace(output, log_lines(store))
            beside = standings_path(output)
            _replace(beside, [standings_line(store, plugins().games.get(store.contest.game))])
        except BrokenPipeError:
            raise  # the reader has closed the pipe
        except OSError as error:
            raise click.UsageError(f"--output {output}: {error.strerror}") from None
        say(f"{output}: {store.contest.name}, {size:,} bytes; its standings are in {beside}")


def _agreed(store: Store) -> bool:
    """Ask at the terminal whether to close the ladder; return the answer."""
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask at; give --yes to close the ladder")
    name, games = store.contest.name, store.ledger.games
    return click.confirm(f"Close {name} after {games} games? No more can be played.", err=True)


def _write(file: BinaryIO, store: Store) -> None:
    file.writelines(log_lines(store))
    file.flush()


def _replace(output: Path, lines: Iterable[bytes]) -> int:
    """Replace a file by these lines, completely or not at all; return the size in bytes."""
    written = output.with_name(output.name + ".part")
    try:
        with written.open("wb") as file:
            file.writelines(lines)
        size = written.stat().st_size
        written.replace(output)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    return size


@click.command("verify")
@click.argument(
    "path",
    metavar="[STORE|LOG]",
    required=False,
    type=click.Path(readable=False, path_type=Path),
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="How many processes check games; by default one per core.",
)
@checking_options
@click.option(
    "--head",
    metavar="SIZE:ROOT",
    help="A head of the log that was published earlier; then entries up to it were not changed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_ladder_file(
    path: Path | None,
    workers: int | None,
    checkers: RunnerChoice,
    head: str | None,
    *,
    as_json: bool,
) -> None:
    """Compute a ladder again from its log, and say of every claim whether it holds.

    A claim holds, fails at an entry, or is not shown: then it says what would be needed. With
    --runner dask, machines play the games again. This one looks itself at what they find wrong,
    and at a share of the blocks they look at twice; it shows as much as they can be trusted.

    Exit code 0 if no claim fails, 1 if one does, 2 if the file cannot be read, 3 if the host
    failed and nothing was decided, 130 if interrupted.
    """
    path = path or only_store()
    kept = None if head is None else _head(head)
    runner = checkers.found()
    source = source_in(path)
    staff = workers or len(usable_cores())
    with _progress(path) as report:
        try:
            verified = verify_ladder(source, plugins().games, staff, report, kept, runner.checking)
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
                "holds": verified.holds,
                "games": verified.games,
                "head": f"{verified.head.size}:{verified.head.root}",
                "claims": [asdict(claim) for claim in verified.claims],
            }
        )
    else:
        for claim in verified.claims:
            click.echo(f"{claim.state:9}  {claim.text}")
            if claim.detail:
                click.echo(f"           {printable(claim.detail)}")
        click.echo(f"{path}: {_sum(verified)}")
    if not verified.holds:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


def _sum(verified: Verified) -> str:
    """Return in a sentence what was found."""
    failing = sum(claim.state == FAILS for claim in verified.claims)
    head = f"{verified.head.size}:{verified.head.root}"
    if failing:
        return f"does not hold: {failing} of {len(verified.claims)} claims fail"
    return f"{verified.games} games, nothing fails; the head is {head}"


def _head(said: str) -> Head:
    size, colon, root = said.partition(":")
    if not (
        colon and re.fullmatch("[1-9][0-9]{0,15}", size) and re.fullmatch("[0-9a-f]{64}", root)
    ):
        raise click.UsageError(
            f"--head: expected SIZE:ROOT as `arena ladder close` prints it, got {brief(said)}"
        )
    return Head(int(size), root)


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
