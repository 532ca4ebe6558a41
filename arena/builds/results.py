"""Unpack what a build has made, without leaving the bot's folder.

Everything is opened relative to the descriptor of a directory, and no link is followed. Links
are made last, those whose every step stays in the folder as it is then.
"""

from __future__ import annotations

import os
import stat
import tarfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO

from arena.process.program import CHUNK
from arena.programs.links import DIRECTORY, FILE, Link, Node, WayOut, way
from arena.programs.walk import Folder, printable

KEPT_BITS = 0o755
DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

Parts = tuple[str, ...]


class BuildStopped(Exception):
    """A build that took too long, or whose results cannot be used; the text is the reason."""


class Results:
    """The results of a build, while they are unpacked into a folder."""

    def __init__(self, path: Path, kept: Collection[str], most: int) -> None:
        """`kept` are the files of the folder that stay; no more than `most` bytes are written."""
        self._path = path
        self._left = most
        self._kept = kept
        self._root = os.open(path, DIRECTORY_FLAGS)
        self._links: dict[Parts, str] = {}
        self._files: list[Parts] = []
        self._directories: list[Parts] = []

    def close(self) -> None:
        """Close the folder."""
        os.close(self._root)

    def unpack(self, tar: tarfile.TarFile) -> None:
        """Unpack a stream up to its end; raise `BuildStopped` if it leads out of the folder."""
        for member in tar:
            name = PurePosixPath(member.name)
            if name.parts and name.as_posix() not in self._kept:
                self._unpack(tar, member, _inside(name))

    def make_links(self) -> None:
        """Make the links that stay in the folder, and no others."""
        for parts, target in self._links.items():
            with suppress(WayOut), Folder(self._path) as folder:
                way(lambda place: self._node(folder, place), parts[:-1], target)
                with self._directory(parts[:-1]) as fd:
                    _remove(fd, parts[-1])
                    os.symlink(target, parts[-1], dir_fd=fd)
                self._files.append(parts)

    def remove(self) -> None:
        """Remove what was unpacked."""
        for parts in self._files:
            with suppress(OSError, BuildStopped), self._directory(parts[:-1]) as fd:
                _remove(fd, parts[-1])
        for parts in reversed(self._directories):
            with suppress(OSError, BuildStopped), self._directory(parts[:-1]) as fd:
                os.rmdir(parts[-1], dir_fd=fd)

    def _node(self, folder: Folder, parts: Parts) -> Node:
        """Return what this path stands for when all links are made."""
        if parts in self._links:
            return Link(self._links[parts])
        entry = folder.look("/".join(parts))
        if entry is None:
            return None
        if entry.target is not None:
            return Link(entry.target)
        return DIRECTORY if stat.S_ISDIR(entry.state.st_mode) else FILE

    def _unpack(self, tar: tarfile.TarFile, member: tarfile.TarInfo, parts: Parts) -> None:
        """Unpack one file or directory, or take note of a link; ignore anything else."""
        with self._directory(parts[:-1], make=True) as fd:
            name = parts[-1]
            if member.isdir():
                self._links.pop(parts, None)
                if not _is_directory(fd, name):
                    _remove(fd, name)
                    self._make(fd, parts)
                return
            if _is_directory(fd, name):
                raise BuildStopped(
                    f"made a file where there is a directory: {printable(member.name)}"
                )
            if member.isfile():
                source = tar.extractfile(member)
                assert source is not None
                self._write(fd, parts, source, member.mode)
            elif member.islnk():
                self._copy(fd, parts, _inside(PurePosixPath(member.linkname)))
            elif member.issym() and "\0" not in member.linkname:
                self._links[parts] = member.linkname

    def _copy(self, fd: int, parts: Parts, origin: Parts) -> None:
        """Write a copy for a hard link to a file that was unpacked before."""
        if origin == parts or origin in self._links:
            return
        with self._directory(origin[:-1]) as folder:
            try:
                source = os.open(origin[-1], FILE_FLAGS, dir_fd=folder)
            except OSError:
                return
        with os.fdopen(source, "rb") as file:
            state = os.fstat(source)
            if stat.S_ISREG(state.st_mode):
                self._write(fd, parts, file, state.st_mode)

    def _write(self, fd: int, parts: Parts, source: IO[bytes], mode: int) -> None:
        self._links.pop(parts, None)
        _remove(fd, parts[-1])
        made = os.open(parts[-1], NEW_FILE, 0o600, dir_fd=fd)
        self._files.append(parts)
        with os.fdopen(made, "wb") as file:
            while data := source.read(CHUNK):
                self._left -= len(data)
                if self._left < 0:  # a file with holes has more bytes than come in the stream
                    raise BuildStopped("made more than it was allowed")
                file.write(data)
            os.fchmod(made, mode & KEPT_BITS | 0o644)

    def _make(self, fd: int, parts: Parts) -> None:
        os.mkdir(parts[-1], 0o755, dir_fd=fd)
        self._directories.append(parts)

    @contextmanager
    def _directory(self, parts: Parts, *, make: bool = False) -> Iterator[int]:
        """Open a directory of the folder; with `make`, make it if it is missing."""
        fd = os.dup(self._root)
        try:
            for at, name in enumerate(parts, start=1):
                if make and name not in ("", ".") and not _exists(fd, name):
                    self._make(fd, parts[:at])
                if parts[:at] in self._links or not _is_directory(fd, name):
                    raise BuildStopped(
                        f"made a file below {printable(name)}, which is no directory"
                    )
                child = os.open(name, DIRECTORY_FLAGS, dir_fd=fd)
                os.close(fd)
                fd = child
            yield fd
        finally:
            os.close(fd)


def _inside(name: PurePosixPath) -> Parts:
    """Return the steps of a path, which must not lead out of the folder."""
    if name.is_absolute() or ".." in name.parts or not name.parts or "\0" in str(name):
        raise BuildStopped(f"made a file outside of its folder: {printable(name)}")
    return name.parts


def _exists(fd: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _is_directory(fd: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _remove(fd: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=fd)
