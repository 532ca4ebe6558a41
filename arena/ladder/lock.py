"""The lock of a store: one run at a time may write to it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from arena.ladder.store_files import StoreError, make_folders, store_errors

POLL = 0.05
"""Seconds between two tries, for those who wait."""
ELSEWHERE = "give this one another --store"


class Locked(StoreError):
    """Another process writes to the store."""

    def __init__(self, store: Path, process: str, otherwise: str = ELSEWHERE) -> None:
        self.process = process
        self.holder = f"the run (process {process or 'unknown'})"
        super().__init__(
            f"{store}: another run is writing to it (process {process or 'unknown'}); "
            f"wait for it, or {otherwise}"
        )


@contextmanager
def locked(store: Path, patience: float = 0, otherwise: str = ELSEWHERE) -> Iterator[None]:
    """Lock the store for this process; raise `Locked` if another process holds it.

    `patience` is how many seconds to wait for it; the error says to wait, or to do something else.
    The kernel releases the lock when the process ends, however it ends. The lock file lies beside
    the store and is removed by the last process that held it.
    """
    real = store.resolve()  # one lock, even if several links lead to the store
    if not real.name:
        raise StoreError(f"{store}: expected the name of a file")
    path = real.with_name(real.name + ".lock")
    with store_errors(path):
        make_folders(path.parent)
        fd = _hold(path, store, monotonic() + patience, otherwise)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(fd)


def _hold(path: Path, store: Path, deadline: float, otherwise: str) -> int:
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(fd, 20).decode(errors="replace").strip()
            os.close(fd)
            if monotonic() < deadline:
                sleep(POLL)
                continue
            raise Locked(store, holder, otherwise) from None
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
