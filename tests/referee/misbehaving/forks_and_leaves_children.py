"""Leaves processes behind: one beside it, one in a session of its own, one that keeps forking.

None of them holds on to the bot's pipes, and the parents of the last two are gone at once.
"""

import os
import signal
import time
from collections.abc import Callable

from honest import Honest


def detached(work: Callable[[], None], *, orphan: bool) -> None:
    """Do this in a process without ties to this one."""
    if os.fork():
        if orphan:
            os.wait()
        return
    if orphan:
        os.setsid()
        if os.fork():
            os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        work()
    finally:
        os._exit(0)


def sleep() -> None:
    """Wait to be forgotten."""
    time.sleep(120)


def flee() -> None:
    """Become another process again and again."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
        time.sleep(0.001)


bot = Honest()
detached(sleep, orphan=False)
detached(sleep, orphan=True)
detached(flee, orphan=True)
bot.on()
