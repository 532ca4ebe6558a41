"""File descriptors: a forked process lets go of those that are not meant for it."""

from __future__ import annotations

import os


def close_all_but(kept: set[int]) -> None:
    """Close all but these; 0, 1 and 2 lead nowhere then, unless they are among them."""
    standard = {0, 1, 2} - kept
    for fd in standard:
        _close(fd)  # to list the others takes one, and there may be no other left
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            _close(int(name))
    if standard:
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in standard:
            os.dup2(nothing, fd)


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        pass  # it was closed before
