"""The export of a ladder: one file with everything needed to verify it."""

from __future__ import annotations

from collections.abc import Iterator

from arena.ladder.scorebook import scorebook
from arena.ladder.source import Tail, head_of
from arena.ladder.standings import standings
from arena.ladder.store import Store
from arena.records.record import canonical


def export(store: Store) -> Iterator[str]:
    """Yield the lines of an export: the head, the games and the standings.

    The secret is included only if the ladder is closed or has a public seed. Times are left out,
    so that the same ladder gives the same file.
    """
    ladder = store.ladder
    revealed = store.closed or ladder.seed is not None
    head = head_of(store, store.secret if revealed else None)
    yield canonical(head.as_map()) + "\n"
    book = scorebook(store)
    for number, (record, _) in enumerate(store.log()):
        if number == book.games:
            break  # a run has added more games meanwhile
        yield record + "\n"
    active = head.entries[-1].contestants if head.entries else ()
    rows = standings(book, head.contestants, active, ladder.anchor)
    tail = Tail(book.games, store.hash_at(book.games), [row.as_map(timed=False) for row in rows])
    yield canonical(tail.as_map()) + "\n"
