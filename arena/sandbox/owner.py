"""Whose a group or a folder is: its name says which process has made it.

A process is known by its id, its start time and the namespace of its id: the id alone is given
again, and means another process elsewhere.
"""

from __future__ import annotations

import os
import re
from functools import cache

from arena.machine.calls import namespace, started

PREFIX = "arena-"
_OWNER = re.compile(rf"{PREFIX}([0-9]+)-(?:s([0-9]+)n([0-9]+)-)?")
_ENDED = {"Z", "X"}
"""States of processes that have ended."""


def own_prefix() -> str:
    """Return how the names of what this process makes begin; raise `OSError`."""
    return prefix_of(os.getpid())


@cache
def prefix_of(pid: int) -> str:
    """Return how the names of what a living process makes begin; raise `OSError`."""
    return f"{PREFIX}{pid}-s{started(pid)[1]}n{namespace()}-"


def is_left(name: str) -> bool:
    """Whether this is the name of something whose owner has ended."""
    owner = _OWNER.match(name)
    if owner is None:
        return False
    pid, start, space = (int(word or 0) for word in owner.groups())
    if space not in {0, namespace()}:
        return False  # nobody can tell from here
    try:
        state, began = started(pid)
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in _ENDED or start not in {0, began}
