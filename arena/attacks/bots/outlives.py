"""Tries to outlive its game: leaves processes behind in every way that detaches them.

The processes have the host's mark in their command lines, hold none of the bot's pipes, and
ignore the signals that can be ignored.
"""

import ctypes
import os
import signal
import sys
import time

from attempts import attempt, scene, tell

SECONDS = 60
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SLEEPER = (
    "import signal, sys, time\n"
    "for number in range(1, 65):\n"
    "    try: signal.signal(number, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass\n"
    f"time.sleep({SECONDS})\n"
)


def sleep() -> None:
    """Become a program that sleeps, with the mark in its command line."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(nothing, fd)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
        os.execv(sys.executable, [sys.executable, "-c", SLEEPER, scene["mark"]])
    finally:
        os._exit(1)


def flee() -> None:
    """Go on in a new process again and again."""
    end = time.monotonic() + SECONDS
    try:
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            time.sleep(0.001)
    finally:
        os._exit(0)


@attempt("leave a child")
def child() -> None:
    """This is the simplest way."""
    if os.fork() == 0:
        sleep()


@attempt("leave a daemon")
def daemon() -> None:
    """It has a session of its own and no parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            sleep()
        os._exit(0)


@attempt("leave one whose parent collects orphans")
def reaped_elsewhere() -> None:
    """A subreaper stands between the daemon and those who look for it."""
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                sleep()
            os._exit(0)
        sleep()


@attempt("leave one that keeps forking")
def fugitive() -> None:
    """A signal comes too late: it is another process by then."""
    if os.fork() == 0:
        os.setsid()
        flee()


signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
tell("outlives")
