"""Computes over each decision for so many milliseconds of CPU time, and answers.

With a second argument it sets helpers to compute on the same core: children that stay with
it, daemons that leave it, or children that come and go.
"""

import os
import sys
import time

from honest import Honest

HELPERS = 8
LONGEST = 30


def compute(seconds: float) -> None:
    """Keep the core busy for so much CPU time of this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def start_helper(*, daemon: bool) -> None:
    """Start a process that competes with this one until the bot is ended."""
    if os.fork():
        if daemon:
            os.wait()
        return
    if daemon:
        os.setsid()
        if os.fork():
            os._exit(0)
    compute(LONGEST)
    os._exit(0)


def compute_by_turns() -> None:
    """Keep the core busy with children that soon end, and with their successors."""
    end = time.monotonic() + LONGEST
    running = 0
    while time.monotonic() < end:
        if running == HELPERS:
            running -= os.waitpid(-1, os.WNOHANG) != (0, 0)
        elif os.fork():
            running += 1
        else:
            compute(0.01)
            os._exit(0)


bot = Honest()
kind = sys.argv[2]
for question in bot.questions():
    if question["id"] == 1 and kind in {"children", "daemons"}:
        for _ in range(HELPERS):
            start_helper(daemon=kind == "daemons")
    elif question["id"] == 1 and kind == "turns":
        compute_by_turns()
    compute(float(sys.argv[1]) / 1000)
    bot.answer(question)
