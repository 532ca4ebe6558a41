"""Published standings: a file beside the log, which agrees with it to its printed digits."""

from __future__ import annotations

from pathlib import Path

from msgspec import json

from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import Row, TableRow, standings, standings_by_table
from arena.records.codec import read_form
from arena.records.entries import Count, Form, Sha256
from arena.records.ledger import Ledger


class Published(Form, frozen=True, kw_only=True):
    """The standings after some entries of a log, and the root that stands for these."""

    ladder: str
    entries: Count
    root: Sha256
    games: Count
    standings: tuple[Row, ...]
    by_table: tuple[TableRow, ...]


_decoder = json.Decoder(Published)


def published(ledger: Ledger, book: Scorebook) -> Published:
    """Return the standings that follow from a log.

    Times are left out, so that the same log gives the same file.
    """
    rows = standings(book, ledger, timed=False)
    return Published(
        ladder=ledger.contest.name,
        entries=ledger.tree.size,
        root=ledger.root,
        games=book.games,
        standings=tuple(rows),
        by_table=tuple(standings_by_table(book, ledger.contestants)),
    )


def read_published(line: bytes) -> Published:
    """Return the standings on a line without its end; raise `Difference` if it is malformed."""
    return read_form(line, _decoder)


def standings_path(path: Path) -> Path:
    """Return where the standings of an exported log are."""
    return path.with_name(f"{path.stem}.standings.json")
