"""The file that a match records its log to, and the times beside it."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from pathlib import Path
from types import TracebackType

from arena.errors import ArenaError, HostError
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, lines_of
from arena.records.difference import Difference
from arena.records.entries import Closed, EndReason, Entry
from arena.records.ledger import Ledger, follow_logs
from arena.records.times import BlockTimes, read_times

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a host's disk says that takes no more."""


class CannotRecord(ArenaError):
    """A file that cannot be recorded to: which, why, and what to do."""


class Recording:
    """Writes a log to a file, one line an entry, and the times of its blocks beside it.

    A file that is not empty is refused, unless the log is to follow those in it, or they may be
    lost (`force`). While it is open no other match can record to it. To a device or a pipe it
    just writes the log.
    """

    def __init__(self, path: Path, *, append: bool = False, force: bool = False) -> None:
        self._path = path
        self.first = 0
        """The number of the next game when this was opened."""
        self.ledger = Ledger()
        """What the log says so far."""
        self._failed: Exception | None = None
        """Why an entry could not be written; then none can follow, not even the last one."""
        with ExitStack() as undo, _explained(path):
            self._file: FileIO
            self._times: FileIO | None = None
            if _is_kept(path):
                self._file, self._times = self._open(undo, append, force)
            else:
                self._file = undo.enter_context(path.open("wb", buffering=0))
            self._close = undo.pop_all()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close.close()

    def write(self, entry: Entry, times: BlockTimes | None = None) -> None:
        """Write an entry, and the times of a block if there is a file for them."""
        if self._failed is not None:
            raise self._failed
        line = entry_line(entry)
        self.ledger.follow(line, entry)
        try:
            with _explained(self._path):
                _write_line(self._file, line)
                if times is not None and self._times is not None:
                    _write_line(self._times, canonical_bytes(times))
        except (ArenaError, OSError) as error:
            self._failed = error
            raise

    def end(self, wanted: int, secret: bytes) -> None:
        """Write how the match has ended, however that was, if so many games were wanted.

        A disk that is full has said so already.
        """
        reason: EndReason = "budget" if self.ledger.games == wanted else "host"
        with suppress(OSError, ArenaError):
            self.write(Closed(reason=reason, secret=secret.hex()))

    def _open(self, undo: ExitStack, append: bool, force: bool) -> tuple[FileIO, FileIO]:
        """Open both files, and look at what they have before anything is written."""
        paths = (self._path, times_path(self._path))
        files = {}
        # What is there comes first, so that no new file is left by what is refused.
        for path in sorted(paths, key=lambda path: not path.exists()):
            file = files[path] = undo.enter_context(_hold(path))
            if force or not os.fstat(file.fileno()).st_size:
                continue
            if path == self._path:
                self._go_on(file, append)
            else:
                self._check_times(path, file)
        if force:
            for file in files.values():
                file.truncate(0)
        return files[paths[0]], files[paths[1]]

    def _go_on(self, file: FileIO, append: bool) -> None:
        """Go on where the logs of this file end."""
        if not append:
            raise CannotRecord(
                f"--record {self._path}: is not empty; continue it with --append, overwrite it "
                "with --force, or name another file"
            )
        try:
            for ledger, _ in follow_logs(_lines(file)):
                if ledger.contest.kind != "match":
                    raise CannotRecord(
                        f"--record {self._path}: is the log of a {ledger.contest.kind}, which no "
                        "match can follow; name another file"
                    )
                self.first = ledger.opened.first_game + ledger.games
        except Difference as found:
            raise self._cannot_follow(self._path, found) from None

    def _check_times(self, path: Path, file: FileIO) -> None:
        """`CannotRecord` if these times are of games that the log does not have."""
        games = 0
        try:
            for number, line in enumerate(_lines(file), 1):
                times = _read_times(number, line)
                games = times.first_game + len(times.games)
        except Difference as found:
            raise self._cannot_follow(path, found) from None
        if games > self.first:
            raise CannotRecord(
                f"--record {self._path}: {path} has times up to game {games - 1}, expected none "
                f"from game {self.first} on; overwrite both with --force, or name another file"
            )

    def _cannot_follow(self, path: Path, found: Difference) -> CannotRecord:
        return CannotRecord(
            f"--record {self._path}: line {found.line} of {path} does not hold ({found.place}: "
            f"expected {found.wanted}, got {found.says}); mend that, overwrite the file with "
            "--force, or name another file"
        )


def _read_times(number: int, line: bytes) -> BlockTimes:
    """Return the times on a line; a `Difference` says on which one it came up."""
    try:
        return read_times(line)
    except Difference as found:
        found.line = number
        raise


def _lines(file: FileIO) -> Iterator[bytes]:
    """Yield the lines of a file that is open for writing."""
    with open(os.dup(file.fileno()), "rb") as reading:
        reading.seek(0)
        yield from lines_of(reading)


def _write_line(file: FileIO, line: bytes) -> None:
    """Write a line, or nothing of it where that can be taken back."""
    size = os.fstat(file.fileno()).st_size
    data = memoryview(line + b"\n")
    try:
        while data:
            data = data[os.write(file.fileno(), data) :]
    except OSError:
        with suppress(OSError):  # of a pipe or a device
            os.ftruncate(file.fileno(), size)
        raise


def times_path(path: Path) -> Path:
    """Return where the times of games in this file are kept."""
    return path.with_name(f"{path.stem}.times{path.suffix}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise an error that names the file where it cannot be opened or written to."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever reads the records has enough of them
    except OSError as error:
        text = f"--record {error.filename or path}: {error.strerror}"
        if error.errno in FULL:
            raise HostError(f"{text}; nothing more was played") from None
        raise CannotRecord(text) from None


def _is_kept(path: Path) -> bool:
    """Whether this is a file, or will be one, and not what /dev calls stdout."""
    place = path.absolute()
    if place.is_relative_to("/dev") and not place.is_relative_to("/dev/shm"):
        return False
    return path.is_file() or not path.exists()


def _hold(path: Path) -> FileIO:
    """Open a file to which no other match can be recorded until it is closed."""
    file = path.open("a+b", buffering=0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        file.close()
        if not isinstance(error, BlockingIOError):
            raise
        raise CannotRecord(
            f"--record {path}: another match is being recorded to it; wait for its end, or name "
            "another file"
        ) from None
    return file
