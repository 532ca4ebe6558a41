"""Fills the places that it may write to, with files, reserved space and holes.

With "names" as the second argument it makes very many empty files instead.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from attempts import add, scene, tell

MB = 1 << 20
ENOUGH = 2
"""Attempts go up to this many times what is allowed."""
MANY = 300_000


def fill(place: str) -> Callable[[], object]:
    """Return an attempt to store more in a place than is allowed, in files of a megabyte."""

    def fill() -> str | None:
        written = 0
        block = os.urandom(MB)
        for number in range(ENOUGH * scene["limits"]["tmp_mb"]):
            path = Path(place, f"fill-{number}")
            try:
                path.write_bytes(block)
            except OSError:
                break
            written += 1
        for number in range(written + 1):
            Path(place, f"fill-{number}").unlink(missing_ok=True)
        return above(written, scene["limits"]["tmp_mb"], "MB")

    return fill


def allocate(place: str) -> Callable[[], object]:
    """Return an attempt to reserve more than is allowed, in nameless files without contents."""

    def allocate() -> str | None:
        kept = []
        for _ in range(ENOUGH * scene["limits"]["tmp_mb"]):
            try:
                fd = os.open(place, os.O_TMPFILE | os.O_RDWR)
                kept.append(fd)
                os.posix_fallocate(fd, 0, MB)
            except OSError:
                break
        return above(len(kept) - 1, scene["limits"]["tmp_mb"], "MB")

    return allocate


def grow(place: str) -> Callable[[], object]:
    """Return an attempt to make a file larger than is allowed, which is only a hole."""

    def grow() -> str | None:
        path = Path(place, "hole")
        size = (scene["limits"]["file_mb"] + 1) * MB
        try:
            with path.open("wb") as file:
                file.truncate(size)
        finally:
            path.unlink(missing_ok=True)
        return f"{size} bytes"

    return grow


def litter(place: str) -> Callable[[], object]:
    """Return an attempt to use up the host's memory with empty files, each of which takes some."""

    def litter() -> str | None:
        number = 0
        try:
            for number in range(MANY):
                os.mknod(f"{place}/empty-{number}")
        except OSError:
            return None
        finally:
            for other in range(number + 1):
                Path(f"{place}/empty-{other}").unlink(missing_ok=True)
        return f"{MANY} files"

    return litter


def above(amount: int, allowed: int, unit: str) -> str | None:
    """Return the amount in words if it is more than is allowed."""
    return f"{amount} {unit}, {allowed} allowed" if amount > allowed else None


for place in ("/tmp", "/dev/shm"):
    if sys.argv[2] == "names":
        add(f"{MANY} empty files in {place}", litter(place))
    else:
        add(f"fill {place}", fill(place))
        add(f"fill {place} by reserving", allocate(place))
        add(f"a file in {place} that is too large", grow(place))
for place in ("/", "/dev", "/run", "/var/tmp", ".") if sys.argv[2] != "names" else ():
    add(f"fill {place}", fill(place))
tell("fills")
