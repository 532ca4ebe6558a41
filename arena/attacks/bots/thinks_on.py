"""Thinks on others' time: busy loops in a thread, in children and in a daemon, asked or not.

Every note says how many milliseconds of CPU time they got between the last answer and this
question. With `odd-games` they rest in every other game. With `resist` each of them sets a
timer that continues it whenever it is stopped, and keeps continuing the others.
"""

import ctypes
import mmap
import os
import signal
import struct
import sys
import threading
import time

from arena_sdk import Bot, Question, Start, run

CHILDREN = 3
ACTIVE = 0
LONGEST = 300.0
ROUND = 2000
MILLISECOND = 1_000_000
CLOCK_MONOTONIC = 1

shared = mmap.mmap(-1, 8 * (CHILDREN + 2))
"""Whether to be busy, and the CPU time that each loop has used, in nanoseconds."""
words = memoryview(shared).cast("q")


def spin(slot: int, *, resist: bool) -> None:
    """Keep a core busy whenever `ACTIVE` is set."""
    if resist:
        continue_myself_every_millisecond()
    used, end = 0, time.monotonic() + LONGEST
    while time.monotonic() < end:
        if not words[ACTIVE]:
            time.sleep(0.002)
            continue
        before = time.thread_time_ns()
        for _ in range(ROUND):
            pass
        if resist:
            continue_the_others()
        used += time.thread_time_ns() - before
        words[slot] = used


def continue_myself_every_millisecond() -> None:
    """Set a timer whose signal continues this process, as it reaches stopped ones, too."""
    signal.signal(signal.SIGCONT, signal.SIG_DFL)
    libc = ctypes.CDLL(None, use_errno=True)
    event = ctypes.create_string_buffer(struct.pack("qii", 0, signal.SIGCONT, 0), 64)
    timer = ctypes.c_void_p()
    if libc.timer_create(CLOCK_MONOTONIC, event, ctypes.byref(timer)) == 0:
        every = struct.pack("qqqq", 0, MILLISECOND, 0, MILLISECOND)
        libc.timer_settime(timer, 0, every, None)


def continue_the_others() -> None:
    """Continue the other processes of this bot, in case they are stopped."""
    for pid in others:
        try:
            os.kill(pid, signal.SIGCONT)
        except OSError:
            pass


def start(slot: int, *, daemon: bool, resist: bool) -> None:
    """Start a process that loops, as a child or as a daemon."""
    child = os.fork()
    if child:
        if daemon:
            os.waitpid(child, 0)
        else:
            others.append(child)
        return
    if daemon:
        os.setsid()
        if os.fork():
            os._exit(0)
    try:
        spin(slot, resist=resist)
    finally:
        os._exit(0)


class ThinksOn(Bot):
    """A bot that answers at once and goes on computing."""

    name = "thinks-on"

    def __init__(self, habits: list[str]) -> None:
        self.every_other = "odd-games" in habits
        self.resist = "resist" in habits
        self.begun = False
        self.left_at = 0

    def start(self, start: Start) -> None:
        words[ACTIVE] = not self.every_other or start.number % 2

    def choose(self, question: Question) -> int:
        question.note = f"{(sum(words[1:]) - self.left_at) / 1e6:.3f}"
        if not self.begun:
            self.begin()
        self.left_at = sum(words[1:])
        return 0

    def begin(self) -> None:
        """Start all loops."""
        self.begun = True
        for slot in range(1, CHILDREN + 1):
            start(slot, daemon=slot == CHILDREN, resist=self.resist)
        thread = threading.Thread(
            target=spin, args=(CHILDREN + 1,), kwargs={"resist": False}, daemon=True
        )
        thread.start()


others = [os.getpid()]
run(ThinksOn(sys.argv[1:]))
