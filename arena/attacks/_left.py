"""Temporary folders of attacks and self-tests that were killed before they could remove them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from arena.sandbox.owner import PREFIX, is_left


def remove_left(temporary: Path) -> None:
    """Remove the folders that ended processes of this user have left in this directory."""
    for folder in temporary.glob(f"{PREFIX}*"):
        try:
            ours = not folder.is_symlink() and folder.lstat().st_uid == os.geteuid()
        except OSError:
            continue  # its owner has just removed it
        if ours and is_left(folder.name):
            shutil.rmtree(folder, ignore_errors=True)
