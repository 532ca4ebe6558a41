"""The store of a ladder: an SQLite file with every game, written by one run at a time.

The log of games is append-only: a block is added as a whole in one transaction. Everything
else that is shown is derived from the log. Derived data is saved in `cache` with the end of
the log from which it was derived, and is used only while the log has those games.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from arena.errors import ArenaError
from arena.ladder._export_schema import check_entrants, check_terms
from arena.ladder.ladder import Ladder
from arena.ladder.schedule import Entry
from arena.programs.contestant import Contestant
from arena.records.difference import Difference
from arena.records.record import Record, canonical
from arena.records.record_schema import read_record
from arena.wording import brief

APPLICATION = 0x4152454E
"""The application id that marks an SQLite file as a ladder's store: "AREN"."""
SCHEMA = 1
TABLES = """
CREATE TABLE ladder (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contestant (id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE);
CREATE TABLE entry (block INTEGER PRIMARY KEY, contestants TEXT NOT NULL);
CREATE TABLE game (number INTEGER PRIMARY KEY, record TEXT NOT NULL, timings TEXT NOT NULL);
CREATE TABLE cache (key TEXT PRIMARY KEY, games INTEGER NOT NULL, hash TEXT NOT NULL,
    value TEXT NOT NULL) WITHOUT ROWID;
"""
WAITING = 10.0
"""Seconds for which a reader or writer waits for another one."""

BATCH = 200
"""Games that are read at a time; others may write between two batches."""


class StoreError(ArenaError):
    """A store that cannot be used; the message says which one, why, and what to do."""


class Store:
    """An open store."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._last: Record | None = None

    @classmethod
    def create(cls, path: Path, ladder: Ladder, secret: bytes) -> Store:
        """Create the store of a new ladder, completely or not at all."""
        with store_errors(path):
            real = path.resolve()  # where a link leads
            real.parent.mkdir(parents=True, exist_ok=True)
            made = real.with_name(real.name + ".new")
            _remove(made)  # left by a run that was killed while it made one
            try:
                _make(made, ladder, secret)
                made.rename(real)
            except BaseException:
                _remove(made)
                raise
            _sync(real.parent)
        return cls.open(path, write=True)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Store:
        """Open an existing store."""
        if path.exists() and not path.is_file():
            raise StoreError(f"{path}: expected the file of a store, got no regular file")
        if not path.is_file():
            raise StoreError(f"{path}: no such store; `arena ladder run` makes one")
        with store_errors(path):
            store = cls(path, _connect(f"file:{quote(str(path))}?mode={'rw' if write else 'ro'}"))
            (application,) = store._one("PRAGMA application_id")
            (schema,) = store._one("PRAGMA user_version")
            if application != APPLICATION:
                raise StoreError(f"{path}: this SQLite file is not a ladder's store")
            if schema != SCHEMA:
                age = "newer" if schema > SCHEMA else "older"
                raise StoreError(
                    f"{path}: written by {'a' if age == 'newer' else 'an'} {age} arena "
                    f"(schema {schema}, this one has {SCHEMA}); use that one, or export there "
                    "and verify the export here"
                )
            if write and (found := store._one("PRAGMA quick_check(1)")) != ("ok",):
                where = " ".join(found[0].split())
                raise StoreError(f"{path}: {_REASONS['SQLITE_CORRUPT']} ({where})")
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    # What the ladder is

    @property
    def ladder(self) -> Ladder:
        """The terms of the ladder."""
        terms = self._parsed(self._fact("terms"), "terms", check_terms)
        return Ladder.from_map(terms)

    @property
    def secret(self) -> bytes:
        """The secret from which the deals come."""
        secret = self._fact("secret")
        try:
            return bytes.fromhex(secret)
        except ValueError as error:
            raise self._damaged(f"secret: {error}") from None

    @property
    def closed(self) -> bool:
        """Whether the ladder has ended and its secret is revealed."""
        return self._fact("closed") == "1"

    def close_ladder(self) -> None:
        """End the ladder; unless somebody is reading, SQLite's files beside the store go, too."""
        with store_errors(self.path):
            self._connection.execute("UPDATE ladder SET value = '1' WHERE key = 'closed'")
            self._connection.execute("PRAGMA busy_timeout = 0")
            try:
                self._connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.OperationalError:
                pass  # somebody is reading; the ladder is closed all the same

    # Who plays

    def contestants(self) -> list[Contestant]:
        """Return all that ever took part; a contestant's number is its index here."""
        rows = self._all("SELECT name, version, digest FROM contestant ORDER BY id")
        return [Contestant(*row) for row in rows]

    def entries(self) -> list[Entry]:
        """Return who played from which block on."""
        rows = self._all("SELECT block, contestants FROM entry ORDER BY block")
        return [
            Entry(block, tuple(self._parsed(entrants, "entry", check_entrants)))
            for block, entrants in rows
        ]

    def enter(self, block: int, contestants: Iterable[Contestant]) -> Entry:
        """Let these contestants play from this block on."""
        with self._transaction() as connection:
            numbers = {each.digest: at for at, each in enumerate(self.contestants())}
            for each in contestants:
                if each.digest not in numbers:
                    numbers[each.digest] = number = len(numbers)
                    row = (number, each.name, each.version, each.digest)
                    connection.execute("INSERT INTO contestant VALUES (?, ?, ?, ?)", row)
            entry = Entry(block, tuple(sorted(numbers[each.digest] for each in contestants)))
            connection.execute(
                "INSERT OR REPLACE INTO entry VALUES (?, ?)",
                (block, canonical(list(entry.contestants))),
            )
        return entry

    # What was played

    @property
    def games(self) -> int:
        """The number of games."""
        (count,) = self._one("SELECT coalesce(max(number), -1) + 1 FROM game")
        return int(count)

    @property
    def last(self) -> Record | None:
        """The last record, or None if there are no games."""
        if self._last is not None:
            return self._last
        row = self._one("SELECT record FROM game ORDER BY number DESC LIMIT 1")
        return self._record(row[0]) if row else None

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        last = self.last
        return last["deal"]["block"] + 1 if last else 0

    @property
    def last_hash(self) -> str:
        """The hash of the last record, which covers the terms and the whole log."""
        last = self.last
        return last["hash"] if last else self.ladder.hash

    def add(self, games: Iterable[tuple[Record, dict[str, Any]]]) -> None:
        """Add the games of a block to the log, all or none."""
        games = list(games)
        rows = [(record["number"], canonical(record), canonical(t)) for record, t in games]
        with self._transaction() as connection:
            connection.executemany("INSERT INTO game VALUES (?, ?, ?)", rows)
        self._last = games[-1][0]  # nobody else writes

    def log(self, first: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the records and timings of all games from `first` on, as they are written."""
        query = "SELECT number, record, timings FROM game WHERE number >= ? ORDER BY number LIMIT ?"
        while rows := self._all(query, first, BATCH):
            yield from ((record, timings) for _, record, timings in rows)
            first = rows[-1][0] + 1

    def hash_at(self, games: int) -> str:
        """Return the last hash after the first `games` games."""
        row = self._one("SELECT record FROM game WHERE number = ?", games - 1)
        return str(self._record(row[0])["hash"]) if row else self.ladder.hash

    # What was derived

    def kept(self, key: str) -> tuple[int, Any] | None:
        """Return the saved data and the number of games it comes from; None if the log differs."""
        row = self._one("SELECT games, hash, value FROM cache WHERE key = ?", key)
        if row is None or type(row[0]) is not int or row[1] != self.hash_at(row[0]):
            return None
        try:
            return int(row[0]), json.loads(row[2])
        except (ValueError, TypeError):
            return None  # it can be derived again

    def kept_games(self, key: str) -> int | None:
        """Return the number of games that the saved data comes from, if there is any."""
        row = self._one("SELECT games FROM cache WHERE key = ?", key)
        return row[0] if row and type(row[0]) is int else None

    def keep(self, key: str, games: int, value: Any) -> None:
        """Save data that was derived from the first `games` games."""
        row = (key, games, self.hash_at(games), json.dumps(value))
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with store_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _record(self, line: object) -> Record:
        """Parse a record of the log and check its form."""
        try:
            return read_record(f"{line}\n".encode())
        except Difference as difference:
            raise self._damaged(str(difference)) from None

    def _parsed(self, text: object, what: str, check: Callable[[object], None]) -> Any:
        """Parse JSON from the store and check it."""
        if not isinstance(text, str):
            raise self._damaged(f"{what}: expected a text, got {brief(text)}")
        try:
            values = json.loads(text)
            check(values)
        except (ValueError, RecursionError) as error:
            raise self._damaged(f"{what}: expected JSON: {error}") from None
        except Difference as difference:
            raise self._damaged(str(difference)) from None
        return values

    def _damaged(self, what: str) -> StoreError:
        return StoreError(f"{self.path}: damaged: {what}")

    def _fact(self, key: str) -> str:
        row = self._one("SELECT value FROM ladder WHERE key = ?", key)
        if row is None:
            raise StoreError(f"{self.path}: damaged: it does not say its {key}")
        return str(row[0])

    def _one(self, query: str, *values: object) -> Any:
        with store_errors(self.path):
            return self._connection.execute(query, values).fetchone()

    def _all(self, query: str, *values: object) -> list[Any]:
        with store_errors(self.path):
            return self._connection.execute(query, values).fetchall()


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system into a `StoreError` that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
        raise StoreError(f"{path}: {_REASONS.get(code, error)}") from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None


_REASONS = {
    "SQLITE_FULL": "the disk is full; all that was said to be stored is safe: make room, "
    "and run the same command again",
    "SQLITE_IOERR": "the disk cannot be read or written; all that was said to be stored is "
    "safe: mend that, and run the same command again",
    "SQLITE_NOTADB": "not a store: expected an SQLite file, as `arena ladder run` makes it",
    "SQLITE_CORRUPT": "damaged; copy what can be read with `sqlite3 FILE .recover`, or go back "
    "to a copy of the file",
    "SQLITE_READONLY": "cannot be written; check the rights of the file and of its directory",
    "SQLITE_CANTOPEN": "cannot be opened; check the rights of the file and of its directory",
    "SQLITE_BUSY": "in use by another program for too long; try again",
}


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=WAITING, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _make(path: Path, ladder: Ladder, secret: bytes) -> None:
    """Write a store without games; only its owner can read it, as it contains the secret."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(_connect(f"file:{quote(str(path))}?mode=rw")) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in TABLES.split(";\n")[:-1]:
            connection.execute(statement)
        facts = {"terms": canonical(ladder.as_map()), "secret": secret.hex(), "closed": "0"}
        connection.executemany("INSERT INTO ladder VALUES (?, ?)", facts.items())
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
        # Last, so that everything is in this file when it is renamed, and nothing in one beside it.
        connection.execute("PRAGMA journal_mode = WAL")


def _remove(path: Path) -> None:
    """Remove a store, and SQLite's files beside it."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Sync a folder, so that its names are on the disk before anything is written under them."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
