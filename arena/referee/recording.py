"""The file that a match records to, and the timings beside it."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, TypeVar

from arena.errors import ArenaError, HostError
from arena.records.difference import Difference, malformed
from arena.records.record import FIRST, Record, canonical, hash_of
from arena.records.record_schema import LONGEST_LINE, integer, read_record, read_timings

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a host's disk says that takes no more."""
CHUNK = 1 << 16
"""How much of a file's end is read to find its last line."""
LARGEST = 1 << 53
"""Bots are sent numbers of games below this."""

T = TypeVar("T")


class CannotRecord(ArenaError):
    """A file that cannot be recorded to: which, why, and what to do."""


class Recording:
    """Writes records to a file, and timings beside it, one line a game.

    A file that is not empty is refused, unless records are to be appended to it or may be lost
    (`force`). While it is open no other match can record to it. To a device or a pipe it just
    writes the records.
    """

    def __init__(self, path: Path, *, append: bool = False, force: bool = False) -> None:
        self._path = path
        self.first = 0
        """The number of the next game when this was opened."""
        self.previous = FIRST
        """The hash of the last record when this was opened."""
        with ExitStack() as undo, _explained(path):
            if _is_kept(path):
                self._files = self._open(undo, append, force)
            else:
                self._files = [undo.enter_context(path.open("wb"))]
            self._close = undo.pop_all()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._close.close()
        except OSError:
            pass  # of a line that has failed already

    def write(self, record: Record, timings: dict[str, Any]) -> None:
        """Write a game's record, and its timings if there is a file for them."""
        with _explained(self._path):
            for file, line in zip(self._files, (record, timings), strict=False):
                file.write(canonical(line).encode() + b"\n")
                file.flush()

    def _open(self, undo: ExitStack, append: bool, force: bool) -> list[BinaryIO]:
        """Open both files, and look at what they have before anything is written."""
        paths = (self._path, timings_path(self._path))
        files = {}
        # What is there comes first, so that no new file is left by what is refused.
        for path in sorted(paths, key=lambda path: not path.exists()):
            file = files[path] = undo.enter_context(_hold(path))
            if force or not os.fstat(file.fileno()).st_size:
                continue
            if path == self._path:
                self._go_on(file, append)
            else:
                self._check_timings(path, file)
        if force:
            for file in files.values():
                file.truncate(0)
        return [files[path] for path in paths]

    def _go_on(self, file: BinaryIO, append: bool) -> None:
        """Go on where the records of this file end."""
        if not append:
            raise CannotRecord(
                f"--record {self._path}: is not empty; continue it with --append, overwrite it "
                "with --force, or name another file"
            )
        last = _last(self._path, file, _read_last_record)
        self.first = last["number"] + 1
        self.previous = last["hash"]

    def _check_timings(self, path: Path, file: BinaryIO) -> None:
        """`CannotRecord` if these timings are of games that the records do not have."""
        number = _last(path, file, read_timings)["number"]
        if number >= self.first:
            raise CannotRecord(
                f"--record {self._path}: {path} has timings up to game {number}, expected none "
                f"from game {self.first} on; overwrite both with --force, or name another file"
            )


def timings_path(path: Path) -> Path:
    """Return where the timings of records in this file are kept."""
    return path.with_name(f"{path.stem}.timings{path.suffix}")


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


def _hold(path: Path) -> BinaryIO:
    """Open a file to which no other match can be recorded until it is closed."""
    file = path.open("a+b")
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


def _last(path: Path, file: BinaryIO, read: Callable[[bytes], T]) -> T:
    """Return what the last line of a file has."""
    try:
        return read(_last_line(file))
    except Difference as found:
        raise CannotRecord(
            f"--record {path}: cannot go on after its last line ({found.place}: expected "
            f"{found.wanted}, got {found.says}); remove that line, overwrite the file with "
            "--force, or name another file"
        ) from None


def _last_line(file: BinaryIO) -> bytes:
    """Return the last line of a file, however long the file is."""
    end = file.seek(0, os.SEEK_END)
    size = CHUNK
    while True:
        file.seek(max(0, end - size))
        data = file.read()
        start = data.rfind(b"\n", 0, -1) + 1
        if start or size >= min(end, LONGEST_LINE):
            return data[start:]
        size *= 2


def _read_last_record(line: bytes) -> Record:
    """Return a record that others can follow: its contents have its hash."""
    record = read_record(line)
    integer(0, LARGEST)(record["number"], "number")
    if record["hash"] != (found := hash_of(record)):
        raise malformed("hash", record["hash"], f"{found}, that of its contents")
    return record
