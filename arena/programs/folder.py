"""Check whether a bot's folder, as it was handed in, may be shown to the bot."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from arena.errors import ArenaError

MOST_ENTRIES = 200_000
"""The most entries of a folder: nobody hands in more, and the check takes time."""
KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FolderError(ArenaError):
    """A folder that a sandbox must not show; the text says what is wrong where, and what to do."""


def examine(folder: Path) -> None:
    """Raise `FolderError` unless the folder holds only files, directories and links.

    Two bots could talk through a FIFO or a socket, and a bot could reach the host through a
    device. Links are harmless: they lead to nothing that the bot could not see without them.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder}: no such directory")
    todo = [str(folder)]
    entries = 0
    while todo:
        with os.scandir(todo.pop()) as listing:
            for entry in listing:
                entries += 1
                if entry.is_symlink() or entry.is_file(follow_symlinks=False):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                    continue
                kind = KINDS.get(stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode))
                raise FolderError(f"{entry.path}: is {kind}, which a bot's folder must not hold")
        if entries > MOST_ENTRIES:
            raise FolderError(
                f"{folder}: holds more than {MOST_ENTRIES} files; run the bot elsewhere"
            )


def check_readable(path: Path) -> None:
    """Raise `FolderError` unless everybody may read this file or directory."""
    mode = path.stat().st_mode
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    if mode & wanted != wanted:
        raise FolderError(
            f"{path}: only its owner may read it, but the bot runs under an uid of its own; "
            "run chmod -R o+rX on the bot's folder"
        )
