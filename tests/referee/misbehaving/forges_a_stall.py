"""Tries to make its own processes look like a busy host, and never answers.

"late" sleeps first and competes with itself for the core later; "mixed" does both by turns, so
often that a look at the clock sees both; "traceless" has children that nobody waits for.
"""

import os
import signal
import sys
import time

from honest import Honest

WHOLE = 60.0
SLEEP = 0.6
TURN = 0.008
YIELDING = 4


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


def compete(seconds: float) -> None:
    """One process that spins, and others that always wait for the core."""
    for _ in range(YIELDING):
        if os.fork() == 0:
            give_way(seconds)
            os._exit(0)
    spin(seconds)


def forge(way: str) -> None:
    """Use up the time for a decision, and far more."""
    if way == "late":
        time.sleep(SLEEP)
        compete(WHOLE)
    elif way == "mixed":
        for _ in range(YIELDING):
            if os.fork() == 0:
                while True:
                    give_way(TURN)
                    time.sleep(TURN)
        while True:
            spin(TURN)
            time.sleep(TURN)
    elif way == "traceless":
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        end = time.monotonic() + WHOLE
        while time.monotonic() < end:
            if os.fork() == 0:
                spin(TURN)
                os._exit(0)
            time.sleep(TURN / 2)


bot = Honest()
bot.until(1)
forge(sys.argv[1])
