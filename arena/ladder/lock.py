"""The lock of a store: one run at a time may write to it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.ladder.store_files import StoreError, make_folders, store_errors


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Lock the store for this process; raise `StoreError` if another process holds it.

    The kernel releases the lock when the process ends, however it ends. The lock file lies
    beside the store and is removed by the last process that held it.
    """
    real = store.resolve()  # one lock, even if several links lead to the store
    if not real.name:
        raise StoreError(f"{store}: expected the name of a file")
    path = real.with_name(real.name + ".lock")
    with store_errors(path):
        make_folders(path.parent)
        fd = _hold(path, store)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(fd)


def _hold(path: Path, store: Path) -> int:
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(fd, 20).decode(errors="replace").strip()
            os.close(fd)
            raise StoreError(
                f"{store}: another run is writing to it (process {holder or 'unknown'}); "
                "wait for it, or give this one another --store"
            ) from None
        if _is(path, fd):
            os.ftruncate(fd, 0)
            os.write(fd, f"{os.getpid()}\n".encode())
            return fd
        os.close(fd)  # it was removed between opening and locking


def _is(path: Path, fd: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False
