"""The paths that ladder commands are given: definitions, stores, logs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from arena.cli.arguments import find_bot, plugins
from arena.games.game import Game
from arena.ladder.definition import Definition, check_contestants, read_definition
from arena.ladder.source import Source, open_source
from arena.ladder.store import Store
from arena.ladder.store_files import StoreError, is_store, refuse_old_store
from arena.records.entries import Contestant

SUFFIX = ".ladder"

STORE = click.argument(
    "path", metavar="[STORE]", required=False, type=click.Path(readable=False, path_type=Path)
)
"""An argument for a store; by default the only one in the current directory."""


def definition_in(path: Path) -> Definition:
    """Read the definition in a file."""
    with suppress(OSError):  # which reading it says as well
        refuse_old_store(path)
    to_show = partial(find_bot, to_run=False)
    return read_definition(path, plugins().games, plugins().sandboxes, to_show)


def check_listed(bots: Sequence[str], path: Path, game: Game) -> None:
    """End the command unless a definition in this file can have these contestants."""
    check_contestants(bots, path, game, partial(find_bot, to_run=False))


def store_in(path: Path | None, *, write: bool = False) -> Store:
    """Open the store at a path, by default the only one in the current directory."""
    return Store.open(path or only_store(), write=write)


def source_in(path: Path | None) -> Source:
    """Open the store or log at a path, by default the only store in the current directory."""
    return open_source(path or only_store())


def source_contestants(path: Path) -> list[Contestant]:
    """Return all that ever took part in the ladder of this store."""
    with Store.open(path) as store:
        return list(store.ledger.contestants)


def only_store() -> Path:
    """Return the only store in the current directory; raise `StoreError` if there is not one."""
    here = sorted(path for path in Path().glob(f"*{SUFFIX}") if is_store(path))
    if len(here) == 1:
        return here[0]
    found = f"several here: {', '.join(map(str, here))}" if here else "none here"
    raise StoreError(f"expected the path of a ladder's store, as there are {found}")
