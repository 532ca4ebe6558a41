"""Check whether a bot's folder, as it was handed in, may be shown to the bot."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.programs.walk import Folder, FolderError, kind_of, printable


def examine(path: Path) -> None:
    """Raise `FolderError` unless the folder holds only files, directories and links.

    Two bots could talk through a FIFO or a socket, and a bot could reach the host through a
    device. Links are harmless: they lead to nothing that the bot could not see without them.
    """
    with Folder(path) as folder:
        for entry in folder.everything():
            kind = stat.S_IFMT(entry.state.st_mode)
            if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
                raise FolderError(
                    f"{printable(path / entry.name)}: is {kind_of(entry)}, which a bot's folder "
                    "must not hold"
                )


def check_readable(path: Path, words: Iterable[str]) -> None:
    """Raise `FolderError` unless everybody may read the folder and the files that words name."""
    with Folder(path) as folder:
        _check_mode(path, folder.state)
        for word in words:
            if os.path.isabs(word) or ".." in word.split("/"):  # noqa: PTH117 - it is a word
                continue
            entry = folder.look(word)
            if entry is not None and stat.S_ISREG(entry.state.st_mode):
                _check_mode(path / entry.name, entry.state)


def _check_mode(path: Path, state: os.stat_result) -> None:
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(state.st_mode) else 0)
    if state.st_mode & wanted != wanted:
        raise FolderError(
            f"{printable(path)}: only its owner may read it, but the bot runs under an uid of its "
            "own; run chmod -R o+rX on the bot's folder"
        )
