"""`arena submit`: hand a bot in on a site, and watch what becomes of it."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import click
from msgspec import structs, to_builtins

from arena.check import report
from arena.cli.output import print_json, printable, say
from arena.cli.trial_games import play_tests, show_tests, went_well
from arena.programs.manifest import MANIFEST, load_manifest
from arena.remote.archive import write_archive
from arena.remote.client import Client, Told
from arena.remote.credentials import Credentials

EVERY: Final = 0.5


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--ladder", required=True, help="The ladder on the site.")
@click.option("--site", metavar="URL", help="The site; by default the last that you logged in to.")
@click.option(
    "--try", "trial", is_flag=True, help="Have it built and checked, but do not enter it."
)
@click.option(
    "--against",
    "opponents",
    metavar="BOT",
    multiple=True,
    help="With --try: let it play test games there against these, by name.",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Deals of the test games; each is played once for each bot.",
)
@click.option("--no-wait", is_flag=True, help="Do not wait for what becomes of it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def submit(
    folder: Path,
    ladder: str,
    site: str | None,
    opponents: tuple[str, ...],
    deals: int,
    *,
    trial: bool,
    no_wait: bool,
    as_json: bool,
) -> None:
    """Hand in a bot: pack its folder, send it, and show how it is built and checked there.

    Packing runs the tools of the bot's language with your rights, as `arena bot pack` does. A
    folder that is packed already is sent as it is.

    \b
    arena login https://arena.example.org
    arena submit my-bot --ladder friday
    arena submit my-bot --ladder friday --try --against gargon-hand --against random

    With --try it stays off the ladder: the site's page of it has a button to enter it.

    Exit codes: 0 it is on the ladder, or with --try has passed and failed in no test game, 1 it
    did not pass, or failed, 2 it was refused, 3 the site cannot be reached.
    """
    if opponents and (no_wait or not trial):
        raise click.UsageError("--against needs --try, and waits for the games")
    from arena.packing.pack import ToolFailed, is_packed, pack  # noqa: PLC0415 - slow to load

    folder = folder.parent if folder.name == MANIFEST else folder
    spec = load_manifest(folder)
    credentials = Credentials.default()
    address, token = credentials.find(None if site is None else Client(site).address)
    client = Client(address, token)
    with tempfile.TemporaryDirectory(prefix="arena-submit-") as place:
        packed = spec.folder
        if not is_packed(spec.folder):
            packed = Path(place) / "packed"
            try:
                pack(spec, packed, lambda step: say(f"{spec.name}: {step}"))
            except ToolFailed as failed:
                for line in failed.tail:
                    say(f"  {line}")
                say(f"{spec.name}: {failed}")
                raise click.exceptions.Exit(1) from None
        archive = Path(place) / "bot.tar.gz"
        count = write_archive(packed, archive)
        size = archive.stat().st_size
        say(f"{spec.name}: sending {count} files, {size:,} bytes packed, to {address}")
        handed = client.hand_in(ladder, archive, _progress, trial=trial)
    say(f"{spec.name}: is submission {handed.number}; {address}/submissions/{handed.number}")
    if no_wait:
        if as_json:
            print_json(structs.asdict(handed))
        else:
            click.echo(f"submission {handed.number}: {handed.words}")
        return
    last = _watch(client, handed.number, quiet=as_json)
    found = last.submission
    if not as_json:
        reason = f": {printable(found.reason)}" if found.reason else ""
        click.echo(f"submission {found.number}: {found.words}{reason}")
    good = found.state == ("ready" if trial else "playing")
    played = play_tests(client, found.number, opponents, deals) if good and opponents else None
    if as_json:
        shown = {} if played is None else {"match": to_builtins(played)}
        print_json({**structs.asdict(found), **shown})
    elif played is not None:
        show_tests(played, address)
    if good and trial:
        say(f"enter it there: {address}/submissions/{found.number}")
    if not good or (played is not None and not went_well(played)):
        raise click.exceptions.Exit(1)


def _progress(sent: int, size: int) -> None:
    if sys.stderr.isatty():
        text = f"\r{sent:,} of {size:,} bytes\033[K" if sent < size else "\r\033[K"
        click.echo(text, err=True, nl=False)


def _watch(client: Client, number: int, *, quiet: bool) -> Told:
    """Show what is told of a submission until it is on the ladder, or is not to be."""
    after, state = 0, ""
    while True:
        told = client.told(number, after)
        for event in () if quiet else told.events:
            show_event(event)
        after = told.next
        found = told.submission
        if not found.open:
            return told
        now = f"{found.words}, {told.ahead} before it" if told.ahead else found.words
        if now != state:
            say(f"submission {number}: {now}")
            state = now
        time.sleep(EVERY)


def show_event(event: dict[str, Any]) -> None:
    """Print an event as the commands that do the same here would."""
    kind = event.get("event")
    if kind == "begun":
        say(f"{event['text']} ...")
        for text in (event.get("detail"), event.get("same")):
            if text:
                say(f"  {printable(str(text))}")
    elif kind == "output" and str(event["text"]).strip():
        for line in str(event["text"]).rstrip("\n").split("\n"):
            click.echo(f"  {printable(line)}")
    elif kind == "checked":
        facts = {key: str(value) for key, value in event.items() if key != "event"}
        click.echo("\n".join(map(printable, report.told(facts))))
    elif kind in ("failed", "broken"):
        click.echo(printable(str(event["reason"])))
        if event.get("remedy"):
            click.echo(f"  {printable(str(event['remedy']))}")
