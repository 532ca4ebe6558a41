"""Sources of a ladder: its store, or an export of it with one JSON line after the other.

The first line of an export describes the ladder, and the last has its standings. Between them
are the unchanged records of all games, in order. All lines are canonical JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.ladder._export_schema import CHECKS, FORMAT, HEAD, TAIL, check_head, parse
from arena.ladder.ladder import Ladder, published
from arena.ladder.schedule import Entry
from arena.ladder.store import Store, StoreError
from arena.programs.contestant import Contestant
from arena.records import record_schema
from arena.records.difference import Difference
from arena.wording import brief

SQLITE = b"SQLite format 3\0"
LINE_OF_ARENA = b'{"arena":'
"""The beginning of the lines of an export that are not records."""


class NotAnExport(ArenaError):
    """A file that is neither a store nor an export; the message says where, and what it expects."""


@dataclass(frozen=True)
class Head:
    """The description of a ladder: its terms, who took part from when, its secret's hash."""

    ladder: Ladder
    contestants: list[Contestant]
    entries: list[Entry]
    secret_sha256: str
    secret: bytes | None
    """None as long as it is not revealed."""
    closed: bool

    def as_map(self) -> dict[str, Any]:
        """Return the first line of an export."""
        return {
            "arena": HEAD,
            "format": FORMAT,
            "terms": self.ladder.as_map(),
            "contestants": [each.as_map() for each in self.contestants],
            "entries": [
                {"block": entry.block, "contestants": list(entry.contestants)}
                for entry in self.entries
            ],
            "secret_sha256": self.secret_sha256,
            "secret": None if self.secret is None else self.secret.hex(),
            "closed": self.closed,
        }

    @classmethod
    def from_map(cls, values: Mapping[str, Any]) -> Head:
        """Return the head that the first line of an export describes."""
        secret = values["secret"]
        return cls(
            Ladder.from_map(values["terms"]),
            [Contestant(**each) for each in values["contestants"]],
            [Entry(each["block"], tuple(each["contestants"])) for each in values["entries"]],
            values["secret_sha256"],
            None if secret is None else bytes.fromhex(secret),
            values["closed"],
        )


@dataclass(frozen=True)
class Tail:
    """The result of a ladder, as it was published."""

    games: int
    last_hash: str
    standings: list[dict[str, Any]]

    def as_map(self) -> dict[str, Any]:
        """Return the last line of an export."""
        return {
            "arena": TAIL,
            "games": self.games,
            "last_hash": self.last_hash,
            "standings": self.standings,
        }


class Source(ABC):
    """A ladder that can be read."""

    path: Path
    head: Head

    @abstractmethod
    def games(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield every game's record, as a line, and its timings, which may be empty."""

    @property
    @abstractmethod
    def tail(self) -> Tail | None:
        """The published result, if there is one; known only after all games were read."""


class StoreSource(Source):
    """The store of a ladder, on the host that runs it."""

    tail = None

    def __init__(self, store: Store) -> None:
        self.store = store
        self.path = store.path
        self.head = head_of(store, secret=store.secret)

    def games(self) -> Iterator[tuple[bytes, bytes]]:
        for record, timings in self.store.log():
            yield record.encode() + b"\n", timings.encode()


class ExportSource(Source):
    """An export of a ladder, which can be published."""

    tail: Tail | None = None

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            line = next(record_schema.record_lines(file), b"")
        self.head = _read(line, HEAD, Head.from_map, f"{path}, line 1")

    def games(self) -> Iterator[tuple[bytes, bytes]]:
        with self.path.open("rb") as file:
            lines = record_schema.record_lines(file)
            next(lines)
            for number, line in enumerate(lines, 2):
                if self.tail is not None:
                    raise NotAnExport(
                        f"{self.path}, line {number}: expected nothing after the standings"
                    )
                if line.startswith(LINE_OF_ARENA):
                    self.tail = _read(line, TAIL, _tail, f"{self.path}, line {number}")
                else:
                    yield line, b""


def open_source(path: Path) -> Source:
    """Open the store or the export in this file."""
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: expected a store or an export, got no regular file")
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    return StoreSource(Store.open(path)) if start == SQLITE else ExportSource(path)


def is_ladder(path: Path) -> bool:
    """Whether this file begins like a store or an export; a pipe is neither."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(max(len(SQLITE), len(LINE_OF_ARENA)))
    return start.startswith((SQLITE, LINE_OF_ARENA))


def records(path: Path, first: int = 0) -> Iterator[bytes]:
    """Yield the records of a ladder, a line each; from a store only those from `first` on."""
    source = open_source(path)
    if isinstance(source, StoreSource):
        for record, _ in source.store.log(first):
            yield record.encode() + b"\n"
    else:
        for line, _ in source.games():
            yield line


def head_of(store: Store, secret: bytes | None) -> Head:
    """Return the store's description of its ladder; raise `StoreError` if it is not consistent."""
    head = Head(
        store.ladder,
        store.contestants(),
        store.entries(),
        published(store.secret),
        secret,
        store.closed,
    )
    try:
        check_head(head.as_map())
        if store.games and not head.entries:
            raise Difference("entries", "nobody", "those who have played", "expected")
    except Difference as difference:
        raise StoreError(
            f"{store.path}: damaged: {difference.place}: expected {difference.wanted}, "
            f"got {difference.says}"
        ) from None
    return head


def _tail(values: Mapping[str, Any]) -> Tail:
    return Tail(values["games"], values["last_hash"], values["standings"])


def _read(line: bytes, kind: str, read: Any, place: str) -> Any:
    """Parse a line of an export that is not a record."""
    try:
        values = parse(line)
        CHECKS[kind](values)
        return read(values)
    except (ValueError, RecursionError) as error:
        raise NotAnExport(
            f"{place}: expected the line of an export that says {kind!r}, or a store; "
            f"got {brief(line[:60].decode(errors='replace'))} ({type(error).__name__}: {error})"
        ) from None
    except Difference as difference:
        raise NotAnExport(
            f"{place}: expected the line of an export that says {kind!r}, or a store, with "
            f"{difference.place}: {difference.wanted}; got {difference.says}"
        ) from None
