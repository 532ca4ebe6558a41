"""Files that a command writes where its user says: over nothing unasked, and through no link."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from arena.errors import ArenaError, HostError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class CannotWrite(ArenaError):
    """A file that cannot be written: which, why, and what to do."""


def check_new(option: str, path: Path, *, force: bool) -> None:
    """Raise `CannotWrite` if a file could not be written here now."""
    with _explained(option, path):
        folder = os.open(path.parent, _FOLDER & ~os.O_NOFOLLOW)
        try:
            _make_room(option, path, folder, force=force, look_only=True)
        finally:
            os.close(folder)


def write_new(option: str, path: Path, data: bytes, *, force: bool) -> None:
    """Write a file that was not there, or with `force` takes the place of one that was."""
    with _explained(option, path):
        folder = os.open(path.parent, _FOLDER & ~os.O_NOFOLLOW)
        try:
            fd = _create(option, path, folder, force=force)
        finally:
            os.close(folder)
        with os.fdopen(fd, "wb") as file:
            file.write(data)


class StderrFiles:
    """A file for each bot in a folder, to which all that its processes write to stderr goes.

    The files are named for the place of the bot on the command line, from 1, and its name.
    """

    def __init__(self, option: str, folder: Path, bots: Sequence[str], *, force: bool) -> None:
        self._option = option
        self._files: list[tuple[Path, int]] = []
        self._failure: HostError | None = None
        paths = [folder / f"{place}-{name}.log" for place, name in enumerate(bots, start=1)]
        with _explained(option, folder):
            folder.mkdir(exist_ok=True)
            place = os.open(folder, _FOLDER)
        try:
            for look_only in (True, False):  # nothing is lost if one of them is refused
                for path in paths:
                    with _explained(option, path):
                        if look_only:
                            _make_room(option, path, place, force=force, look_only=True)
                        else:
                            self._files.append((path, _create(option, path, place, force=force)))
        except BaseException:
            self.close()
            raise
        finally:
            os.close(place)

    def __enter__(self) -> StderrFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def descriptors(self) -> set[int]:
        """The open files."""
        return {fd for _, fd in self._files}

    def of(self, bot: int) -> Callable[[bytes], object]:
        """Return what takes the output of this bot's processes."""
        path, fd = self._files[bot]

        def keep(data: bytes) -> None:
            while data and self._failure is None:
                try:
                    data = data[os.write(fd, data) :]
                except OSError as error:
                    text = f"{self._option} {path}: {error.strerror}; nothing more was played"
                    self._failure = HostError(text)

        return keep

    def check(self) -> None:
        """Raise `HostError` if something could not be written."""
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Close all files."""
        while self._files:
            os.close(self._files.pop()[1])


def _create(option: str, path: Path, folder: int, *, force: bool) -> int:
    _make_room(option, path, folder, force=force, look_only=False)
    return os.open(path.name, _NEW, 0o666, dir_fd=folder)


def _make_room(option: str, path: Path, folder: int, *, force: bool, look_only: bool) -> None:
    """Remove the file or link that has this name, if that may be."""
    try:
        mode = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
        raise CannotWrite(f"{option} {path}: is no file; name another one")
    if not force:
        raise CannotWrite(f"{option} {path}: exists; overwrite it with --force, or name another")
    if not look_only:
        os.unlink(path.name, dir_fd=folder)


@contextmanager
def _explained(option: str, path: Path) -> Iterator[None]:
    """Raise an error that names the option and the file."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise CannotWrite(f"{option} {path}: is not a folder, but a file or a link") from None
        raise CannotWrite(f"{option} {path}: {error.strerror}") from None
