"""Download the log of a ladder: all of it or nothing, and on from where a connection broke."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote

from arena.errors import ArenaError
from arena.records.tree import Tree
from arena.remote.client import CUT, Client, SiteFailed

HEAD: Final = "x-arena-head"
PARTIAL: Final = ".part"
CHUNK: Final = 1 << 18


class CannotDownload(ArenaError):
    """A log that cannot be kept; the text says why, and what to do."""


@dataclass(frozen=True)
class Downloaded:
    """A log that has come."""

    entries: int
    root: str
    size: int
    before: int
    """Entries that had come before, when the connection broke."""

    @property
    def head(self) -> str:
        """What stands for all of its entries."""
        return f"{self.entries}:{self.root}"


def download_log(
    client: Client, ladder: str, output: Path, progress: Callable[[int, int], object]
) -> Downloaded:
    """Download a log into a file that is not there yet; what has come of it stays in a part.

    `progress` is called with the bytes that have come, and all that are to come.
    """
    part = output.with_name(output.name + PARTIAL)
    if os.path.lexists(output):
        raise CannotDownload(f"{output}: is there already; name another file with --output")
    try:
        with part.open("a+b") as file:
            done = _download(client, ladder, file, part, progress)
            file.flush()
            os.fsync(file.fileno())
        part.rename(output)
    except OSError as error:
        raise CannotDownload(f"{part}: {error.strerror or error}") from None
    return done


def _download(
    client: Client,
    ladder: str,
    file: BinaryIO,
    part: Path,
    progress: Callable[[int, int], object],
) -> Downloaded:
    tree = _kept(file)
    before = tree.size
    path = f"/ladders/{quote(ladder, safe='')}/log?after={before}"
    with client.answered("GET", path) as answer:
        head = answer.getheader(HEAD)
        size = answer.length or 0
        come, rest = 0, b""
        while data := _next(client, answer):
            come += len(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                tree.add(line)
                file.write(line + b"\n")
            progress(come, size)
    if come < size:
        file.flush()
        raise SiteFailed(
            f"{client.address}: {CUT} after {tree.size} entries, which are kept in {part}; the "
            "same command goes on from there"
        )
    if rest or head != f"{tree.size}:{tree.root}":
        raise CannotDownload(
            f"{part}: what has come does not fit the head that the site gives for it, {head}; "
            "remove the file, and download it anew"
        )
    return Downloaded(tree.size, tree.root, file.tell(), before)


def _next(client: Client, answer: HTTPResponse) -> bytes:
    """Return the next bytes; none at the end, or where the connection breaks."""
    try:
        with client.explained(CUT):
            return answer.read1(CHUNK)
    except SiteFailed:
        return b""


def _kept(file: BinaryIO) -> Tree:
    """Return the tree over the whole lines that have come before; cut off what follows them."""
    tree, end = Tree(), 0
    file.seek(0)
    for line in file:
        if not line.endswith(b"\n"):
            break
        tree.add(line[:-1])
        end += len(line)
    file.truncate(end)
    file.seek(end)
    return tree
