"""The files of a store: their names, how they get onto the disk, and what can go wrong."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError, HostError
from arena.records.entries import Opened
from arena.referee.deals import commitment

LOG, SECRET, TIMES, DERIVED = "log", "secret", "times", "derived"
DEFINITION = "definition"
"""What the definition said when it was last read; `arena.ladder.field` has the rest."""
INTENT = "intent"
"""What is being written for a wish; `arena.ladder.desk` has the rest."""
SECRET_MODE = 0o600
SQLITE = b"SQLite format 3\0"
"""How the stores of earlier arenas begin."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a disk says that takes no more."""


class StoreError(ArenaError):
    """A store that cannot be used; the message says which one, why, and what to do."""


def is_store(path: Path) -> bool:
    """Whether this is a folder such as stores are."""
    return (path / LOG).is_file()


def check_is_store(path: Path) -> None:
    """Raise `StoreError` unless this is a folder such as stores are."""
    if is_store(path):
        return
    if not os.path.lexists(path):
        raise StoreError(f"{path}: no such store; `arena ladder run` makes one")
    refuse_old_store(path)
    raise StoreError(f"{path}: expected a ladder's store, which is a folder with a file `{LOG}`")


def refuse_old_store(path: Path) -> None:
    """Raise `StoreError` if this file is a store as earlier arenas made them."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            raise StoreError(
                f"{path}: an SQLite file, as earlier arenas had for a store; this arena reads "
                "none: play the ladder again, without --store or with another one"
            )


def secret_file(secret: bytes, first: bytes) -> bytes:
    """Return the secret twice, and the first line of the log, from which that can begin again."""
    said = secret.hex().encode()
    return b"%s\n%s\n%s" % (said, said, first)


def read_secret(path: Path, first: Opened) -> bytes:
    """Return the secret that this entry has the commitment of; raise `StoreError` if it is lost."""
    found = committed(path.read_bytes().split(b"\n")[:2], first)
    if found is None:
        raise StoreError(
            f"{path}: damaged: expected the secret that the log has the commitment of, got "
            f"another; nothing was played. See `arena ladder check {path.parent}`, which can also "
            "repair it"
        )
    return found


def committed(said: Iterable[bytes], first: Opened) -> bytes | None:
    """Return the secret, of these in hexadecimal, that this entry has the commitment of."""
    for each in said:
        with suppress(ValueError):
            secret = bytes.fromhex(each.decode("ascii", "replace"))
            if commitment(secret) == first.commitment:
                return secret
    return None


@contextmanager
def store_errors(path: Path, *, writing: bool = False) -> Iterator[None]:
    """Turn errors of the file system into one that says what to do.

    A disk that is full or broken is the host's failure; and so is any error of a file that could
    be written to before.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL or error.errno == errno.EIO or writing:
            do = "make room" if error.errno in FULL else "see to the disk"
            raise HostError(
                f"{path}: {error.strerror}; all that was said to be stored is safe: {do}, and run "
                "the same command again"
            ) from None
        raise StoreError(f"{path}: {error.strerror}") from None


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Make a folder, completely or not at all: it has another name until all is on the disk."""
    real = path.resolve()  # where a link leads
    make_folders(real.parent)
    made = real.with_name(real.name + ".new")
    shutil.rmtree(made, ignore_errors=True)  # left by a process that was killed
    try:
        made.mkdir()
        yield made
        sync_folder(made)
        made.rename(real)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    sync_folder(real.parent)


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, where they are missing, and have them on the disk."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


def write_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a new file, and have it on the disk."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes, mode: int) -> None:
    """Replace a file, completely or not at all; its mode and its owner stay, if there was one."""
    made = path.with_name(f"{path.name}.new")
    made.unlink(missing_ok=True)
    write_file(made, data, mode)
    with suppress(FileNotFoundError):
        before = path.stat()
        made.chmod(before.st_mode & 0o777)
        if os.geteuid() == 0:
            os.chown(made, before.st_uid, before.st_gid)
    made.replace(path)
    sync_folder(path.parent)


def write_all(fd: int, data: bytes) -> None:
    """Write all of this, in as many parts as it takes."""
    while data:
        data = data[os.write(fd, data) :]


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
