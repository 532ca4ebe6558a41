"""Uses more than it may at its first question: time, output, or space for a core file.

The second argument says how: "busy" and "asleep" never answer, "stdout" and "stderr" are
written to without end, "dump" ends with as large a core file as it can.
"""

import os
import resource
import signal
import sys
import time

from arena_sdk import Question, run

MB = 1 << 20
DUMPED = 64
LONGEST = 300.0


def busy() -> None:
    """Compute without end."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        pass


def asleep() -> None:
    """Sleep instead of answering."""
    time.sleep(LONGEST)


def stdout() -> None:
    """Write frames that nobody has asked for."""
    flood(PROTOCOL)


def stderr() -> None:
    """Write logs that nobody will read."""
    flood(2)


def flood(fd: int) -> None:
    """Write until it is no longer allowed."""
    block = b"\0\0\0\1\x80" * (MB // 5)
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        os.write(fd, block)


def dump() -> None:
    """End with much memory in use."""
    kept = b"kept" * (DUMPED * MB // 4)
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    os.kill(os.getpid(), signal.SIGABRT)
    del kept


PROTOCOL = os.dup(1)
WAYS = (busy, asleep, stdout, stderr, dump)
way = next(way for way in WAYS if way.__name__ == sys.argv[2])


def choose(question: Question) -> int:
    """Go this way, and answer if that comes to an end."""
    way()
    return 0


run(choose, name="spends")
