"""A referee that starts programs on a host that lacks what it takes; it prints what came of each.

As a process of its own, for limits cannot be raised again by everybody: `python -m
process.shortage files|suspended|processes`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from resource import RLIMIT_NOFILE, RLIMIT_NPROC, setrlimit

from arena.errors import HostError
from arena.process.program import Program, StderrDrain
from arena.process.suspension.turn_gate import TurnGate
from arena.sandbox.launch import Launch

NOBODY = 54_321
"""An user without any process."""
HELD = 40
"""Files that are open already: more than a launch gives away."""
SPARE = range(24)


def start(errands: StderrDrain, floor: TurnGate | None = None) -> str:
    """Start a program and end it; what came of it, and whether something is left."""
    before = sorted(os.listdir("/proc/self/fd"))
    released = []
    launch = Launch(
        ["cat"], {"PATH": "/usr/bin:/bin"}, Path("/"), release=lambda: released.append(1)
    )
    try:
        Program(launch, errands, floor).close()
        told = "started"
    except HostError as error:
        told = str(error)
    if len(released) != 1:
        told += f", released {len(released)} times"
    return told if sorted(os.listdir("/proc/self/fd")) == before else f"{told}, files are left"


def main() -> None:
    """Try with less and more of it."""
    lacking = sys.argv[1]
    errands = StderrDrain()
    told = []
    if lacking == "processes":
        os.setuid(NOBODY)
        for most in (1, 2, 3):
            setrlimit(RLIMIT_NPROC, (most, 3))
            told.append(start(errands))
    else:
        floor = TurnGate() if lacking == "suspended" else None
        held = [os.open(os.devnull, os.O_RDONLY) for _ in range(HELD)]
        for spare in SPARE:
            setrlimit(RLIMIT_NOFILE, (held[-1] + 2 + spare, 4096))
            told.append(start(errands, floor))
    print("\n".join(told))


if __name__ == "__main__":
    main()
