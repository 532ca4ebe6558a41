"""The store of a ladder: a folder with its log, which only grows, written by one run at a time.

    log        an entry a line, after a check that covers all lines so far
    secret     the secret of the deals, twice, and the first entry again; for its owner alone
    times      what lies beside the log, a line a block
    derived    what follows from the log, so that it need not be derived again; can be removed

The log is the truth. An entry is on the disk before `append` returns. The check of a line is the
start of the SHA-256 of the check before it and the line's leaf in the tree; so a byte that
changes anywhere is found, and a line that was not written to its end as well.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from arena.errors import ArenaError, HostError
from arena.ladder.contest import opened
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Contest, Entry, Form, Opened
from arena.records.ledger import Ledger, LedgerState
from arena.records.times import BlockTimes, read_times
from arena.referee.deals import commitment

LOG, SECRET, TIMES, DERIVED = "log", "secret", "times", "derived"
CHECK = 32
"""Hexadecimal digits of the check before a line, and its length with the space after it."""
START = CHECK + 1
NO_CHECK = "0" * CHECK
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a disk says that takes no more."""
TAIL = 1 << 16
"""How much of the end of a log is read at a time to find its last line."""


class StoreError(ArenaError):
    """A store that cannot be used; the message says which one, why, and what to do."""


@dataclass(frozen=True)
class Line:
    """A line of the log: where it begins in the file, its check, and the entry's line."""

    start: int
    check: str
    entry: bytes

    @property
    def end(self) -> int:
        """Where the next line begins."""
        return self.start + START + len(self.entry) + 1


class Derived(Form, frozen=True, kw_only=True):
    """What was derived from the log up to a line; used only while the log has that line."""

    end: int
    """Where the next line begins."""
    check: str
    """The check of the line."""
    ledger: LedgerState
    scorebook: dict[str, Any] | None = None


_derived = msgspec.json.Decoder(Derived)


class Store:
    """An open store."""

    def __init__(self, path: Path, *, write: bool) -> None:
        self.path = path
        self.ledger = Ledger()
        """What the log says up to the last whole line when the store was opened."""
        self.kept: Derived | None = None
        """What was derived before, if the log still has what it comes from."""
        self.mended = ""
        """What was put right when the store was opened for writing, or ""."""
        self._end = 0
        self._check = NO_CHECK
        self._log: int | None = None
        self._times: int | None = None
        self._write = write

    @classmethod
    def create(cls, path: Path, contest: Contest, secret: bytes) -> Store:
        """Create the store of a new ladder, completely or not at all."""
        with store_errors(path):
            real = path.resolve()  # where a link leads
            real.parent.mkdir(parents=True, exist_ok=True)
            made = real.with_name(real.name + ".new")
            shutil.rmtree(made, ignore_errors=True)  # left by a run that was killed
            try:
                made.mkdir()
                line = entry_line(opened(contest, secret))
                _write_secret(made / SECRET, secret, line)
                _write_file(made / LOG, _checked(NO_CHECK, line)[1])
                _write_file(made / TIMES, b"")
                _sync(made)
                made.rename(real)
            except BaseException:
                shutil.rmtree(made, ignore_errors=True)
                raise
            _sync(real.parent)
        return cls.open(path, write=True)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Store:
        """Open an existing store.

        To be written to, its whole log is checked first; to be read, what was added since the
        last time.
        """
        if not is_store(path):
            if path.exists():
                raise StoreError(
                    f"{path}: expected a ladder's store, which is a folder with a file `{LOG}`"
                )
            raise StoreError(f"{path}: no such store; `arena ladder run` makes one")
        store = cls(path, write=write)
        with store_errors(path):
            if write:
                store._open_to_write()
            else:
                store._open_to_read()
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for fd in (self._log, self._times):
            if fd is not None:
                os.close(fd)
        self._log = self._times = None

    # What the log says

    @property
    def contest(self) -> Contest:
        """The terms of the ladder."""
        return self.ledger.contest

    @property
    def secret(self) -> bytes:
        """The secret from which the deals come; only the owner of the store can read it."""
        path = self.path / SECRET
        with store_errors(path):
            return read_secret(path, self.ledger.opened)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log that this store was opened with, without their checks."""
        for line in self._read(0, NO_CHECK):
            yield line.entry

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of the log that this store was opened with."""
        for line in self.lines():
            yield self._entry(line)

    def blocks(self, first: int = 0) -> Iterator[tuple[BlockPlayed, BlockTimes | None]]:
        """Yield the blocks from this number on, with their times where they are known."""
        start, check = 0, NO_CHECK
        if self.kept is not None and self.kept.ledger.blocks <= first:
            start, check = self.kept.end, self.kept.check
        times = self.times()
        number = 0 if start == 0 or self.kept is None else self.kept.ledger.games
        for line in self._read(start, check):
            entry = self._entry(line.entry)
            if isinstance(entry, BlockPlayed):
                if entry.number >= first:
                    yield entry, times.at(number)
                number += len(entry.games)

    def times(self) -> TimesReader:
        """Return a reader of what lies beside the log."""
        return TimesReader(self.path / TIMES)

    # Writing

    def append(self, entry: Entry, times: BlockTimes | None = None) -> None:
        """Add an entry to the log; it is on the disk when this returns."""
        assert self._log is not None
        line = entry_line(entry)
        self.ledger.follow(line, entry)
        check, data = _checked(self._check, line)
        with store_errors(self.path):
            try:
                _write_all(self._log, data)
                os.fdatasync(self._log)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._log, self._end)
                raise
        self._check = check
        self._end += len(data)
        if times is not None and self._times is not None:
            with store_errors(self.path):
                _write_all(self._times, canonical_bytes(times) + b"\n")

    def keep(self, scorebook: Mapping[str, Any] | None) -> None:
        """Save what follows from the log so far, so that it need not be derived again."""
        found = Derived(
            end=self._end,
            check=self._check,
            ledger=self.ledger.state(),
            scorebook=None if scorebook is None else dict(scorebook),
        )
        data = canonical_bytes(found)
        with store_errors(self.path):
            made = self.path / f"{DERIVED}.{os.getpid()}"
            try:
                made.write_bytes(sha256(data).hexdigest().encode() + b"\n" + data)
                made.replace(self.path / DERIVED)
            except BaseException:
                made.unlink(missing_ok=True)
                raise
        self.kept = found

    def close_files(self) -> None:
        """Let go of the files of a store that is written to."""
        self.__exit__(None, None, None)

    # Opening

    def _open_to_read(self) -> None:
        self.kept = self._kept_before()
        if self.kept is not None:
            self.ledger = Ledger.restored(self.kept.ledger)
            self._end, self._check = self.kept.end, self.kept.check
        for line in self._read_whole(self._end, self._check):
            self._follow(line)

    def _open_to_write(self) -> None:
        path = self.path / LOG
        size = path.stat().st_size
        self.kept = kept = self._kept_before()
        for line in self._read_whole(0, NO_CHECK):
            if kept is None or line.end > kept.end:
                self._follow(line)
            elif line.end == kept.end:  # what the lines before say is known
                self.ledger = Ledger.restored(kept.ledger)
                self._end, self._check = line.end, line.check
        if not self.ledger.begun:
            raise self.damaged("it has no entry")
        read_secret(self.path / SECRET, self.ledger.opened)
        self._log = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._times = os.open(self.path / TIMES, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        if size > self._end:
            # It was never said to be stored: the run that wrote it was cut off.
            os.ftruncate(self._log, self._end)
            self.mended = f"removed {size - self._end} bytes of an entry that was not written whole"

    def _kept_before(self) -> Derived | None:
        """Return what was derived before; None if it is damaged, or the log has another line."""
        try:
            said, data = (self.path / DERIVED).read_bytes().split(b"\n", 1)
            if said.decode("ascii", "replace") != sha256(data).hexdigest():
                return None
            kept = _derived.decode(data)
            with (self.path / LOG).open("rb") as file:
                before = _line_before(file.fileno(), kept.end)
        except (OSError, ValueError):
            return None
        return kept if before.startswith(f"{kept.check} ".encode()) else None

    def _follow(self, line: Line) -> None:
        try:
            self.ledger.follow(line.entry, read_entry(line.entry))
        except Difference as difference:
            raise self.damaged(f"entry {self.ledger.tree.size}: {difference}") from None
        self._end, self._check = line.end, line.check

    def _read(self, start: int, check: str) -> Iterator[Line]:
        """Yield the lines from here on that this store was opened with, or has written."""
        for line in self._read_whole(start, check):
            if line.end > self._end:
                return
            yield line

    def _read_whole(self, start: int, check: str) -> Iterator[Line]:
        """Yield all whole lines from here on; raise `StoreError` at one that does not hold."""
        with store_errors(self.path), (self.path / LOG).open("rb") as file:
            file.seek(start)
            for number, data in enumerate(file):
                if not data.endswith(b"\n"):
                    return  # it is being written, or was not written to its end
                line = Line(start, data[:CHECK].decode("ascii", "replace"), data[START:-1])
                wanted, whole = _checked(check, line.entry)
                if whole != data:
                    where = f"after {number} entries" if start else f"at byte {start}"
                    raise self.damaged(f"the log does not hold {where}")
                check, start = wanted, line.end
                yield line

    def _entry(self, line: bytes) -> Entry:
        try:
            return read_entry(line)
        except Difference as difference:
            raise self.damaged(str(difference)) from None

    def damaged(self, what: str) -> StoreError:
        """Return the error for damage in this store."""
        return StoreError(
            f"{self.path}: damaged: {what}; nothing was played. See `arena ladder check "
            f"{self.path}`, which can also repair it"
        )


class TimesReader:
    """Reads what lies beside the log, block by block; what cannot be read is not there."""

    def __init__(self, path: Path) -> None:
        self._lines = self._read(path)
        self._next = next(self._lines, None)

    def at(self, number: int) -> BlockTimes | None:
        """Return the times of the block whose first game has this number; ask in their order."""
        while self._next is not None and self._next.first_game < number:
            self._next = next(self._lines, None)
        found = self._next
        return found if found is not None and found.first_game == number else None

    @staticmethod
    def _read(path: Path) -> Iterator[BlockTimes]:
        try:
            with path.open("rb") as file:
                for line in file:
                    with suppress(Difference):
                        yield read_times(line[:-1])
        except OSError:
            return


def is_store(path: Path) -> bool:
    """Whether this is a folder such as stores are."""
    return (path / LOG).is_file()


def read_secret(path: Path, first: Opened) -> bytes:
    """Return the secret that this entry has the commitment of; raise `StoreError` if it is lost."""
    for said in path.read_bytes().split(b"\n")[:2]:
        with suppress(ValueError):
            secret = bytes.fromhex(said.decode("ascii", "replace"))
            if commitment(secret) == first.commitment:
                return secret
    raise StoreError(
        f"{path}: expected the secret whose SHA-256 the log has, got another; go back to a copy "
        "of this file"
    )


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn errors of the file system into one that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise HostError(
                f"{path}: {error.strerror}; all that was said to be stored is safe: make room, "
                "and run the same command again"
            ) from None
        raise StoreError(f"{path}: {error.strerror}") from None


def _checked(check: str, line: bytes) -> tuple[str, bytes]:
    """Return the check of a line after this one, and the line as the log has it."""
    leaf = sha256(b"\0" + line).digest()
    now = sha256(check.encode() + leaf).hexdigest()[:CHECK]
    return now, b"%s %s\n" % (now.encode(), line)


def _line_before(fd: int, end: int) -> bytes:
    """Return the line that ends here."""
    size = TAIL
    while True:
        start = max(0, end - size)
        data = os.pread(fd, end - start, start)
        at = data.rfind(b"\n", 0, -1) + 1
        if at or not start:
            return data[at:]
        size *= 2


def _write_secret(path: Path, secret: bytes, line: bytes) -> None:
    """Write the secret twice, and the first entry, from which a damaged log begins again."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        _write_all(fd, b"%s\n%s\n%s\n" % (secret.hex().encode(), secret.hex().encode(), line))
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_file(path: Path, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        _write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def _sync(folder: Path) -> None:
    """Sync a folder, so that its names are on the disk before anything is written under them."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
