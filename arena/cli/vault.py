"""`arena vault`: list, show and remove sealed bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.ladder.files import source_contestants
from arena.cli.output import print_json, print_table, printable, say
from arena.programs.vault import Sealed, Vault

SHOWN = 12
"""How many digits of a digest are shown in a table."""
STORES = click.argument(
    "stores",
    metavar="[STORE...]",
    nargs=-1,
    type=click.Path(path_type=Path),
)


@click.group()
def vault() -> None:
    """List, show and remove the bots that were sealed to be run in a sandbox."""


@vault.command("list")
@STORES
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_sealed(stores: tuple[Path, ...], *, as_json: bool) -> None:
    """List the sealed bots, and which of these stores of ladders have them."""
    used = _used_by(stores)
    found = Vault.default().all()
    if as_json:
        print_json([{**_facts(one), "used_by": used.get(one.digest, [])} for one in found])
        return
    rows = [
        (
            one.digest[:SHOWN],
            one.spec.name,
            one.spec.version,
            one.size,
            one.sealed,
            ", ".join(used.get(one.digest, [])),
        )
        for one in found
    ]
    print_table(["digest", "bot", "version", "bytes>", "sealed", "used by"], rows)


@vault.command("show")
@click.argument("text", metavar="BOT")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_sealed(text: str, *, as_json: bool) -> None:
    """Show a sealed bot, after its files were compared with its digest.

    A BOT is `name@version`, or at least 8 digits with which its digest starts.
    """
    kept = Vault.default()
    one = _find(kept, text)
    spec = kept.open(one.digest)
    shown = {
        **_facts(one),
        "author": spec.author,
        "summary": spec.summary,
        "language": spec.language,
        "games": list(spec.games),
        "build": list(spec.build),
        "run": list(spec.run),
        "folder": str(spec.folder),
        "files": str(spec.sources),
    }
    if as_json:
        print_json(shown)
        return
    width = max(map(len, shown))
    for key, value in shown.items():
        text = " ".join(value) if isinstance(value, list) else str(value)
        click.echo(f"{key:{width}}  {printable(text or '-')}")


@vault.command("remove")
@click.argument("names", metavar="[BOT...]", nargs=-1)
@click.option(
    "--store",
    "stores",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A store of a ladder whose bots stay; give it once for each.",
)
@click.option("--yes", is_flag=True, help="Remove all that no --store has, if no BOT is given.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def remove_sealed(
    names: tuple[str, ...], stores: tuple[Path, ...], *, yes: bool, as_json: bool
) -> None:
    """Remove these sealed bots, or with --yes all that no --store has.

    A BOT is `name@version`, or at least 8 digits with which its digest starts. What a running
    command uses stays.
    """
    kept = Vault.default()
    used = _used_by(stores)
    if names:
        chosen = [_find(kept, text) for text in names]
        for one in chosen:
            if one.digest in used:
                raise click.UsageError(f"{one.text} is in {', '.join(used[one.digest])}")
    else:
        chosen = [one for one in kept.all() if one.digest not in used]
        if not yes:
            listed = ", ".join(one.text for one in chosen) or "none"
            raise click.UsageError(f"--yes is needed to remove {len(chosen)} bots: {listed}")
    for one in {one.digest: one for one in chosen}.values():
        kept.remove(one.digest)
        say(f"removed {one.text}")
    if as_json:
        print_json([_facts(one) for one in chosen])


def _facts(one: Sealed) -> dict[str, str | int]:
    return {
        "digest": one.digest,
        "name": one.spec.name,
        "version": one.spec.version,
        "size": one.size,
        "sealed": one.sealed,
    }


def _find(kept: Vault, text: str) -> Sealed:
    found = kept.find(text)
    if found is None:
        raise click.UsageError(
            f"expected name@version or at least 8 digits of a digest in {kept.path}, got {text!r}"
        )
    return found


def _used_by(stores: Iterable[Path]) -> Mapping[str, list[str]]:
    """Return, by digest, the stores whose ladders have this bot."""
    found: dict[str, Any] = {}
    for path in stores:
        for contestant in source_contestants(path):
            found.setdefault(contestant.digest, []).append(str(path))
    return found
