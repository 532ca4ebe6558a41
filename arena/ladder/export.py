"""The export of a ladder: its log, and its standings in a file beside it."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.game import Game
from arena.ladder.published import published
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from arena.records.canonical import canonical_bytes


def log_lines(store: Store) -> Iterator[bytes]:
    """Yield the lines of the log, as the file that is published has them.

    Times are left out, so that the same ladder gives the same file.
    """
    for line in store.lines():
        yield line + b"\n"


def standings_line(store: Store, game: Game | None) -> bytes:
    """Return the standings that follow from the log, as the file beside it has them."""
    return canonical_bytes(published(store.ledger, scorebook(store, game))) + b"\n"
