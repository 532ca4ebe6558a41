"""File descriptors: a forked process lets go of those that are not meant for it."""

from __future__ import annotations

import os


def close_all_but(kept: set[int]) -> None:
    """Close all but these; 0, 1 and 2 lead nowhere then, unless they are among them."""
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        if fd > 2 and fd not in kept:
            try:
                os.close(fd)
            except OSError:
                pass
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        if fd not in kept:
            os.dup2(nothing, fd)
