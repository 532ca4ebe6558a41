"""The store of a ladder: a folder with its log, which only grows, written by one run at a time.

    log        an entry a line, after a check that covers all lines so far
    secret     the secret of the deals, twice, and the first entry again; for its owner alone
    times      what lies beside the log, a line a block
    derived    what follows from the log, so that it need not be derived again; can be removed
    cut-1      what a repair has cut off the log; the next one writes cut-2
    inbox      wishes for the one who writes the log, and `answers` to them: see `inbox`

The log is the truth. An entry is on the disk when `append` or the next `sync` returns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType

import msgspec

from arena.ladder.contest import opened
from arena.ladder.log_file import NO_CHECK, Line, Unsound, checked_line, sound_lines
from arena.ladder.store_files import (
    DERIVED,
    LOG,
    SECRET,
    SECRET_MODE,
    TIMES,
    StoreError,
    check_is_store,
    new_folder,
    read_secret,
    secret_file,
    store_errors,
    write_all,
    write_file,
)
from arena.machine.calls import write_through
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Contest, Entry, Form
from arena.records.ledger import Ledger, LedgerState
from arena.records.times import BlockTimes, read_times

TAIL = 1 << 16
"""How much of the end of a log is read at a time to find its last line."""


class Mark(Form, frozen=True, kw_only=True):
    """A place in a log, between two lines."""

    end: int
    """Where the next line begins."""
    check: str
    """The check of the line before."""
    size: int
    """How many entries come before."""


class Derived(Form, frozen=True, kw_only=True):
    """What was derived from the log up to a line; used only while the log has that line."""

    end: int
    """Where the next line begins."""
    check: str
    """The check of the line."""
    ledger: LedgerState
    scorebook: msgspec.Raw
    """The scorebook as JSON, which `arena.ladder.scorebook` reads."""
    schedule: msgspec.Raw
    """The schedule as JSON, which `arena.ladder.course` reads."""


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
        self._synced = 0
        """Where the last line ends that is on the disk."""
        self._log: int | None = None
        self._times: int | None = None
        self._ahead = False
        """Whether the ledger may have an entry that is not stored."""

    @classmethod
    def create(cls, path: Path, contest: Contest, secret: bytes) -> Store:
        """Create the store of a new ladder, completely or not at all."""
        with store_errors(path), new_folder(path) as made:
            line = entry_line(opened(contest, secret))
            first = checked_line(NO_CHECK, line)[1]
            write_file(made / SECRET, secret_file(secret, first), SECRET_MODE)
            write_file(made / LOG, first)
            write_file(made / TIMES, b"")
        return cls.open(path, write=True)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Store:
        """Open an existing store.

        To be written to, its whole log is checked first; to be read, what was added since the
        last time.
        """
        with store_errors(path):
            check_is_store(path)
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

    def checked_lines(self) -> Iterator[Line]:
        """Yield the lines of the log that this store was opened with."""
        return self._read(0, NO_CHECK)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log that this store was opened with, without their checks."""
        for line in self.checked_lines():
            yield line.entry

    def lines_since_kept(self) -> Iterator[bytes]:
        """Yield the lines of the log after those from which was derived what is kept."""
        start, check = (0, NO_CHECK) if self.kept is None else (self.kept.end, self.kept.check)
        for line in self._read(start, check):
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

    @property
    def mark(self) -> Mark:
        """Where the next entry will stand."""
        return Mark(end=self._end, check=self._check, size=self.ledger.tree.size)

    def lines_after(self, mark: Mark) -> Iterator[bytes]:
        """Yield the lines from a mark on; none if the log does not have what stood before it."""
        if mark.end > self._end or mark.size > self.ledger.tree.size:
            return
        if mark.end and not has_line(self.path / LOG, mark):
            return
        for line in self._read(mark.end, mark.check):
            yield line.entry

    def check(self, entry: Entry) -> None:
        """Raise `Difference` unless this entry may come next."""
        Ledger.restored(self.ledger.state()).follow(entry_line(entry), entry)

    def append(self, entry: Entry) -> None:
        """Add an entry to the log; it is on the disk when this returns."""
        self.write(entry)
        self.sync()

    def write(self, entry: Entry, times: BlockTimes | None = None) -> None:
        """Add an entry to the log; it is on the disk when `sync` has returned."""
        assert self._log is not None
        line = entry_line(entry)
        self._ahead = True  # an error or an interrupt may come at any point from here on
        try:
            self.ledger.follow(line, entry)
        except Difference:
            self._ahead = False  # it cannot follow, and nothing has changed
            raise
        check, data = checked_line(self._check, line)
        with store_errors(self.path, writing=True):
            try:
                write_all(self._log, data)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._log, self._end)
                raise
        self._check = check
        self._end += len(data)
        self._ahead = False
        if times is not None and self._times is not None:
            with store_errors(self.path, writing=True):
                write_all(self._times, canonical_bytes(times) + b"\n")

    def sync(self) -> None:
        """Wait until all that was added is on the disk; what is not is taken back."""
        assert self._log is not None
        if self._synced == self._end:
            return
        with store_errors(self.path, writing=True):
            try:
                write_through(self._log)
            except OSError:
                self._ahead = True
                with suppress(OSError):
                    os.ftruncate(self._log, self._synced)
                raise
        self._synced = self._end

    def _sync_what_was_read(self) -> None:
        """Wait until the log is on the disk as far as it was read, whoever writes it."""
        with store_errors(self.path), (self.path / LOG).open("rb") as log:
            write_through(log.fileno())

    def keep(self, scorebook: bytes, schedule: bytes) -> None:
        """Save what follows from the log so far, so that it need not be derived again."""
        if self._ahead:
            return
        if self._log is None:
            self._sync_what_was_read()
        else:
            self.sync()
        found = Derived(
            end=self._end,
            check=self._check,
            ledger=self.ledger.state(),
            scorebook=msgspec.Raw(scorebook),
            schedule=msgspec.Raw(schedule),
        )
        with store_errors(self.path):
            made = self.path / f"{DERIVED}.{os.getpid()}"
            try:
                made.write_bytes(derived_file(found))
                made.replace(self.path / DERIVED)
            except BaseException:
                made.unlink(missing_ok=True)
                raise
        self.kept = found

    # Opening

    def _open_to_read(self) -> None:
        self.kept = self._kept_before()
        if self.kept is not None:
            self.ledger = Ledger.restored(self.kept.ledger)
            self._end, self._check = self.kept.end, self.kept.check
        for line in self._read_whole(self._end, self._check):
            self._follow(line)
        if not self.ledger.begun:
            raise self.damaged("the log has no entry")

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
            raise self.damaged("the log has no entry")
        read_secret(self.path / SECRET, self.ledger.opened)
        for left in self.path.glob(f"{DERIVED}.*"):
            left.unlink(missing_ok=True)  # by a process that was killed
        self._log = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._times = os.open(self.path / TIMES, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        if size > self._end:
            # It was never said to be stored: the run that wrote it was cut off.
            os.ftruncate(self._log, self._end)
            self.mended = f"removed {size - self._end} bytes of an entry that was not written whole"
        self._cut_times(self._times)
        write_through(self._log)  # a run that was killed may have left lines that are not
        self._synced = self._end

    def _cut_times(self, file: int) -> None:
        """Cut off the times of blocks that are not in the log, and a line that is not whole.

        After a power cut there may be some, and those blocks are played again.
        """
        length = end = os.fstat(file).st_size
        while end:
            line = _line_before(file, end)
            if line.endswith(b"\n"):
                try:
                    if read_times(line[:-1]).first_game < self.ledger.games:
                        break
                except Difference:
                    break  # damaged; whoever reads passes over it
            end -= len(line)
        if end < length:
            os.ftruncate(file, end)

    def _kept_before(self) -> Derived | None:
        """Return what was derived before, if it can be used; the log has to have its line."""
        kept = read_derived(self.path / DERIVED)
        if kept is not None and not has_line(self.path / LOG, kept):
            raise self.damaged(
                "the log no longer has the line up to which its standings were derived"
            )
        return kept

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
            try:
                yield from sound_lines(file, start, check)
            except Unsound as unsound:
                raise self.damaged(str(unsound)) from None

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


def times_before(path: Path, games: int) -> bytes:
    """Return the lines beside the log that are of the blocks of its first games."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return b""
    lines = []
    for line in data.split(b"\n")[:-1]:
        with suppress(Difference):
            if read_times(line).first_game < games:
                lines.append(line + b"\n")
    return b"".join(lines)


def read_derived(path: Path) -> Derived | None:
    """Return what was derived from a log; None if it is not there, or damaged."""
    try:
        said, data = path.read_bytes().split(b"\n", 1)
        if said.decode("ascii", "replace") != sha256(data).hexdigest():
            return None
        return _derived.decode(data)
    except (OSError, ValueError):
        return None


def derived_file(found: Derived) -> bytes:
    """Return what was derived from a log as its file has it."""
    data = canonical_bytes(found)
    return sha256(data).hexdigest().encode() + b"\n" + data


def has_line(log: Path, kept: Derived | Mark) -> bool:
    """Whether a log has the line that this comes after."""
    with log.open("rb") as file:
        if file.seek(0, os.SEEK_END) < kept.end:
            return False
        return _line_before(file.fileno(), kept.end).startswith(f"{kept.check} ".encode())


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
