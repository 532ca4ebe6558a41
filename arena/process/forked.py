"""What a process of the arena does first after it was forked."""

from __future__ import annotations

import os

from arena.machine.calls import open_descriptors


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
