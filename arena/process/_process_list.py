"""What `ps` lists of the processes below another one, for systems without /proc."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

COLUMNS = ("pid=", "ppid=", "stat=", "time=")
RUNS = ("R", "D", "U")
"""First letters of states in which a process runs, wants to run, or waits for a disk."""


@dataclass(frozen=True)
class Listed:
    """A process: whose child it is, whether it runs, and its CPU time."""

    pid: int
    parent: int
    runs: bool
    cpu_ms: int


def below(pid: int) -> list[Listed]:
    """Return the processes below this one; none if `ps` cannot be run."""
    words = [word for column in COLUMNS for word in ("-o", column)]
    try:
        done = subprocess.run(["ps", "-A", *words], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return list(descending(pid, read(done.stdout)))


def read(text: str) -> list[Listed]:
    """Return the processes of a list."""
    found = []
    for line in text.splitlines():
        pid, parent, state, time = line.split()
        found.append(Listed(int(pid), int(parent), state.startswith(RUNS), milliseconds(time)))
    return found


def milliseconds(time: str) -> int:
    """Return a time such as 0:01.25, 00:00:01 or 1-00:00:01 in milliseconds."""
    days, _, clock = time.rpartition("-")
    seconds = int(days or 0) * 86400.0
    for part, units in zip(reversed(clock.split(":")), (1.0, 60.0, 3600.0), strict=False):
        seconds += float(part) * units
    return round(1000 * seconds)


def descending(pid: int, listed: Sequence[Listed]) -> Iterator[Listed]:
    """Yield the processes below this one: its children, their children and so on."""
    for each in listed:
        if each.parent == pid:
            yield each
            yield from descending(each.pid, listed)
