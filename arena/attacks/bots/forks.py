"""Starts processes and threads without end, and children that start more."""

import os
import signal
import threading
import time
from collections.abc import Callable

from attempts import add, scene, tell

ENOUGH = 4
"""Attempts go up to this many times what is allowed."""
ALLOWED: int = scene["limits"]["processes"]


def processes(*, grandchildren: bool) -> Callable[[], object]:
    """Return an attempt to run more processes at a time than are allowed."""

    def fork() -> str | None:
        group = os.getpid()
        os.setpgid(0, 0)
        reader, writer = os.pipe()
        begun = 0
        try:
            for _ in range(ENOUGH * ALLOWED):
                child = os.fork()
                if child == 0:
                    live(writer, group if grandchildren else 0)
                begun += 1
        except OSError:
            pass
        time.sleep(0.5)
        os.set_blocking(reader, False)
        try:
            begun = len(os.read(reader, 1 << 16))
        except BlockingIOError:
            begun = 0
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(group, signal.SIGTERM)
        return f"{begun} processes, {ALLOWED} allowed" if begun > ALLOWED else None

    return fork


def live(writer: int, group: int) -> None:
    """Have a child if `group` is set, be counted, and stay."""
    try:
        if group:
            try:
                os.fork()
            except OSError:
                pass
        os.write(writer, b".")
        time.sleep(30)
    finally:
        os._exit(0)


def threads() -> str | None:
    """Try to run more threads at a time than are allowed."""
    end = threading.Event()
    begun = 0
    try:
        for _ in range(ENOUGH * ALLOWED):
            threading.Thread(target=end.wait, daemon=True).start()
            begun += 1
    except RuntimeError:
        pass
    end.set()
    return f"{begun} threads, {ALLOWED} allowed" if begun >= ALLOWED else None


add("a bomb of processes", processes(grandchildren=False))
add("a bomb of processes that have children", processes(grandchildren=True))
add("a bomb of threads", threads)
tell("forks")
