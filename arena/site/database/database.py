"""A site's database: one file, one writer at a time, and any number of readers beside it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

from arena.errors import ArenaError, HostError
from arena.site.database.schema import STEPS

WAIT: Final = 10_000
"""How many milliseconds a writer waits for one in another process."""
MOST_IDLE: Final = 8
"""How many connections are kept open for readers."""


class DatabaseError(ArenaError):
    """A database that cannot be used; the text says why, and what to do."""


class DatabaseFailed(HostError):
    """A database that could not be read or written, as when the disk is full."""


def copy_database(path: Path, to: Path) -> None:
    """Copy a database as it is at one moment, also while others write to it.

    Raise `DatabaseError` if it is damaged.
    """
    os.close(os.open(to, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    # It is opened as it is: beside the server of an earlier arena no table is changed.
    where = f"{path.as_uri()}?mode=rw"
    try:
        with (
            closing(sqlite3.connect(where, timeout=WAIT / 1000, uri=True)) as original,
            closing(sqlite3.connect(to)) as copy,
        ):
            original.backup(copy)
            found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise DatabaseFailed(f"{path}: cannot be copied: {error}") from error
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise DatabaseError(f"{path}: damaged: {found}; go back to a backup")


class Database:
    """An open database, whose tables are brought to today's form when it is opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = Lock()
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = Lock()
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # files beside it get its mode
        with self._opened() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        self._migrate()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Change the database in one transaction; it is on the disk when the block is left.

        If the block raises an error, nothing has changed.
        """
        with self._writing, self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Read from the database; all that is read in the block is of one moment."""
        with self._opened() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close all connections that nobody uses."""
        with self._idle_lock:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with self._idle_lock:
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or self._connect()
            yield connection
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if isinstance(error, sqlite3.IntegrityError):
                raise
            raise DatabaseFailed(f"{self.path}: {error}") from error
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        with self._idle_lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=WAIT / 1000, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # what was acknowledged is on the disk
        return connection

    def _migrate(self) -> None:
        """Take the steps that the database lacks, each completely or not at all."""
        while True:
            with self.write() as connection:
                version = int(connection.execute("PRAGMA user_version").fetchone()[0])
                if version > len(STEPS):
                    raise DatabaseError(
                        f"{self.path}: was written by a later version of the arena (its tables "
                        f"have version {version}, this arena knows {len(STEPS)}); update the arena"
                    )
                if version == len(STEPS):
                    return
                for statement in STEPS[version].split(";"):
                    if statement.strip():
                        connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {version + 1}")
