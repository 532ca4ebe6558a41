"""Sources of a ladder: its store, or an export of it, which is its log, an entry a line."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from arena.errors import ArenaError
from arena.ladder.published import Published, read_published, standings_path
from arena.ladder.store import Store, TimesReader
from arena.ladder.store_files import LOG, TIMES, StoreError, is_store, refuse_old_store
from arena.records.codec import LONGEST_LINE, lines_of, read_entry
from arena.records.difference import Difference, malformed
from arena.records.entries import FORMAT, BlockPlayed, Closed, Opened
from arena.records.game_record import GameRecord
from arena.records.ledger import follow_logs
from arena.records.times import BlockTimes, GameTimes
from arena.referee.recording import times_path

BEGINNING = b'{"commitment":'
"""How the first line of every log begins, as its keys are sorted."""
TAIL = 1 << 12


class NotALog(ArenaError):
    """A file that is neither a store nor a ladder's log; the message says what was expected."""


class Source(ABC):
    """A ladder that can be read."""

    path: Path
    secret: bytes | None
    """The secret of its deals, if it is known."""

    log: Path
    """The file with the log."""
    times: Path
    """The file with what lies beside the log, if there is one."""

    @abstractmethod
    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, without their ends."""

    @property
    @abstractmethod
    def published(self) -> Published | None:
        """The standings that were published with it; `Difference` if they are malformed."""


class StoreSource(Source):
    """The store of a ladder, on the host that runs it."""

    published = None

    def __init__(self, store: Store) -> None:
        self.store = store
        self.path = store.path
        self.log, self.times = store.path / LOG, store.path / TIMES
        try:
            self.secret = store.secret
        except StoreError:
            self.secret = None  # somebody else's store

    def lines(self) -> Iterator[bytes]:
        return self.store.lines()


class ExportSource(Source):
    """A log that was exported, with the standings in a file beside it."""

    def __init__(self, path: Path) -> None:
        self.path = self.log = path
        self.times = times_path(path)
        self.secret = _secret(path)

    def lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            yield from lines_of(file)

    @property
    def published(self) -> Published | None:
        path = standings_path(self.path)
        try:
            with path.open("rb") as file:
                line, *more = islice(lines_of(file), 2)
        except FileNotFoundError:
            return None
        except ValueError:
            raise malformed(path.name, "nothing", "a line, the published standings") from None
        except OSError as error:
            raise NotALog(f"{path}: cannot be read: {error.strerror}") from None
        if more:
            raise malformed(path.name, "several lines", "one, the published standings")
        return read_published(line)


def open_source(path: Path) -> Source:
    """Open the store or the log at this path."""
    if is_store(path):
        return StoreSource(Store.open(path))
    _check_log(path)
    return ExportSource(path)


def is_ladder(path: Path) -> bool:
    """Whether this is a store, or the log of a ladder; a pipe is neither."""
    if is_store(path):
        return True
    refuse_old_store(path)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        line = file.readline(LONGEST_LINE)
    try:
        entry = read_entry(line.removesuffix(b"\n"))
    except Difference:
        return False
    return getattr(getattr(entry, "contest", None), "kind", "") == "ladder"


def records(path: Path) -> Iterator[GameRecord]:
    """Yield the games of a ladder, or of a file of matches."""
    if is_store(path):
        with Store.open(path) as store:
            yield from _records(store.lines())
        return
    refuse_old_store(path)
    with path.open("rb") as file:
        yield from _records(lines_of(file))


def times_of(path: Path, record: GameRecord) -> GameTimes | None:
    """Return the times and evidence of a game, which lie beside its log; None if they do not."""
    beside = path / TIMES if is_store(path) else times_path(path)
    return _times(TimesReader(beside).at(record.number - record.rotation), record)


def games_in(source: Source) -> Iterator[tuple[GameRecord, GameTimes | None]]:
    """Yield the games of a ladder, each with its times if they lie beside the log."""
    reader = TimesReader(source.times)
    for ledger, entry in follow_logs(source.lines()):
        if isinstance(entry, BlockPlayed):
            block = ledger.records(entry)
            beside = reader.at(block[0].number)
            for record in block:
                yield record, _times(beside, record)


def _times(block: BlockTimes | None, record: GameRecord) -> GameTimes | None:
    """Return the times of a game, of those of its block."""
    if block is None or record.rotation >= len(block.games):
        return None
    times = block.games[record.rotation]
    return times if len(times.paces) == record.seats else None


def _records(lines: Iterator[bytes]) -> Iterator[GameRecord]:
    for ledger, entry in follow_logs(lines):
        if isinstance(entry, BlockPlayed):
            yield from ledger.records(entry)


def _check_log(path: Path) -> None:
    """Raise an error unless there is a file at this path that begins as a ladder's log does."""
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: expected a store or a log, got no regular file")
    expected = "expected a store, or a log as `arena ladder export` writes it"
    try:
        with path.open("rb") as file:
            start = file.read(len(BEGINNING))
            refuse_old_store(path)
            if start != BEGINNING:
                raise NotALog(f"{path}: {expected}, whose first line is an entry `open`")
            first = start + file.readline(LONGEST_LINE)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        entry = read_entry(first.removesuffix(b"\n"))
    except Difference as difference:
        raise NotALog(f"{path}, line 1: {expected} in format {FORMAT}: {difference}") from None
    if isinstance(entry, Opened) and entry.contest.kind == "match":
        raise NotALog(
            f"{path}: expected the log of a ladder, got that of a match; see "
            f"`arena replay verify {path}`"
        )


def _secret(path: Path) -> bytes | None:
    """Return the secret that the last entry of a log reveals, if it does."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
        last = file.read().removesuffix(b"\n").rpartition(b"\n")[2]
    try:
        entry = read_entry(last)
    except Difference:
        return None
    return bytes.fromhex(entry.secret) if isinstance(entry, Closed) else None
