"""What a running program does at a moment: what it has left unread, and whether it computes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fcntl import ioctl
from struct import Struct
from termios import FIONREAD

from arena.machine.system import LINUX
from arena.process._process_list import below
from arena.process._usage import cpu_ns_below
from arena.process.process_tree import descendants

COMPUTING = frozenset({b"R", b"D"})
"""States of a thread that runs, wants to run, or waits for a disk; all others wait for something
that may never come."""
_count = Struct("=i")


@dataclass(frozen=True)
class Activity:
    """What was seen of a program, with all that it has started, at one moment."""

    unread: int
    """How many bytes of its stdin wait in the pipe."""
    computes: bool
    cpu_ms: int
    """The CPU time that its processes have used, in milliseconds."""


def look(keeper: int, stdin: int) -> Activity:
    """Look at the program that this keeper has started, to whose stdin this pipe leads."""
    unread = waiting(stdin)
    if LINUX:
        return Activity(unread, _computes(keeper), cpu_ns_below(keeper) // 1_000_000)
    listed = below(keeper)
    return Activity(unread, any(x.runs for x in listed), sum(x.cpu_ms for x in listed))


def waiting(pipe: int) -> int:
    """Return how many bytes wait in a pipe to be read; 0 for what is no pipe."""
    try:
        (count,) = _count.unpack(ioctl(pipe, FIONREAD, bytes(_count.size)))
    except OSError:
        return 0
    assert isinstance(count, int)
    return count


def _computes(keeper: int) -> bool:
    for pid in descendants(keeper):
        try:
            for tid in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{tid}/stat", "rb") as file:
                    state = file.read().rpartition(b")")[2].split()[0]
                if state in COMPUTING:
                    return True
        except (OSError, IndexError):
            continue  # it has just ended
    return False
