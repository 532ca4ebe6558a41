"""A worker as a program of its own whose programs come from a nursery, so that a test can kill it.

Its argument is a mark that all its processes have in their command lines.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from arena.process.nursery import Nursery
from arena.process.program import Program, StderrDrain
from arena.sandbox.launch import Launch

ECHO = 'sleep 1000 & while read line; do echo "$line"; done'


def main(mark: str) -> None:
    """Start three programs that leave children, hear from each, and wait."""
    drain, nursery = StderrDrain(), Nursery()
    launch = Launch(("sh", "-c", ECHO, mark), {"PATH": "/usr/bin:/bin"}, Path("/"))
    programs = [Program(launch, drain, keepers=nursery) for _ in range(3)]
    for program in programs:
        program.write(b"x\n", 10)
    print(sum(program.read(10) == b"x\n" for program in programs), "answer", flush=True)
    time.sleep(1000)


if __name__ == "__main__":
    main(*sys.argv[1:])
