"""Stays in the kernel while others are asked: in long calls that the freezer has to wait for.

A task is frozen when it returns from the kernel. The second argument says how the bot keeps from
it: "populates" maps more memory than a core can map in a second, page by page; "queues" has many
threads wait for their turn to map; "forks" copies large tables of pages. It begins just before it
answers.
"""

import ctypes
import mmap
import os
import sys
import threading
import time

from arena_sdk import Question, run

GB = 1 << 30
PRIVATE, ANONYMOUS, POPULATE, NO_RESERVE = 0x2, 0x20, 0x8000, 0x4000
THP_DISABLE = 41
QUEUED = 24
LONGEST = 60.0

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
end = time.monotonic() + LONGEST


def map_pages(size: int) -> None:
    """Map the page of zeros so many times, again and again; only the tables take memory."""
    flags = PRIVATE | ANONYMOUS | POPULATE | NO_RESERVE
    while time.monotonic() < end:
        place = libc.mmap(None, size, mmap.PROT_READ, flags, -1, 0)
        if place != 2**64 - 1:
            libc.munmap(place, size)


def populates() -> None:
    """Map for a second and more in one call."""
    start(lambda: map_pages(24 * GB))


def queues() -> None:
    """Have threads wait for each other in the kernel.

    They begin together: a thread that is started while others map has to wait for them, too.
    """
    begin = threading.Event()

    def map_in_turn() -> None:
        begin.wait()
        map_pages(GB)

    for _ in range(QUEUED):
        start(map_in_turn)
    begin.set()


def forks() -> None:
    """Copy large tables of pages, again and again."""
    flags = PRIVATE | ANONYMOUS | POPULATE | NO_RESERVE
    place = libc.mmap(None, 16 * GB, mmap.PROT_READ, flags, -1, 0)
    libc.mprotect(
        ctypes.c_void_p(place), ctypes.c_size_t(16 * GB), mmap.PROT_READ | mmap.PROT_WRITE
    )
    ctypes.memset(place, 1, 1)  # from now on the tables have to be copied

    def fork() -> None:
        while time.monotonic() < end:
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)

    start(fork)


def start(action: object) -> None:
    """Run the action in a thread."""
    threading.Thread(target=action, daemon=True).start()  # type: ignore[arg-type]


libc.prctl(THP_DISABLE, 1, 0, 0, 0)
begun = False


def choose(question: Question) -> int:
    """Begin, and answer at once."""
    global begun
    if not begun:
        begun = True
        WAYS[sys.argv[2]]()
        time.sleep(0.05)  # so that all are in the kernel
    return 0


WAYS = {"populates": populates, "queues": queues, "forks": forks}
run(choose, name="lingers")
