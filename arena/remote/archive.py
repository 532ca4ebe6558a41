"""Make an archive of a packed bot, the same from the same files."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path
from typing import IO, cast

from arena.programs.walk import Entry, Folder


def write_archive(folder: Path, archive: Path) -> int:
    """Write all files of a folder into a packed tar; return how many there are."""
    count = 0
    with (
        archive.open("wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed,
        tarfile.open(
            fileobj=cast("IO[bytes]", packed), mode="w|", format=tarfile.PAX_FORMAT
        ) as tar,
        Folder(folder) as opened,
    ):
        for entry in opened.files():
            _add(tar, opened, entry)
            count += 1
    return count


def _add(tar: tarfile.TarFile, folder: Folder, entry: Entry) -> None:
    member = tarfile.TarInfo(entry.name)
    if entry.target is not None:
        member.type, member.linkname = tarfile.SYMTYPE, entry.target
        tar.addfile(member)
        return
    member.mode = 0o755 if entry.state.st_mode & 0o100 else 0o644
    member.size = entry.state.st_size
    tar.addfile(member, io.BytesIO(b"".join(folder.read(entry))))
