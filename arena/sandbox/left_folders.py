"""Temporary folders, of which those go that killed processes could not remove."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from arena.sandbox.owner import PREFIX, is_left, own_prefix


def remove_left(temporary: Path) -> None:
    """Remove the folders that ended processes of this user have left in this directory."""
    for folder in temporary.glob(f"{PREFIX}*"):
        try:
            ours = not folder.is_symlink() and folder.lstat().st_uid == os.geteuid()
        except OSError:
            continue  # its owner has just removed it
        if ours and is_left(folder.name):
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_folder(name: str) -> Iterator[Path]:
    """Make a folder whose name says whose it is, and remove it at the end.

    What ended processes have left is removed first.
    """
    remove_left(Path(gettempdir()))
    with TemporaryDirectory(prefix=f"{own_prefix()}{name}-") as folder:
        yield Path(folder)
