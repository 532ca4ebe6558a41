"""`arena remote`: look at a site's ladders, and at what one has handed in there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import sleep
from typing import Any, TypeVar

import click
from msgspec import to_builtins

from arena.cli.output import print_json, print_table, printable, say
from arena.cli.submit import show_event
from arena.records.verdicts import MEANINGS
from arena.remote.client import Client
from arena.remote.credentials import Credentials

F = TypeVar("F", bound=Callable[..., Any])
LISTED = 50
SITE = click.option(
    "--site", metavar="URL", help="The site; by default the last that you logged in to."
)
LADDER = click.argument("ladder", metavar="[LADDER]", required=False)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def remote() -> None:
    """Look at a site: its ladders, their games and logs, and what you have handed in.

    All but `submissions` is there for everybody, without login. LADDER can be left out where the
    site has one alone.

    \b
    arena remote standings friday --site https://arena.example.org
    arena remote games friday --bot my-bot --faults
    arena remote watch friday
    arena remote log friday && arena ladder verify friday.jsonl
    arena login https://arena.example.org && arena remote submissions

    Exit codes: 0 success, 1 a claim of a log fails, 2 it was refused, 3 the site cannot be
    reached, or has failed.
    """


def _public(site: str | None) -> Client:
    """Return who asks for what everybody may see: no token is sent."""
    return Client(site or Credentials.default().address())


@remote.command("ladders")
@SITE
@JSON
def list_ladders(site: str | None, *, as_json: bool) -> None:
    """List the ladders of a site."""
    from arena.remote import ladders  # noqa: PLC0415 - slow to load

    found = ladders.ladders(_public(site))
    if as_json:
        print_json(to_builtins(found))
        return
    rows = [
        (
            each.name,
            each.game,
            ", ".join(map(str, each.tables)),
            "yes" if each.begun else "no",
            "yes" if each.takes_submissions else "no",
        )
        for each in found
    ]
    print_table(["ladder", "game", "tables", "begun", "takes bots"], rows)


@remote.command()
@LADDER
@SITE
@JSON
def standings(ladder: str | None, site: str | None, *, as_json: bool) -> None:
    """Show how a ladder stands, as `arena ladder show` does."""
    from arena.cli.ladder.tables import print_standings  # noqa: PLC0415 - slow to load
    from arena.remote import ladders  # noqa: PLC0415

    client = _public(site)
    name = ladders.chosen(client, ladder)
    found = ladders.standings(client, name)
    if as_json:
        print_json(to_builtins(found))
    elif found is None:
        click.echo(f"{printable(name)}: has not begun")
    else:
        print_standings(found)


@remote.command()
@LADDER
@click.option("--bot", help="Only games with this bot.")
@click.option("--verdict", type=click.Choice(list(MEANINGS)), help="Only games with this verdict.")
@click.option("--faults", is_flag=True, help="Only games that somebody did not finish.")
@click.option("--seats", type=click.IntRange(2), help="Only games at tables of this size.")
@click.option("--place", type=click.IntRange(1), help="Only games where the bot had this place.")
@click.option("--limit", type=click.IntRange(1), default=LISTED, show_default=True)
@SITE
@JSON
def games(
    ladder: str | None,
    bot: str | None,
    verdict: str | None,
    seats: int | None,
    place: int | None,
    limit: int,
    site: str | None,
    *,
    faults: bool,
    as_json: bool,
) -> None:
    """List games of a ladder, the newest first."""
    from arena.cli.ladder.game_table import print_games  # noqa: PLC0415 - slow to load
    from arena.cli.ladder.tables import labels_of  # noqa: PLC0415
    from arena.ladder.game_rows import GameFilter  # noqa: PLC0415
    from arena.remote import ladders  # noqa: PLC0415

    if bot is None and place is not None:
        raise click.UsageError("--place needs --bot")
    client = _public(site)
    name = ladders.chosen(client, ladder)
    wanted = GameFilter(bot=bot, verdict=verdict, faults=faults, seats=seats, place=place)
    rows = list(islice(ladders.games(client, name, wanted), limit))
    if as_json:
        print_json(to_builtins(rows))
        return
    shown = ladders.standings(client, name)
    names = {} if shown is None else labels_of(shown)
    for row in rows:  # who has entered meanwhile is not in the standings yet
        for digest, each in zip(row.digests, row.bots, strict=True):
            names.setdefault(digest, each)
    print_games(rows, names)


@remote.command()
@LADDER
@click.option(
    "--pace",
    type=click.FloatRange(0),
    default=1.2,
    show_default=True,
    help="Seconds for each step; 0 tells a game at once.",
)
@click.option("--games", type=click.IntRange(1), help="End after so many.")
@SITE
def watch(ladder: str | None, pace: float, games: int | None, site: str | None) -> None:
    """Watch games that have just finished, in words, the newest first.

    It goes on while the ladder does; Ctrl-C ends it. They are those that everybody sees on the
    ladder's page.
    """
    from arena.pages.replay_page import story  # noqa: PLC0415 - slow to load
    from arena.remote import ladders  # noqa: PLC0415
    from arena.remote.finished import as_data, finished_games  # noqa: PLC0415

    client = _public(site)
    name = ladders.chosen(client, ladder)

    def wait(seconds: float) -> None:
        say("waiting for the next game ...")
        sleep(seconds)

    for replay in islice(finished_games(client, name, wait), games):
        found = as_data(replay)
        bots = [f"seat {number} {seat['name']}" for number, seat in enumerate(found["seats"])]
        click.echo(printable(f"{replay.game}, game {replay.number}: {', '.join(bots)}"))
        for step in story(found):
            number = "" if step["decision"] is None else step["decision"]
            for fault in step["faults"]:
                click.echo(printable(f"{'':>5}  seat {fault['seat']}: {fault['verdict']}"))
            note = f' "{step["note"]}"' if step["note"] else ""
            click.echo(printable(f"{number:>5}  {'; '.join(step['told'])}{note}"))
            sleep(pace)
        order = sorted(found["seats"], key=lambda seat: int(seat["place"]))
        places = [f"{seat['place']}. {seat['name']} {seat['points']}" for seat in order]
        click.echo(printable(f"result: {', '.join(places)}\n"))


@remote.command()
@LADDER
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file for the log; by default LADDER.jsonl.",
)
@click.option("--verify", is_flag=True, help="Verify it then, as `arena ladder verify` does.")
@SITE
@JSON
@click.pass_context
def log(
    context: click.Context,
    ladder: str | None,
    output: Path | None,
    site: str | None,
    *,
    verify: bool,
    as_json: bool,
) -> None:
    """Download the log of a ladder: all of it, or nothing under its name.

    What has come is compared with the head that the site gives. If the connection breaks, the
    same command goes on where it broke. `arena ladder verify` then says of every claim of the
    log whether it holds.
    """
    from arena.remote import ladders  # noqa: PLC0415 - slow to load
    from arena.remote.log_download import download_log  # noqa: PLC0415

    client = _public(site)
    name = ladders.chosen(client, ladder)
    if output is None:
        safe = name.replace("/", "-").lstrip(".") or "log"
        output = Path(f"{safe}.jsonl")
    done = download_log(client, name, output, _progress)
    beside = f"; {done.before} of them had come before" if done.before else ""
    say(f"{output}: {done.entries} entries, {done.size:,} bytes{beside}")
    if verify:
        from arena.cli.ladder.end import verify_ladder_file  # noqa: PLC0415

        context.invoke(verify_ladder_file, path=output, head=done.head, as_json=as_json)
        return
    if as_json:
        print_json({"file": str(output), "entries": done.entries, "head": done.head})
    else:
        click.echo(f"head {done.head}")
        say(f"verify it: arena ladder verify {output}")


def _progress(come: int, size: int) -> None:
    if sys.stderr.isatty():
        text = f"\r{come:,} of {size:,} bytes\033[K" if come < size else "\r\033[K"
        click.echo(text, err=True, nl=False)


@remote.command()
@click.argument("number", metavar="[NUMBER]", required=False, type=click.IntRange(1))
@SITE
@JSON
def submissions(number: int | None, site: str | None, *, as_json: bool) -> None:
    """List what you have handed in; with NUMBER, show all that was found in one of them."""
    known = Credentials.default()
    client = Client(*known.find(None if site is None else Client(site).address))
    if number is None:
        found = client.submissions()
        if as_json:
            print_json(to_builtins(found))
            return
        rows = [
            (
                each.number,
                f"{each.bot} {each.version}".strip() or "-",
                each.ladder,
                each.words,
                _day(each.made),
            )
            for each in found
        ]
        print_table(["number>", "bot", "ladder", "state", "handed in (UTC)"], rows)
        return
    told = client.told(number, 0)
    if as_json:
        print_json(to_builtins(told))
        return
    for event in told.events:
        show_event(event)
    reason = f": {printable(told.submission.reason)}" if told.submission.reason else ""
    click.echo(f"submission {number}: {told.submission.words}{reason}")


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
