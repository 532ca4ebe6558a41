"""Read a folder that a stranger has filled: nothing outside of it, nothing without a limit.

Everything is opened relative to the descriptor of a directory, and no link is followed. So
neither a link nor a change of the folder meanwhile leads out of it. A FIFO or a device is
never read.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from arena.errors import ArenaError
from arena.programs._patterns import EVERYTHING, Pattern
from arena.programs.links import DIRECTORY, FILE, UNKNOWN, Link, Node, Way, WayOut, way

CHUNK = 1 << 18
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NOTHING: frozenset[str] = frozenset()
KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a link",
}


class FolderError(ArenaError):
    """A folder that cannot be used; the text says what is wrong where, and what to do."""


@dataclass(frozen=True)
class WalkLimits:
    """How much of a folder is read, and for how long."""

    entries: int = 200_000
    """Files, directories and links that are looked at."""
    files: int = 20_000
    """Files and links that count."""
    file_bytes: int = 256 << 20
    """The size of one file that counts; a file with holes counts in full."""
    bytes: int = 512 << 20
    """The size of all files that count."""
    depth: int = 64
    name: int = 2048
    """The bytes of the path of a file that counts."""
    seconds: float = 60.0
    """The time from opening the folder to the end of its last file."""


LIMITS = WalkLimits()


@dataclass(frozen=True)
class Entry:
    """A file, a directory or a link in a folder."""

    name: str
    """Its path relative to the folder, with slashes."""
    state: os.stat_result
    target: str | None = None
    """What a link says; None for anything else."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names on the way to it."""
        return tuple(self.name.split("/"))

    @property
    def mark(self) -> tuple[str, int, int, int, int]:
        """Name, inode, size and times: any change of a file changes one of them."""
        state = self.state
        return self.name, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


class Folder:
    """A folder that is open for reading."""

    def __init__(self, path: Path, limits: WalkLimits = LIMITS) -> None:
        self.path = path
        self._limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._entries = 0
        try:
            self._fd = os.open(path, FLAGS & ~os.O_NOFOLLOW | os.O_DIRECTORY)
        except FileNotFoundError:
            raise FolderError(f"{printable(path)}: no such directory") from None
        except OSError as error:
            raise FolderError(f"{printable(path)}: cannot be read: {error.strerror}") from None
        self.state = os.fstat(self._fd)

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._fd)

    def files(
        self,
        patterns: Sequence[Pattern] = EVERYTHING,
        left_out: Collection[str] = NOTHING,
        *,
        shared: bool = True,
    ) -> list[Entry]:
        """Return the files and links that match a pattern, in the order of their names.

        Nothing whose name is in `left_out` is looked at. Raise `FolderError` for anything else
        that matches and is no directory, for a link that leads out of the folder, and if a limit
        is exceeded. Unless `shared`, also for a file that has another name outside of these.
        """
        found = []
        size = 0
        for entry in self._below(self._fd, (), patterns, frozenset(left_out)):
            if stat.S_ISDIR(entry.state.st_mode):
                continue
            if entry.target is not None:
                self.way(entry, left_out)
            elif not stat.S_ISREG(entry.state.st_mode):
                raise self._wrong(entry.parts, f"is {kind_of(entry)}, which no bot can have")
            else:
                size += entry.state.st_size
                self._check_size(entry, size)
            if len(os.fsencode(entry.name)) > self._limits.name:
                raise self._wrong(
                    entry.parts, f"has a path of more than {self._limits.name} bytes; shorten it"
                )
            found.append(entry)
            if len(found) > self._limits.files:
                raise self._wrong(
                    (), f"more than {self._limits.files} files count; name fewer in `files`"
                )
        if not shared:
            self._check_names(found)
        return sorted(found, key=lambda entry: entry.name)

    def everything(self, left_out: Collection[str] = NOTHING) -> Iterator[Entry]:
        """Yield all that is in the folder, whatever it is; a directory before what is in it."""
        return self._below(self._fd, (), EVERYTHING, frozenset(left_out))

    def read(self, entry: Entry) -> Iterator[bytes]:
        """Yield the contents of a file; raise `FolderError` if it changes before the end."""
        with self._opened(entry.parts) as fd:
            if not _same(os.fstat(fd), entry.state):
                raise self._changed(entry.parts)
            left = entry.state.st_size
            while left and (data := os.read(fd, min(CHUNK, left))):
                self._check_time()
                left -= len(data)
                yield data
            if left or not _same(os.fstat(fd), entry.state):
                raise self._changed(entry.parts)

    def look(self, name: str) -> Entry | None:
        """Return what has this path; None if there is nothing, or only behind a link."""
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if not parts or ".." in parts:
            return None
        try:
            with self._directory(parts[:-1]) as fd:
                return self._entry(fd, parts)
        except FolderError:
            return None

    def way(self, link: Entry, left_out: Collection[str] = NOTHING) -> Way:
        """Return where a link leads; raise `FolderError` if that is out of the folder."""
        assert link.target is not None
        try:
            return way(lambda parts: self._node(parts, left_out), link.parts[:-1], link.target)
        except WayOut as wrong:
            raise self._wrong(
                link.parts,
                f"is a link to {printable(link.target)}, which {wrong}; put there what it leads "
                "to, or a link that stays in the folder",
            ) from None

    def find(self, name: str) -> Way:
        """Return where a path leads, following links; raise `FolderError` if that is outside."""
        try:
            return way(lambda parts: self._node(parts, NOTHING), (), name)
        except WayOut as wrong:
            raise self._wrong(
                tuple(name.split("/")), f"{wrong}; give the bot a copy in its folder"
            ) from None

    def _node(self, parts: tuple[str, ...], left_out: Collection[str]) -> Node:
        self._check_time()
        if any(part in left_out for part in parts):
            return UNKNOWN
        entry = self.look("/".join(parts))
        if entry is None:
            return None
        if entry.target is not None:
            return Link(entry.target)
        if not stat.S_ISDIR(entry.state.st_mode):
            return FILE
        return DIRECTORY if entry.state.st_dev == self.state.st_dev else UNKNOWN

    def _below(
        self,
        fd: int,
        inside: tuple[str, ...],
        patterns: Sequence[Pattern],
        left_out: frozenset[str],
    ) -> Iterator[Entry]:
        """Yield what matches below an open directory, and the directories on the way."""
        alive = [pattern for pattern in patterns if pattern.may_be_below(inside)]
        for name in self._names(fd, inside, alive):
            if name in left_out:
                continue
            parts = (*inside, name)
            entry = self._entry(fd, parts)
            if entry is None:
                continue
            if not stat.S_ISDIR(entry.state.st_mode):
                if any(pattern.matches(parts) for pattern in alive):
                    yield entry
            elif any(pattern.may_be_below(parts) for pattern in alive):
                yield entry
                with self._opened_directory(fd, entry) as child:
                    yield from self._below(child, parts, alive, left_out)

    def _names(
        self, fd: int, inside: tuple[str, ...], patterns: Sequence[Pattern]
    ) -> Iterator[str]:
        """Yield the names in a directory, or only those that the patterns say literally."""
        literal = {pattern.literal_at(len(inside)) for pattern in patterns}
        if None not in literal:
            yield from sorted(name for name in literal if name is not None)
            return
        with self._naming(inside), os.scandir(fd) as listing:
            for found in listing:
                self._entries += 1
                if self._entries > self._limits.entries:
                    raise self._wrong(
                        (),
                        f"holds more than {self._limits.entries} files and directories; give the "
                        "bot a folder with fewer",
                    )
                yield found.name

    def _entry(self, fd: int, parts: tuple[str, ...]) -> Entry | None:
        """Return what has the last of these names in an open directory; None if nothing has it."""
        self._check_time()
        try:
            state = os.stat(parts[-1], dir_fd=fd, follow_symlinks=False)
            target = os.readlink(parts[-1], dir_fd=fd) if stat.S_ISLNK(state.st_mode) else None
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
                return None
            if error.errno == errno.EINVAL:
                raise self._changed(parts) from None
            raise self._unreadable(parts, error) from None
        except ValueError:  # a zero byte, which no name has
            return None
        return Entry("/".join(parts), state, target)

    @contextmanager
    def _opened_directory(self, fd: int, entry: Entry) -> Iterator[int]:
        """Open a directory in an open directory; check its depth and its file system."""
        parts = entry.parts
        if len(parts) > self._limits.depth:
            raise self._wrong(
                parts, f"lies deeper than {self._limits.depth} directories; make them fewer"
            )
        if entry.state.st_dev != self.state.st_dev:
            raise self._wrong(parts, "is another file system; copy what is in it to the folder")
        with self._naming(parts):
            child = os.open(parts[-1], FLAGS | os.O_DIRECTORY, dir_fd=fd)
        try:
            if not os.path.samestat(os.fstat(child), entry.state):
                raise self._changed(parts)
            yield child
        finally:
            os.close(child)

    @contextmanager
    def _directory(self, parts: tuple[str, ...]) -> Iterator[int]:
        """Open a directory by its path, without following a link on the way."""
        fd = os.dup(self._fd)
        try:
            for at, name in enumerate(parts, start=1):
                with self._naming(parts[:at]):
                    child = os.open(name, FLAGS | os.O_DIRECTORY, dir_fd=fd)
                os.close(fd)
                fd = child
                if os.fstat(fd).st_dev != self.state.st_dev:
                    raise self._wrong(parts[:at], "is another file system")
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def _opened(self, parts: tuple[str, ...]) -> Iterator[int]:
        """Open a file by its path."""
        with self._directory(parts[:-1]) as folder:
            with self._naming(parts):
                fd = os.open(parts[-1], FLAGS, dir_fd=folder)
            try:
                yield fd
            finally:
                os.close(fd)

    def _check_size(self, entry: Entry, size: int) -> None:
        limits = self._limits
        if entry.state.st_size > limits.file_bytes:
            raise self._wrong(
                entry.parts,
                f"has {entry.state.st_size} bytes, more than {limits.file_bytes}, the most of a "
                "file; leave it out of `files`",
            )
        if size > limits.bytes:
            raise self._wrong(
                (),
                f"the files that count have more than {limits.bytes} bytes together; name fewer "
                "in `files`",
            )

    def _check_names(self, found: Sequence[Entry]) -> None:
        """Raise `FolderError` for a file that has another name outside of these."""
        names = Counter((entry.state.st_dev, entry.state.st_ino) for entry in found)
        for entry in found:
            if entry.state.st_nlink > names[entry.state.st_dev, entry.state.st_ino]:
                raise self._wrong(
                    entry.parts,
                    "is a hard link to a file that may lie outside of the folder; replace it by "
                    "a copy",
                )

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise self._wrong(
                (),
                f"took longer than {self._limits.seconds:g} s to read; give the bot a folder with "
                "fewer files",
            )

    @contextmanager
    def _naming(self, parts: tuple[str, ...]) -> Iterator[None]:
        """Turn an error of the kernel into one that names the place."""
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.ENXIO):
                raise self._changed(parts) from None
            raise self._unreadable(parts, error) from None

    def _unreadable(self, parts: tuple[str, ...], error: OSError) -> FolderError:
        todo = "; run chmod -R u+rX on the folder" if error.errno == errno.EACCES else ""
        return self._wrong(parts, f"cannot be read: {error.strerror}{todo}")

    def _changed(self, parts: tuple[str, ...]) -> FolderError:
        return self._wrong(parts, "changed while it was read; run again when it rests")

    def _wrong(self, parts: tuple[str, ...], text: str) -> FolderError:
        return FolderError(f"{printable(self.path.joinpath(*parts))}: {text}")


def kind_of(entry: Entry) -> str:
    """Return in words what this is."""
    return KINDS.get(stat.S_IFMT(entry.state.st_mode), "a file")


def printable(path: object) -> str:
    """Return a path for a message of one line; names may be any bytes."""
    return "".join(c if c.isprintable() else "?" for c in str(path))


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    """Whether this is the same file, and it was not written to between the two."""
    return (
        os.path.samestat(one, other)
        and stat.S_ISREG(one.st_mode)
        and one.st_size == other.st_size
        and (one.st_mtime_ns, one.st_ctime_ns) == (other.st_mtime_ns, other.st_ctime_ns)
    )
