"""The folder of a site: where everything lies, and that one server at a time uses it.

site.toml             the settings, for the host to edit
site.db               accounts and submissions
uploads/17            what was handed in as submission 17, as it came
reports/17            what was found when it was looked at, an event a line
frames/17             what the bot had been sent when it failed its check
matches/17/           the log and the replays of a match, and what was told of it
starters/rust-gargon/ a starter with the libraries that it needs, if the host has packed it
vault/                sealed bots
ladders/friday.toml   the definition of a ladder
ladders/friday.ladder its store
public/friday/        its pages, as `arena ladder publish` makes them
work/                 what is being looked at; emptied at every start
lock                  held by the server
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.errors import ArenaError, HostError
from arena.site.settings import SETTINGS, write_settings

LOCK: Final = "lock"
FOLDERS: Final = (
    "uploads",
    "reports",
    "frames",
    "matches",
    "starters",
    "vault",
    "ladders",
    "public",
    "work",
)
PARTIAL: Final = ".part"
"""The end of the names of files that are not whole yet."""


SPARE: Final = 256 << 20
"""Bytes that stay free on the disk, for ladders to go on."""


class DiskFull(HostError):
    """There is no room for what somebody wants to be kept."""


class SiteFolderError(ArenaError):
    """A folder that no site can have; the text says why, and what to do."""


class SiteFolder:
    """The folder of a site."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @property
    def database(self) -> Path:
        """The file with accounts and submissions."""
        return self.path / "site.db"

    @property
    def settings(self) -> Path:
        """The file with the settings."""
        return self.path / SETTINGS

    @property
    def vault(self) -> Path:
        """The folder for sealed bots."""
        return self.path / "vault"

    @property
    def ladders(self) -> Path:
        """The folder with definitions and stores."""
        return self.path / "ladders"

    @property
    def uploads(self) -> Path:
        """The folder for what was handed in."""
        return self.path / "uploads"

    def upload(self, number: int) -> Path:
        """The archive of a submission."""
        return self.uploads / str(number)

    def report(self, number: int) -> Path:
        """What was found in a submission."""
        return self.path / "reports" / str(number)

    def frames(self, number: int) -> Path:
        """What a bot had been sent when it failed."""
        return self.path / "frames" / str(number)

    def work(self, number: int) -> Path:
        """Where a submission is unpacked."""
        return self.path / "work" / str(number)

    def match(self, number: int) -> Path:
        """The log and the replays of a match."""
        return self.path / "matches" / str(number)

    def starter(self, language: str, game: str) -> Path:
        """A starter with the libraries that it needs."""
        return self.path / "starters" / f"{language}-{game}"

    def public(self, ladder: str) -> Path:
        """The published pages of a ladder."""
        return self.path / "public" / ladder

    def free(self) -> int:
        """Return how many bytes are free on its disk."""
        return shutil.disk_usage(self.path).free

    def is_full(self, coming: int = 0) -> bool:
        """Whether there is no room for so many bytes more, and for ladders to go on."""
        return self.free() < coming + SPARE

    def make(self) -> None:
        """Make what is missing of the folder; only its owner can read it.

        Raise `SiteFolderError` for a folder that has something else in it.
        """
        new = not self.settings.exists()
        try:
            if self.path.is_dir() and new and any(self.path.iterdir()):
                raise SiteFolderError(
                    f"{self.path}: is no site, and not empty; expected a new folder, or one that "
                    "a site has made"
                )
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if new:
                self.path.chmod(0o700)
            for name in FOLDERS:
                (self.path / name).mkdir(mode=0o700, exist_ok=True)
            if new:
                made = self.settings.with_suffix(PARTIAL)
                write_settings(made)
                made.replace(self.settings)
        except (FileExistsError, NotADirectoryError):
            raise SiteFolderError(f"{self.path}: expected a folder, got a file") from None

    def check_is_site(self) -> None:
        """Raise `SiteFolderError` unless a site has made this folder."""
        if not self.settings.is_file():
            raise SiteFolderError(f"{self.path}: is no site; arena serve makes one")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let no other server use the folder; the kernel unlocks it when this one ends."""
        fd = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(fd, 20).decode(errors="replace").strip()
                raise SiteFolderError(
                    f"{self.path}: is served already, by process {holder or 'unknown'}"
                ) from None
            os.ftruncate(fd, 0)
            os.write(fd, f"{os.getpid()}\n".encode())
            yield
        finally:
            os.close(fd)

    @contextmanager
    def door_shut(self) -> Iterator[None]:
        """Let no bot enter or leave a ladder by the site, also while it is served."""
        fd = self._door()
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    @contextmanager
    def door_open(self) -> Iterator[bool]:
        """Yield whether bots may enter and leave; if so, nobody shuts the door meanwhile."""
        fd = self._door()
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
                is_open = True
            except BlockingIOError:
                is_open = False
            yield is_open
        finally:
            os.close(fd)

    def _door(self) -> int:
        # The folder itself is locked, so that who copies the site as another user makes no file.
        return os.open(self.ladders, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def sweep(self, submissions: frozenset[int], matches: frozenset[int]) -> None:
        """Remove what a server that was killed has left: nothing that was acknowledged."""
        shutil.rmtree(self.path / "work", ignore_errors=True)
        (self.path / "work").mkdir(mode=0o700, exist_ok=True)
        for name in ("uploads", "reports", "frames"):
            for path in (self.path / name).iterdir():
                if not (path.name.isdecimal() and int(path.name) in submissions):
                    path.unlink()
        for path in (self.path / "matches").iterdir():
            if not (path.name.isdecimal() and int(path.name) in matches):
                shutil.rmtree(path, ignore_errors=True)


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
