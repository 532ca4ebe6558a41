"""Unpack archives of strangers: zip and tar, within limits, into a new folder and nowhere else.

No name is trusted, no link is followed, and nothing is read into memory as a whole. What does
not fit is refused in one line for its author.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, TypeAlias, cast

from arena.errors import ArenaError
from arena.site.rules.limits import AuthorLimits
from arena.wording import brief, counted

DEPTH: Final = 32
LONGEST_NAME: Final = 255
LONGEST_PATH: Final = 1024
CHUNK: Final = 1 << 18
HEADER: Final = 2048
"""Bytes that a member of a tar may have beside its contents."""
DIRECTORY: Final = 512
"""Bytes that a file may have in the directory of a zip."""
SMALL: Final = 8 << 20
"""So much an archive may unpack to, whatever its ratio: texts with repetitions pack well."""
END_OF_ZIP: Final = b"PK\5\6"
ZIP64: Final = b"PK\6\7"
IGNORED: Final = ("__MACOSX", ".DS_Store")
"""What macOS puts into archives, and no bot needs."""

Open: TypeAlias = Callable[[], IO[bytes]]


class ArchiveError(ArenaError):
    """An archive that is refused; the text says what is wrong with it, and what to do."""


def unpack(archive: Path, folder: Path, limits: AuthorLimits) -> Path:
    """Unpack an archive into a new folder; return the folder in it that has the bot."""
    folder.mkdir(mode=0o700)
    with archive.open("rb") as file:
        start = file.read(512)
        file.seek(0)
        target = _Target(folder, limits, os.fstat(file.fileno()).st_size)
        if start.startswith((b"PK\3\4", END_OF_ZIP)):
            _unpack_zip(file, target, limits)
        else:
            _unpack_tar(file, start, target, limits)
        target.make_links()
    return _bot_folder(folder)


class _Target:
    """The folder into which an archive is unpacked."""

    def __init__(self, folder: Path, limits: AuthorLimits, packed: int) -> None:
        self._folder = folder
        self._limits = limits
        self._most = min(limits.unpacked_bytes, max(SMALL, packed * limits.ratio))
        self._packed = packed
        self._size = 0
        self._kinds: dict[str, tuple[str, bool]] = {}
        """By folded path: the path as it was written, and whether it is a folder."""
        self._links: list[tuple[Path, str]] = []

    def make_folder(self, name: str) -> None:
        """Make a folder, unless it is there."""
        self._enter(self._parts(name), is_folder=True)

    def write(self, name: str, size: int, mode: int, opened: Open) -> None:
        """Write a file, which says that it has this size."""
        parts = self._parts(name)
        if not parts:
            raise ArchiveError("the archive has a file without a name")
        if self._ignored(parts):
            return
        self._check_size(name, self._size + size)
        path = self._enter(parts, is_folder=False)
        executable = 0o755 if mode & 0o100 else 0o644
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        fd = os.open(path, flags, executable)
        with os.fdopen(fd, "wb") as file, opened() as source:
            while data := source.read(CHUNK):
                self._size += len(data)
                self._check_size(name, self._size)
                file.write(data)

    def link(self, name: str, target: str) -> None:
        """Make a symbolic link, after all files are written."""
        parts = self._parts(name)
        if self._ignored(parts):
            return
        if not target or len(target) > LONGEST_PATH or not target.isprintable():
            raise ArchiveError(f"{brief(name)}: is a link to {brief(target)}, which is no path")
        if target.startswith("/") or _climbs(parts, target):
            raise ArchiveError(
                f"{brief(name)}: is a link to {brief(target)}, out of the archive; put the file "
                "itself there"
            )
        self._links.append((self._enter(parts, is_folder=False), target))

    def make_links(self) -> None:
        """Make the links; from here on nothing is written any more."""
        for path, target in self._links:
            path.symlink_to(target)
        # By its words each stays inside, but one can lead through another.
        inside = Path(os.path.realpath(self._folder))
        for path, target in self._links:
            if not Path(os.path.realpath(path)).is_relative_to(inside):
                name = path.relative_to(self._folder).as_posix()
                raise ArchiveError(
                    f"{brief(name)}: is a link to {brief(target)}, which leads out of the archive "
                    "by way of another link; put the file itself there"
                )

    def _parts(self, name: str) -> tuple[str, ...]:
        """Return the names on the way to a member, none for the archive's own folder."""
        try:
            name.encode()
        except UnicodeEncodeError:
            raise ArchiveError(f"{brief(name)}: expected a name in UTF-8") from None
        if name.startswith("/") or "\\" in name or (len(name) > 1 and name[1] == ":"):
            raise ArchiveError(
                f"{brief(name)}: expected a path within the archive, with slashes, got another"
            )
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        for part in parts:
            if part == "..":
                raise ArchiveError(f"{brief(name)}: leads out of the archive")
            if not part.isprintable():
                raise ArchiveError(f"{brief(name)}: expected a name that can be printed")
            if len(part.encode()) > LONGEST_NAME:
                raise ArchiveError(f"{brief(name)}: a name may have {LONGEST_NAME} bytes")
        if len(name.encode()) > LONGEST_PATH:
            raise ArchiveError(f"{brief(name)}: a path may have {LONGEST_PATH} bytes")
        if len(parts) > DEPTH:
            raise ArchiveError(f"{brief(name)}: folders may lie {DEPTH} deep")
        return parts

    @staticmethod
    def _ignored(parts: tuple[str, ...]) -> bool:
        return any(part in IGNORED for part in parts)

    def _enter(self, parts: tuple[str, ...], *, is_folder: bool) -> Path:
        """Take note of a path and make the folders on the way to it."""
        if self._ignored(parts):
            return self._folder
        last = len(parts)
        for length in range(1, last + 1):
            self._note(parts[:length], is_folder=is_folder or length < last, last=length == last)
        return self._folder.joinpath(*parts)

    def _note(self, parts: tuple[str, ...], *, is_folder: bool, last: bool) -> None:
        path = "/".join(parts)
        # Two names that are one on other systems are refused here, so that a bot is the same
        # everywhere.
        folded = unicodedata.normalize("NFKC", path).casefold()
        before = self._kinds.get(folded)
        if before is None:
            if len(self._kinds) >= self._limits.files:
                files = counted(self._limits.files, "file")
                raise ArchiveError(f"the archive may have {files}; it has more")
            self._kinds[folded] = path, is_folder
            if is_folder:
                self._folder.joinpath(*parts).mkdir(mode=0o755)
            return
        if before[0] != path:
            raise ArchiveError(
                f"{brief(path)}: is the same name as {brief(before[0])} on some systems"
            )
        if before[1] != is_folder or (last and not is_folder):
            raise ArchiveError(f"{brief(path)}: is in the archive twice")

    def _check_size(self, name: str, size: int) -> None:
        if size <= self._most:
            return
        if self._most < self._limits.unpacked_bytes:
            raise ArchiveError(
                f"{brief(name)}: the archive unpacks to more than {self._limits.ratio} times its "
                f"{self._packed:,} bytes, as no program does"
            )
        raise ArchiveError(
            f"{brief(name)}: the files may have {self._limits.unpacked_mb} MiB; they have more"
        )


def _unpack_zip(file: IO[bytes], target: _Target, limits: AuthorLimits) -> None:
    _check_directory(file, limits)
    with _explained(), zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            _unpack_member(archive, member, target)


def _check_directory(file: IO[bytes], limits: AuthorLimits) -> None:
    """Raise `ArchiveError` for a zip whose directory is too large to be read into memory."""
    end = file.seek(0, os.SEEK_END)
    start = max(0, end - (1 << 16) - 22)
    file.seek(start)
    tail = file.read()
    file.seek(0)
    at = len(tail) - 22 if tail[-22:].startswith(END_OF_ZIP) else tail.rfind(END_OF_ZIP)
    if at < 0 or len(tail) < at + 22:
        raise ArchiveError("the archive is cut off, or no zip; pack it again")
    if tail[max(0, at - 20) : at].startswith(ZIP64):
        raise ArchiveError("the archive is a zip for more than 4 GiB; pack it as an ordinary one")
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    if size > limits.files * DIRECTORY:
        files = counted(limits.files, "file")
        raise ArchiveError(f"the archive may have {files}; it has more")


def _unpack_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: _Target) -> None:
    if not member.filename:
        raise ArchiveError("the archive has a file without a name")
    if member.flag_bits & 0x1:
        raise ArchiveError(f"{brief(member.filename)}: is encrypted; pack it without a password")
    mode = member.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if member.is_dir():
        target.make_folder(member.filename)
    elif kind == stat.S_IFLNK:
        if member.file_size > LONGEST_PATH:
            raise ArchiveError(f"{brief(member.filename)}: is a link that is no path")
        with archive.open(member) as opened:
            target.link(member.filename, opened.read(LONGEST_PATH + 1).decode("utf-8", "replace"))
    elif kind in (0, stat.S_IFREG):
        target.write(member.filename, member.file_size, mode, lambda: archive.open(member))
    else:
        raise ArchiveError(f"{brief(member.filename)}: is no file, folder or link")


def _unpack_tar(file: IO[bytes], start: bytes, target: _Target, limits: AuthorLimits) -> None:
    stream = _Bounded(_unzipped(file, start), limits)
    with _explained(), tarfile.open(mode="r|", fileobj=cast("IO[bytes]", stream)) as archive:
        for member in archive:
            if member.isdir():
                target.make_folder(member.name)
            elif member.issym():
                target.link(member.name, member.linkname)
            elif member.isreg() and not member.issparse():
                # A member's type says that it is a file, so there is something to read.
                opened = cast("IO[bytes]", archive.extractfile(member))
                target.write(member.name, member.size, member.mode, lambda opened=opened: opened)  # type: ignore[misc]
            else:
                raise ArchiveError(
                    f"{brief(member.name)}: is {_kind(member)}; a bot can have files, folders and "
                    "links within it"
                )


def _unzipped(file: IO[bytes], start: bytes) -> IO[bytes]:
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if start.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if start.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(file)
    if start[257:262] == b"ustar":
        return file
    raise ArchiveError(
        "expected a zip, or a tar that is plain or packed by gzip, bzip2 or xz; got another file"
    )


class _Bounded:
    """A tar that is read only as far as its files can be large."""

    def __init__(self, source: IO[bytes], limits: AuthorLimits) -> None:
        self._source = source
        self._left = limits.unpacked_bytes + limits.files * HEADER
        self._limits = limits

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError(f"the files may have {self._limits.unpacked_mb} MiB; they have more")
        return data


@contextmanager
def _explained() -> Iterator[None]:
    """Raise `ArchiveError` for what the readers of archives raise on damaged ones."""
    try:
        yield
    except (
        zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError,
        NotImplementedError, RuntimeError, gzip.BadGzipFile, UnicodeDecodeError, ValueError,
    ) as error:  # fmt: skip
        raise ArchiveError(f"the archive cannot be read: {error}; pack it again") from None
    except MemoryError:
        raise ArchiveError("the archive needs too much memory to be read; pack it anew") from None
    except OSError as error:
        # A damaged zip has its reader seek to where no file can be; the rest is the site's disk.
        if error.errno not in (None, errno.EINVAL, errno.EEXIST):
            raise
        raise ArchiveError(f"the archive cannot be read: {error}; pack it again") from None


def _bot_folder(folder: Path) -> Path:
    """Return the folder with the bot: the only folder in the archive, if there is nothing else."""
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        return inside[0]
    return folder


def _climbs(parts: tuple[str, ...], target: str) -> bool:
    """Whether a link leads above the archive's folder."""
    depth = len(parts) - 1
    for part in target.split("/"):
        if part == "..":
            depth -= 1
        elif part not in ("", "."):
            depth += 1
        if depth < 0:
            return True
    return False


def _kind(member: tarfile.TarInfo) -> str:
    if member.islnk():
        return "a hard link"
    if member.isfifo():
        return "a FIFO"
    if member.isdev():
        return "a device"
    return "a file with holes" if member.issparse() else "of an unknown kind"
