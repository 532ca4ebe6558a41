"""`arena bot pack`: make of a bot a folder that builds without a network."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.output import print_json, say
from arena.programs.manifest import MANIFEST, load_manifest


@click.command("pack")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where to put it; by default beside FOLDER, with -packed after its name.",
)
@click.option("--force", is_flag=True, help="Replace a packed bot that is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def pack_bot(folder: Path, output: Path | None, *, force: bool, as_json: bool) -> None:
    """Pack your bot: make a folder that builds without a network, to hand in.

    The folder has the files that count, the SDK, the libraries that the build needs, and a
    bot.toml whose build does not look for a network. Packing runs the tools of the bot's
    language with your environment and rights, so pack only your own bots.

    \b
    arena bot pack my-bot
    arena bot build --sandbox auto my-bot-packed

    Exit codes: 0 packed, 1 a tool failed, 2 wrong usage.
    """
    from arena.packing.pack import ToolFailed, pack  # noqa: PLC0415 - only here

    folder = folder.parent if folder.name == MANIFEST else folder
    spec = load_manifest(folder)
    if output is None:
        output = spec.folder.with_name(f"{spec.folder.name}-packed")
    try:
        packed = pack(spec, output, lambda step: say(f"{spec.name}: {step}"), force=force)
    except ToolFailed as failed:
        for line in failed.tail:
            say(f"  {line}")
        say(f"{spec.name}: {failed}")
        raise click.exceptions.Exit(1) from None
    build = shlex.join(packed.build)
    if as_json:
        result = {"bot": spec.name, "folder": str(output), "build": list(packed.build)}
        print_json({**result, "digest": packed.digest})
    else:
        click.echo(f"{spec.name} is in {output}: {build or 'nothing to build'}")
