"""`arena serve`: make a folder a site on which people hand in bots."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.arguments import plugins
from arena.cli.logs import Printable, start_logging
from arena.cli.output import say
from arena.errors import DOES_NOT_HOLD
from arena.wording import counted

if TYPE_CHECKING:
    from arena.site.folder import SiteFolder

NEEDS = ("starlette", "uvicorn", "python_multipart", "webauthn")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Where it listens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--host-link",
    "only_link",
    is_flag=True,
    help="Print a new one-time link for the host, also while the site is served, and end.",
)
@click.option(
    "--pack-starters",
    "only_pack",
    is_flag=True,
    help="Pack first bots in languages whose builds load libraries, so that authors can hand in "
    "what they download; also while the site is served. Uses the network, and ends.",
)
@click.option(
    "--backup",
    "copy",
    metavar="TO",
    type=click.Path(path_type=Path),
    help="Copy the whole site to TO, also while it is served, and end.",
)
def serve(
    folder: Path, host: str, port: int, *, only_link: bool, only_pack: bool, copy: Path | None
) -> None:
    """Serve a site: people join, hand in bots, and watch ladders.

    The first start makes DIR, with its settings in DIR/site.toml, and prints a one-time link for
    the host. All that the site keeps is in DIR. It listens on this machine alone, for a reverse
    proxy in front of it; docs/site.md says how.

    \b
    arena serve friday-site
    arena serve friday-site --port 8080

    Exit codes: 0 told to end, 1 a starter could not be packed, 2 wrong usage or settings, 3 the
    host failed.
    """
    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        raise click.UsageError(
            f"a site needs {', '.join(missing)}; install them: pip install 'bot-arena[site]'"
        )
    from arena.site import server  # noqa: PLC0415 - only used here
    from arena.site.folder import SiteFolder  # noqa: PLC0415

    own = SiteFolder(folder)
    if copy is not None:
        if only_link or only_pack:
            other = "--host-link" if only_link else "--pack-starters"
            raise click.UsageError(f"--backup and {other} are two things to do; give one")
        _back_up(own, copy)
        return
    if only_link:
        own.check_is_site()
        click.echo(server.host_link(own, port))
        return
    if only_pack:
        own.check_is_site()
        _pack_starters(own)
        return
    _log_requests()
    server.serve(own, host, port, plugins(), click.echo)


def _pack_starters(folder: SiteFolder) -> None:
    from arena.site.starters import pack_starters  # noqa: PLC0415 - only used here

    failures = list(pack_starters(folder, say))
    for failure in failures:
        say(f"could not be packed: {failure}")
    if failures:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


def _back_up(folder: SiteFolder, to: Path) -> None:
    from arena.cli.ladder.store import counts  # noqa: PLC0415 - only used here
    from arena.site.backup import copy_site  # noqa: PLC0415

    made = copy_site(folder, to, lambda text: click.echo(f"copying {text}", err=True))
    for name, ledger in made.ladders.items():
        click.echo(f"{to}: {name}: {counts(ledger)}")
    click.echo(
        f"{to}: {counted(len(made.ladders), 'ladder')}, {counted(made.files, 'file')}, "
        f"{made.size:,} bytes"
    )


def _log_requests() -> None:
    """Show on stderr what happens on the site, unless ARENA_LOG says what to show."""
    start_logging()
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Printable("%(asctime)s %(message)s"))
    logger = logging.getLogger("arena.site")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
