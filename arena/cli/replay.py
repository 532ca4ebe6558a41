"""`arena replay`: show recorded games move by move, and verify them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from arena.cli.arguments import plugins
from arena.cli.new_files import check_new, write_new
from arena.cli.output import print_json, print_table, say
from arena.cli.story import Story, StoryLine
from arena.errors import DOES_NOT_HOLD
from arena.games.game import Viewer
from arena.ladder.source import is_ladder, records, times_of
from arena.ladder.store_files import is_store
from arena.pages.replay_data import ReplayData
from arena.pages.replay_page import replay_page
from arena.records.codec import lines_of
from arena.records.difference import Difference
from arena.records.game_record import GameRecord
from arena.referee.replay import game_of
from arena.referee.verification import check_game, verify_file
from arena.wording import counted

WIDTH, NARROWEST = 80, 40
"""The width of a terminal that does not say how wide it is, and the least."""
RECORDS = click.Path(exists=True, path_type=Path)


@click.group()
def replay() -> None:
    """Show recorded games, and verify them."""


@replay.command("show")
@click.argument("path", metavar="FILE", type=RECORDS)
@click.option("--game", "number", type=click.IntRange(0), help="The number of the game.")
@click.option("--seat", type=int, help="The game as this seat saw it; by default all cards.")
@click.option("--from", "first", type=int, metavar="D", help="From this decision on.")
@click.option("--to", "last", type=int, metavar="D", help="Up to this decision.")
@click.option("--position", "positions", is_flag=True, help="Show the position at each decision.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(
    path: Path,
    number: int | None,
    seat: int | None,
    first: int | None,
    last: int | None,
    *,
    positions: bool,
    as_json: bool,
) -> None:
    """Show a recorded game move by move, or list the games of a file with several.

    With --seat the cards, actions and notes of the others are hidden, and in JSON the deal. A
    record that does not hold is shown as far as the rules allow; the exit code is then 1. Times
    and stderr are shown if the file with them lies beside the log. --position needs room: with
    --from and --to it shows a part of the game. A FILE can also be the store of a ladder, or an
    export of it.

    \b
    arena play gargon random random random --record games.jsonl
    arena replay show games.jsonl
    arena replay show games.jsonl --game 2 --seat 0 --from 10 --to 20 --position
    """
    chosen = any(option is not None for option in (seat, first, last))
    with opened(path):
        record, listed = _find(path, records(path), number)
    if record is None:
        if chosen:
            raise click.UsageError(
                f"--seat, --from and --to need --game, as {path} holds {len(listed)} games"
            )
        _list(listed, as_json=as_json)
        return
    _check_range("--seat", seat, record.seats)
    _check_range("--from", first, len(record.actions))
    _check_range("--to", last, len(record.actions))
    if first is not None and last is not None and first > last:
        raise click.UsageError(f"--from: expected at most {last}, as --to says, got {first}")
    _tell(path, record, seat, first, last, positions=positions, as_json=as_json)


@replay.command("html")
@click.argument("path", metavar="FILE", type=RECORDS)
@click.option("--game", "number", type=click.IntRange(0), help="The number of the game.")
@click.option("--seat", type=int, help="The game as this seat saw it, with nothing else in it.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PAGE",
    help="The file to write.",
)
@click.option("--force", is_flag=True, help="Overwrite it.")
def html(path: Path, number: int | None, seat: int | None, output: Path, *, force: bool) -> None:
    """Make a page of a recorded game, to look at in a browser.

    The page is one file that needs nothing else: it can be opened, sent, or put on any web
    server. It shows the game as everybody and as each seat saw it. All that happened is in it,
    so publish only games that are over; with --seat it holds what this seat saw and no more.

    \b
    arena play gargon random random random --record games.jsonl
    arena replay html games.jsonl --game 0 --output game.html
    """
    check_new("--output", output, force=force)
    with opened(path):
        record, listed = _find(path, records(path), number)
    if record is None:
        raise click.UsageError(f"--game: expected a number, as {path} holds {len(listed)} games")
    _check_range("--seat", seat, record.seats)
    viewers: list[Viewer] = [None, *range(record.seats)] if seat is None else [seat]
    try:
        game = game_of(record.contest, plugins().games)
        check_game(record, game)
        data = ReplayData(record, game, viewers, times_of(path, record))
    except Difference as difference:
        difference.number = record.number
        say(f"arena replay html: this record does not hold: {path}, {difference}")
        raise click.exceptions.Exit(DOES_NOT_HOLD) from None
    page = replay_page(data, game).encode()
    write_new("--output", output, page, force=force)
    say(f"{output}: {counted(len(data.steps), 'step')}, {round(len(page) / 1000)} kB")


@replay.command("verify")
@click.argument("path", metavar="FILE", type=RECORDS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_matches(path: Path, *, as_json: bool) -> None:
    """Play every game of a file again under the rules, and name the first difference.

    Exit code 0 if everything holds, 1 if not, 2 if the file cannot be read. The file cannot
    show whether games were cut off at its end: compare the heads with published ones.
    """
    found = None
    games = 0
    heads: list[str] = []
    with opened(path):
        if is_ladder(path):
            raise click.UsageError(f"{path}: this is a ladder; see `arena ladder verify {path}`")
        try:
            for match in verify_file(_watched(path), plugins().games):
                games += match.games
                heads.append(f"{match.size}:{match.root}")
        except Difference as difference:
            found = difference
    if not heads and found is None:
        raise click.UsageError(f"{path}: no games in this file")
    if as_json:
        print_json(
            {
                "file": str(path),
                "holds": found is None,
                "games": games,
                "heads": heads,
                "difference": None if found is None else found.as_map(),
            }
        )
    elif found is None:
        noun = "game" if games == 1 else "games"
        said = "the head is" if len(heads) == 1 else "the heads are"
        click.echo(f"{games} {noun} verified, {said} {', '.join(heads)}")
    else:
        click.echo(f"{path}, {found}")
    if found is not None:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


@contextmanager
def opened(path: Path) -> Iterator[None]:
    """Errors in reading a file end the command."""
    if path.is_dir() and not is_store(path):
        raise click.UsageError(f"{path}: is a directory, expected a log or a ladder's store")
    try:
        yield
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be read: {error.strerror}") from None


def _find(
    path: Path, found: Iterator[GameRecord], number: int | None
) -> tuple[GameRecord | None, list[dict[str, Any]]]:
    """Return the game of this number, or the only one; for several return None and a list."""
    first = record = None
    listed = []
    try:
        for record in found:
            if record.number == number:
                return record, []
            if number is not None:
                continue
            first = first or record
            listed.append(
                {
                    "number": record.number,
                    "game": record.contest.game,
                    "scores": list(record.game.scores),
                    "places": list(record.game.places),
                    "verdicts": record.verdicts,
                    "bots": [bot.name for bot in record.bots],
                }
            )
    except Difference as difference:
        raise click.UsageError(f"{path}: not a log of games: {difference}") from None
    if number is not None:
        last = "no games" if record is None else f"games up to {record.number}"
        raise click.UsageError(f"--game: no game {number} in {path}, which has {last}")
    if not listed:
        raise click.UsageError(f"{path}: no games in this file")
    return (first if len(listed) == 1 else None), listed


def _check_range(name: str, value: int | None, count: int) -> None:
    if value is not None and not 0 <= value < count:
        raise click.UsageError(f"{name}: expected 0..{count - 1}, got {value}")


def _list(games: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(games)
        return
    rows = [
        (
            game["number"],
            game["game"],
            ", ".join(game["bots"]),
            " ".join(map(str, game["scores"])),
            " ".join(map(str, game["places"])),
            _verdicts(game["verdicts"]),
        )
        for game in games
    ]
    print_table(["number>", "game", "bots by seat", "scores", "places", "verdicts"], rows)


def _verdicts(verdicts: list[str]) -> str:
    """Return the verdicts as text, in one word if they are all the same."""
    return verdicts[0] if len(set(verdicts)) == 1 else ", ".join(verdicts)


def _tell(
    path: Path,
    record: GameRecord,
    seat: int | None,
    first: int | None,
    last: int | None,
    *,
    positions: bool,
    as_json: bool,
) -> None:
    """Show a game as far as it holds, and say where it does not."""
    games = plugins().games
    try:
        game = game_of(record.contest, games)
        times = times_of(path, record)
        story = Story(record, game, seat, first, last, times, positions=positions)
        if as_json:
            print_json(story.as_map())
        else:
            _print(story.lines())
        check_game(record, game)
    except Difference as difference:
        difference.number = record.number
        say(f"arena replay show: this record does not hold: {path}, {difference}")
        raise click.exceptions.Exit(DOES_NOT_HOLD) from None


def _print(lines: Iterable[StoryLine]) -> None:
    """Print lines, on a terminal as wide as it is, and in colours unless `NO_COLOR` is set."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        width = max(NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns)
        lines = (part for line in lines for part in _wrapped(line, width))
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        for line in lines:
            print(line.text)
        return
    from rich.console import Console  # noqa: PLC0415 - rich takes as long to load as all the rest
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    for line in lines:
        console.print(Text(line.text, style=line.style), soft_wrap=True)


def _wrapped(line: StoryLine, width: int) -> Iterator[StoryLine]:
    """Yield a line in parts that fit; the later ones begin beneath its text."""
    if len(line.text) <= width:
        yield line
        return
    indent = " " * min(len(line.text) - len(line.text.lstrip(" 0123456789|")) + 2, width // 2)
    for part in wrap(
        line.text, width, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False
    ):
        yield StoryLine(part, line.style)


def _watched(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, with progress on stderr if that is a terminal."""
    with path.open("rb") as file:
        if not sys.stderr.isatty():
            yield from lines_of(file)
            return
        from rich.console import Console  # noqa: PLC0415 - as above
        from rich.progress import Progress  # noqa: PLC0415

        with Progress(console=Console(stderr=True), transient=True) as progress:
            size = path.stat().st_size if path.is_file() else None
            task = progress.add_task(f"verifying {path.name}", total=size)
            for line in lines_of(file):
                yield line
                progress.advance(task, len(line))
