"""Uses the core in ways that are hard to count, and answers after some milliseconds by the clock.

Its arguments: the way, one of `WAYS`, and the milliseconds. Every note says what is left of the
bank, as the question says it.
"""

import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from honest import Honest

HELPERS, FEW = 24, 6
TURN = 0.004
MAPPED = 8 << 20
POPULATE = 0x8000


def spin(seconds: float) -> None:
    """Use so much CPU time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def without_end(work: Callable[[], object]) -> Callable[[], None]:
    """The same, again and again."""

    def go_on() -> None:
        while True:
            work()

    return go_on


def aside(work: Callable[[], object]) -> int:
    """Do something in a child; return its process id."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return child


def alone() -> None:
    """Nothing more than it seems."""


def threads() -> None:
    """Threads that go on."""
    for _ in range(HELPERS):
        threading.Thread(target=without_end(lambda: spin(TURN)), daemon=True).start()


def children() -> None:
    """Children that go on."""
    for _ in range(HELPERS):
        aside(without_end(lambda: spin(TURN)))


def daemons() -> None:
    """Orphans in sessions of their own."""

    def orphan() -> None:
        os.setsid()
        aside(without_end(lambda: spin(TURN)))

    for _ in range(HELPERS):
        os.waitpid(aside(orphan), 0)


def traceless() -> None:
    """Children that come and go, and are forgotten by the kernel when they end."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    def parent() -> None:
        aside(lambda: spin(TURN))
        try:
            os.wait()  # else there are more and more of them
        except ChildProcessError:
            pass  # it is forgotten

    for _ in range(HELPERS // 3):
        aside(without_end(parent))


def wakers() -> None:
    """Children that always sleep a little, as the system prefers those when they wake."""

    def nap() -> None:
        spin(TURN / 8)
        time.sleep(TURN / 8)

    for _ in range(HELPERS):
        aside(without_end(nap))


def kernel() -> None:
    """Children for which the kernel works, where it does not stop at once."""
    for _ in range(HELPERS):
        aside(without_end(populate))


def populate(size: int = MAPPED) -> None:
    """Get memory, and give it back."""
    mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | POPULATE).close()


def afterwards() -> None:
    """Children for which the kernel works, and only once the answer is written."""
    begin, self_begin = os.pipe()

    def work() -> None:
        if os.read(begin, 1):
            populate(4 * MAPPED)

    for _ in range(FEW):
        aside(without_end(work))
    after.append(lambda: os.write(self_begin, bytes(FEW)))


after: list[Callable[[], object]] = []
"""What is done before the answer is written."""
WAYS = (alone, threads, children, daemons, traceless, wakers, kernel, afterwards)

if __name__ == "__main__":
    way, seconds = sys.argv[1], int(sys.argv[2]) / 1000
    bot = Honest()
    for question in bot.questions():
        if question["id"] == 1:
            {each.__name__: each for each in WAYS}[way]()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            spin(TURN / 4)
        for work in after:
            work()
        bot.answer(question, note=str(question["bank"]))
