"""`arena plugin`: list plugins, what they bring, and what went wrong with them."""

from __future__ import annotations

from dataclasses import asdict

import click

from arena.cli.arguments import plugins
from arena.cli.output import print_json, print_table


@click.group()
def plugin() -> None:
    """List plugins, what they bring, and what went wrong with them."""


@plugin.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_plugins(*, as_json: bool) -> None:
    """List the installed plugins: status, what each brings, and its error.

    ARENA_PLUGINS_BLOCK=NAME,... leaves plugins out before they are imported.
    ARENA_PLUGINS_STRICT=1 makes any failure of a plugin an error of every command.
    """
    found = plugins(quiet=True).plugins
    if as_json:
        print_json([asdict(plugin) for plugin in found])
        return
    rows = [
        (
            plugin.name,
            f"{plugin.distribution} {plugin.version}".strip(),
            plugin.status,
            "; ".join(
                f"{noun}: {', '.join(names)}"
                for noun, names in (
                    ("games", plugin.games),
                    ("bots", plugin.bots),
                    ("sandboxes", plugin.sandboxes),
                    ("runners", plugin.runners),
                )
                if names
            ),
            plugin.error,
        )
        for plugin in found
    ]
    print_table(["plugin", "distribution", "status", "brings", "error"], rows)
