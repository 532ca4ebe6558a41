"""A bot that goes over a limit, or ends in some way, at its third decision."""

import ctypes
import os
import signal
import sys
import time

from arena_sdk import Question, run

way = sys.argv[1]
decisions = 0


def choose(question: Question) -> int:
    """Play on until it is time."""
    global decisions  # noqa: PLW0603
    decisions += 1
    if decisions == 3:
        WAYS[way]()
    return 0


def children() -> None:
    """Each of them alone is within the limit."""
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(30 << 20)
            time.sleep(60)
            os._exit(len(kept) & 1)
    time.sleep(60)


def large_file() -> None:
    """As a program does that was not started by Python, which ignores the signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("/tmp/large", "wb") as file:
        file.write(bytes(3 << 20))


def spin() -> None:
    """With children that nobody waits for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(600)


def log() -> None:
    """More than anybody reads."""
    while True:
        os.write(2, b"again and again\n" * 4096)


def close_stdout() -> None:
    """And go on running."""
    os.closerange(3, 64)
    os.close(1)
    time.sleep(60)


WAYS = {
    "heap": lambda: bytearray(1 << 30),
    "children": children,
    "file": large_file,
    "spin": spin,
    "log": log,
    "close": close_stdout,
    "exit": lambda: os._exit(7),
    "large-exit": lambda: os._exit(200),
    "abort": os.abort,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "foreign": lambda: ctypes.CDLL(None).syscall(0x40000000 + 39),
}
run(choose, name="over")
