"""The folder of a site: files that are replaced whole, and a list of them with their hashes.

The list says what the folder has of ours, so that nothing else is ever removed, and which files
need not be made again. Before anything is written it names all that will be, so a run that was
killed leaves no file that the next one does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path

import msgspec

from arena.errors import ArenaError, HostError
from arena.ladder.lock import locked
from arena.records.canonical import canonical_bytes
from arena.records.entries import Form

LIST, PART, LOCK = ".published.json", ".part", ".publish"


class CannotPublish(ArenaError):
    """A folder or ladder that cannot be published; the text says why, and what to do."""


class PublishedFile(Form, frozen=True, kw_only=True):
    """A file that is ours."""

    sha256: str = ""
    """Of its content; empty while it is not known."""
    key: str = ""
    """What its content follows from, for files that are slow to make."""


class FileList(Form, frozen=True, kw_only=True):
    """The files of a site."""

    ladder: str
    """The commitment of the ladder that is published here."""
    files: Mapping[str, PublishedFile]


_decoder = msgspec.json.Decoder(FileList)


class SiteFolder:
    """A folder to which a site is written."""

    def __init__(self, path: Path, before: Mapping[str, PublishedFile], ladder: str) -> None:
        self._path = path
        self._ladder = ladder
        self._before = before
        self._files = dict(before)
        self._folders: set[Path] = set()
        self.written = self.removed = self.bytes_written = 0

    def text(self, name: str) -> str:
        """Return what a file has, or "" if there is none."""
        try:
            return (self._path / name).read_text("utf-8", "replace")
        except OSError:
            return ""

    def expect(self, names: Iterable[str]) -> None:
        """Say which files will be written, before any of them is."""
        self._files = {name: PublishedFile() for name in names} | self._files
        self.save()

    def has(self, name: str, key: str) -> bool:
        """Whether a file is there as it was made from this key."""
        before = self._before.get(name)
        if before is None or before.key != key or not before.sha256:
            return False
        return before.sha256 == self._hash(name)

    def put(self, name: str, data: bytes, key: str = "") -> None:
        """Write a file, unless it is there with this content."""
        digest = sha256(data).hexdigest()
        self._files[name] = PublishedFile(sha256=digest, key=key)
        if self._hash(name) != digest:
            self._replace(name, [data])

    def put_lines(self, name: str, lines: Iterable[bytes], key: str) -> None:
        """Write a file that may be long, unless it is there as it was made from this key."""
        if not self.has(name, key):
            digest = self._replace(name, lines)
            self._files[name] = PublishedFile(sha256=digest, key=key)

    def finish(self, names: Iterable[str]) -> None:
        """Remove what is ours and no longer among these files, and save the list."""
        wanted = set(names)
        for name in sorted(set(self._files) - wanted):
            path = self._path / name
            if path.exists() or path.is_symlink():
                self._real_folder(path.parent)
                path.unlink()
                self.removed += 1
            del self._files[name]
        self.save()

    def save(self) -> None:
        """Save the list as it is now, so that a run that is killed need not begin again."""
        found = FileList(ladder=self._ladder, files=dict(sorted(self._files.items())))
        data = canonical_bytes(found) + b"\n"
        if self._hash(LIST) != sha256(data).hexdigest():
            self._replace(LIST, [data])

    def _hash(self, name: str) -> str:
        try:
            with (self._path / name).open("rb") as file:
                return file_digest(file, "sha256").hexdigest()
        except OSError:
            return ""

    def _replace(self, name: str, data: Iterable[bytes]) -> str:
        """Replace a file, completely or not at all; return the hash of its content."""
        path = self._path / name
        self._real_folder(path.parent)
        part = self._path / PART
        part.unlink(missing_ok=True)  # left by a run that was killed, or a link
        digest = sha256()
        with part.open("xb") as file:
            for chunk in data:
                digest.update(chunk)
                file.write(chunk)
        if name != LIST:
            self.written += 1
            self.bytes_written += part.stat().st_size
        part.replace(path)
        return digest.hexdigest()

    def _real_folder(self, folder: Path) -> None:
        """Make a folder of the site; raise `CannotPublish` if it is a link that leads elsewhere."""
        if folder in self._folders:
            return
        if folder != self._path and folder.is_symlink():
            raise CannotPublish(
                f"{folder}: is a link; remove it, as all of the site is to lie here"
            )
        folder.mkdir(exist_ok=True)
        self._folders.add(folder)


@contextmanager
def site_folder(path: Path, ladder: str) -> Iterator[SiteFolder]:
    """Open the folder for the site of the ladder with this commitment; one run at a time may."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        _read(path, ladder)  # a folder that is not ours is refused as it was, without a lock in it
        with locked(path / LOCK, otherwise="publish to another folder"):
            yield SiteFolder(path, _read(path, ladder), ladder)
    except OSError as error:
        where = error.filename or path
        raise HostError(f"{where}: {error.strerror}; run the same command again") from None


def _read(path: Path, ladder: str) -> Mapping[str, PublishedFile]:
    """Return the files of an earlier run; raise `CannotPublish` if the folder is not ours."""
    try:
        said = (path / LIST).read_bytes()
    except FileNotFoundError:
        others = sorted(each.name for each in path.iterdir() if not each.name.startswith(LOCK))
        if others and others != [PART]:
            raise CannotPublish(
                f"{path}: has files that were not published here, such as {others[0]}; name a "
                "folder that is empty or not there"
            ) from None
        return {}
    try:
        found = _decoder.decode(said)
    except msgspec.DecodeError:
        raise CannotPublish(
            f"{path / LIST}: damaged, so nobody knows what is published here; remove {path} and "
            "publish again"
        ) from None
    if found.ladder != ladder:
        raise CannotPublish(f"{path}: another ladder is published here; name another folder")
    for name in found.files:
        if name.startswith("/") or ".." in name.split("/"):
            raise CannotPublish(f"{path / LIST}: damaged: {name!r}; remove {path}, publish again")
    return found.files
