"""Whose a group or a folder is: its name says which process has made it.

A process is known by its id, its start time and the namespace of its id: the id alone is given
again, and means another process elsewhere.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

PREFIX = "arena-"
_OWNER = re.compile(rf"{PREFIX}([0-9]+)-(?:s([0-9]+)n([0-9]+)-)?")
_ENDED = {"Z", "X"}
"""States of processes that have ended."""


def own_prefix() -> str:
    """Return how the names of what this process makes begin; raise `OSError`."""
    return _prefix_of(os.getpid())


@cache
def _prefix_of(pid: int) -> str:
    return f"{PREFIX}{pid}-s{_state_and_start(pid)[1]}n{_namespace()}-"


def is_left(name: str) -> bool:
    """Whether this is the name of something whose owner has ended."""
    owner = _OWNER.match(name)
    if owner is None:
        return False
    pid, start, namespace = (int(word or 0) for word in owner.groups())
    if namespace not in {0, _namespace()}:
        return False  # nobody can tell from here
    try:
        state, started = _state_and_start(pid)
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in _ENDED or start not in {0, started}


def _namespace() -> int:
    return Path("/proc/self/ns/pid").stat().st_ino


def _state_and_start(pid: int) -> tuple[str, int]:
    """Return the state of a process and its start in ticks since boot; raise `OSError`."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return fields[0].decode(), int(fields[19])
