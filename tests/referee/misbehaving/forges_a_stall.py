"""Tries to make its own processes look like a busy host, and never answers.

Its argument is one of `WAYS`.
"""

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable

from honest import Honest

WHOLE = 60.0
SLEEP = 0.6
BRINK = 0.95
TURN = 0.008
YIELDING = 4
MAPPED = 8 << 20
POPULATE = 0x8000


def spin(seconds: float) -> None:
    """Keep the core busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def give_way(seconds: float) -> None:
    """Wait for the core all the time, without taking it for long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        os.sched_yield()


def aside(work: Callable[[], object]) -> int:
    """Do something in a child; return its process id."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return child


def compete(seconds: float) -> None:
    """One process that spins, and others that always wait for the core."""
    for _ in range(YIELDING):
        aside(lambda: give_way(seconds))
    spin(seconds)


def by_turns(one: Callable[[float], None], other: Callable[[float], None]) -> None:
    """Do both without end, so often that a look at the clock sees both."""
    while True:
        one(TURN)
        other(TURN)


def late() -> None:
    """Sleep first, and compete with itself for the core later."""
    time.sleep(SLEEP)
    compete(WHOLE)


def brink() -> None:
    """Compete only just before the bank is used up."""
    time.sleep(BRINK)
    compete(WHOLE)


def mixed() -> None:
    """Sleep and compete by turns."""
    for _ in range(YIELDING):
        aside(lambda: by_turns(give_way, time.sleep))
    by_turns(spin, time.sleep)


def traceless() -> None:
    """Compete in children that nobody waits for, so that the kernel forgets them."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    leave_children()


def unreaped() -> None:
    """Compete in children that nobody waits for, and that the kernel keeps."""
    leave_children()


def leave_children() -> None:
    """Compete in children that soon end."""
    for _ in range(int(WHOLE / TURN)):
        aside(lambda: spin(TURN))
        time.sleep(TURN / 2)


def sessions() -> None:
    """Compete in orphans, each in a session and a process group of its own."""

    def orphan() -> None:
        os.setsid()
        aside(lambda: by_turns(spin, give_way))

    for _ in range(2 * YIELDING):
        os.waitpid(aside(orphan), 0)
    time.sleep(WHOLE)


def yields() -> None:
    """Never take the core for long, nor leave it to the referee."""
    for _ in range(YIELDING):
        aside(lambda: give_way(WHOLE))
    give_way(WHOLE)


def stops() -> None:
    """Stop itself while a child competes, which continues it."""
    parent = os.getpid()

    def child() -> None:
        while True:
            spin(TURN)
            os.kill(parent, signal.SIGCONT)

    for _ in range(YIELDING):
        aside(child)
    while True:
        os.kill(parent, signal.SIGSTOP)


def kernel() -> None:
    """Have the kernel work on its behalf, where it does not stop for anybody."""
    for _ in range(YIELDING):
        aside(populate)
    populate()


def populate() -> None:
    """Get memory, and give it back."""
    while True:
        mmap.mmap(-1, MAPPED, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | POPULATE).close()


WAYS = (late, brink, mixed, traceless, unreaped, sessions, yields, stops, kernel)

if __name__ == "__main__":
    bot = Honest()
    bot.until(1)
    {way.__name__: way for way in WAYS}[sys.argv[1]]()
