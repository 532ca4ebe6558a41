"""Opening the store of a ladder by its definition: a new one, or one that is on the same terms."""

from __future__ import annotations

from pathlib import Path
from secrets import token_bytes

from arena.ladder.contest import changes
from arena.ladder.definition import Definition
from arena.ladder.store import Store
from arena.ladder.store_files import StoreError
from arena.records.entries import Contest

SECRET_BYTES = 32


def check_store(definition: Definition, path: Path) -> None:
    """Raise `StoreError` if there is a store at `path` that this ladder cannot use.

    If there is none, check the anchor of the new ladder.
    """
    if path.exists():
        with Store.open(path) as store:
            check_terms(store, definition.contest)
    else:
        definition.check_anchor()


def open_store(definition: Definition, path: Path) -> Store:
    """Open the store of this ladder, or create it; `check_store` comes first."""
    contest = definition.contest
    if path.exists():
        return Store.open(path, write=True)
    secret = token_bytes(SECRET_BYTES) if contest.seed is None else contest.seed.encode()
    return Store.create(path, contest, secret)


def check_terms(store: Store, contest: Contest) -> None:
    """Raise `StoreError` unless this store can go on with these terms."""
    path = store.path
    found = changes(store.contest, contest)
    if found:
        raise StoreError(
            f"{path}: holds this ladder on other terms ({'; '.join(found)}); the terms of a "
            "ladder do not change: undo that, or give the new ladder another --store"
        )
    if store.ledger.closed:
        raise StoreError(f"{path}: this ladder is closed; give a new one another --store")
