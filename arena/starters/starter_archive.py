"""A starter as a zip, for authors who have nothing installed."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from arena.builds.sealing import NEED_NETWORK
from arena.names import check_name
from arena.programs.manifest import load_manifest
from arena.programs.walk import Folder
from arena.starters.sdk import load_sdk
from arena.starters.starter import PLACEHOLDER, StarterError, starters, write_starter

MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""When every file of a zip was written, so that the same starter is the same zip."""
FILE, EXECUTABLE = 0o100644 << 16, 0o100755 << 16
VENDOR: Final = "vendor"
"""The folder with libraries in a packed bot, in whose files no name is filled in."""


def starter_zip(
    language: str, game: str, name: str = PLACEHOLDER, packed: Path | None = None
) -> bytes:
    """Return a zip with one folder: what `arena bot new` writes for a bot of this name.

    `packed` is the same starter packed, under its own name; what that has besides, so that it
    builds without a network, is added. Raise `StarterError` if there is no such starter, or nobody
    can have the name.
    """
    try:
        check_name("name", name)
    except ValueError as error:
        raise StarterError(str(error)) from None
    data = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="arena-starter-") as place:
        folder = Path(place) / name
        files = {
            path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode)
            for path in write_starter(folder, language, game, name)
        }
    if packed is not None:
        files.update(_packed(packed, name))
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            content, mode = files[path]
            member = zipfile.ZipInfo(f"{name}/{path}", MOMENT)
            member.external_attr = EXECUTABLE if mode & 0o100 else FILE
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return data.getvalue()


def _packed(folder: Path, name: str) -> Iterator[tuple[str, tuple[bytes, int]]]:
    """Yield the files of a packed starter, with another name filled in."""
    with Folder(folder) as opened:
        for entry in opened.files():
            content = b"".join(opened.read(entry))
            if VENDOR not in entry.parts:
                content = content.replace(PLACEHOLDER.encode(), name.encode())
            yield entry.name, (content, entry.state.st_mode)


@cache
def needs_packing(language: str) -> bool:
    """Whether the build of a bot in this language loads libraries, so that it is packed first."""
    game = starters()[language][0]
    with tempfile.TemporaryDirectory(prefix="arena-starter-") as place:
        folder = Path(place) / PLACEHOLDER
        write_starter(folder, language, game, PLACEHOLDER)
        build = load_manifest(folder).build
    return bool(build) and build[0] in NEED_NETWORK


def lacking(language: str) -> list[str]:
    """Return what builds a bot in this language and is missing on this machine."""
    return load_sdk(language).missing()
