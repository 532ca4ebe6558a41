"""`arena login`: let this machine act for you on a site."""

from __future__ import annotations

import socket
import sys
import time
from typing import Final

import click

from arena.cli.output import print_json, say
from arena.remote.client import Client, SiteRefused
from arena.remote.credentials import Credentials

EVERY: Final = 1.0


@click.command()
@click.argument("url", metavar="URL")
@click.option(
    "--token",
    "by_token",
    is_flag=True,
    help="Read a token from stdin that you made in your account on the site.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def login(url: str, *, by_token: bool, as_json: bool) -> None:
    """Log in to a site, so that `arena submit` can hand in bots there.

    It prints a link to open in a browser where you are signed in; there you compare the code,
    and allow it. The token that it gets lies in $XDG_DATA_HOME/arena/sites.json, which only you
    can read, and you can revoke it in your account.

    \b
    arena login https://arena.example.org

    Exit codes: 0 logged in, 2 refused, 3 the site cannot be reached.
    """
    client = Client(url)
    token = _typed(client.address) if by_token else _allowed(client)
    me = Client(url, token).me()
    Credentials.default().keep(client.address, token)
    if as_json:
        print_json({"site": client.address, "name": me.name, "scopes": sorted(me.scopes)})
    else:
        click.echo(f"logged in to {client.address} as {me.name}")


def _typed(address: str) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(f"Token for {address}", hide_input=True, err=True)).strip()
    return sys.stdin.readline().strip()


def _allowed(client: Client) -> str:
    """Wait until somebody has allowed it in a browser; return the token."""
    started = client.start_login(f"arena on {socket.gethostname()}")
    say("Open this link where you are signed in, and compare the code:")
    say(f"  {started.link}")
    say(f"  code {started.code}")
    deadline = time.monotonic() + started.seconds
    while time.monotonic() < deadline:
        try:
            token = client.collect_token(started.secret)
        except SiteRefused as refused:
            raise click.UsageError(str(refused)) from None
        if token is not None:
            return token
        time.sleep(EVERY)
    raise click.UsageError(f"nobody has allowed it within {started.seconds // 60} minutes")
