"""`arena ladder publish`: a ladder as a static site."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import click

from arena.cli.arguments import plugins
from arena.cli.ladder.files import source_in
from arena.cli.output import say
from arena.errors import DOES_NOT_HOLD, HOST_FAILED
from arena.ladder.collusion import contest_of
from arena.machine.calls import usable_cores
from arena.publishing.publish import DoesNotHold, read_verified
from arena.publishing.publish import publish as publish_site
from arena.referee.replay import game_of
from arena.wording import counted


@click.command()
@click.argument("path", metavar="STORE|LOG", type=click.Path(readable=False, path_type=Path))
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--verified",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What `arena ladder verify --json` printed of this ladder, to show it, too.",
)
@click.option(
    "--home",
    metavar="URL",
    default="",
    help="The ladder's page on the site where it is played; every page leads there.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="How many processes make replays; by default one per core.",
)
def publish(
    path: Path, folder: Path, verified: Path | None, home: str, workers: int | None
) -> None:
    """Write a ladder as a static site to DIR, or what has changed of it since the last time.

    DIR can be put on any web server, in any folder, or be opened from disk. It has the standings,
    a page of every bot, the games, replays of the last thousand and of others worth a look, and
    the log. Every file is replaced whole, so DIR can be served meanwhile.

    With `publish = "after-close"` in its definition a ladder shows no games, notes, replays or log
    before it is closed. What bots write to stderr is never published; see `arena ladder log`.

    \b
    arena ladder publish friday.ladder site

    Exit code 1 if a game of the log does not follow the rules.
    """
    if home and not home.startswith(("https://", "http://")):
        raise click.UsageError(f"--home: expected an address, such as https://..., got {home!r}")
    source = source_in(path)
    game = game_of(contest_of(source), plugins().games)
    found = None if verified is None else read_verified(verified)
    staff = workers or len(usable_cores())
    try:
        with _progress() as report:
            done = publish_site(source, game, folder, staff, report, found, home.rstrip("/"))
    except DoesNotHold as reason:
        say(f"arena ladder publish: {path} does not hold: {reason}; see `arena ladder verify`")
        raise click.exceptions.Exit(DOES_NOT_HOLD) from None
    except BrokenProcessPool:
        say("arena ladder publish: a process was ended (memory?); try --workers 1")
        raise click.exceptions.Exit(HOST_FAILED) from None
    changed = f"{done.written} written ({done.bytes_written / 1e6:.1f} MB), {done.removed} removed"
    shown = counted(done.games, "game") if done.shows_games else "games are shown when it is closed"
    say(f"{folder}: {done.ladder}, {shown}; {counted(done.files, 'file')}, {changed}")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show how many replays are made on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _made, _of: None
        return
    from rich.console import Console  # noqa: PLC0415 - rich takes as long to load as all the rest
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("replays", total=None)
        yield lambda made, of: progress.update(task, completed=made, total=of)
