"""What is done around a fork, and first of all after it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from arena.machine.calls import open_descriptors


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Have Ctrl-C wait until a process is started.

    Python runs hooks around a fork, and an interrupt that comes within one of them is lost. The
    new process calls `ignore_interrupts`.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one, and will end it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # which programs would inherit


def close_all_but(kept: set[int]) -> None:
    """Close all descriptors but these; point 0, 1 and 2 to /dev/null unless they are kept."""
    standard = {0, 1, 2} - kept
    for fd in standard:
        _close(fd)  # listing the others needs a descriptor, and there may be none left
    for fd in open_descriptors():
        if fd not in kept:
            _close(fd)
    if standard:
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in standard:
            os.dup2(nothing, fd)


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        pass  # it was closed before
