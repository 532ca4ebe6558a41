"""Runs of ladders that a server has left which was killed: the next one looks after them."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from pathlib import Path
from typing import Final

STARTED_FOR: Final = "ARENA_SITE_RUN"
"""The environment variable of a run that a site has started; it has the ladder's store."""


class LeftRun:
    """A run that another process of this site has started, as `Popen` has one's own."""

    def __init__(self, pid: int, fd: int) -> None:
        self.pid = pid
        self._fd = fd
        """A descriptor of the process, so that no other with its number is ever meant."""

    def __del__(self) -> None:
        os.close(self._fd)

    def poll(self) -> int | None:
        """Return None while it runs; how it has ended nobody knows who has not started it."""
        return 0 if self._has_ended(0) else None

    def send_signal(self, sign: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._fd, sign)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; raise `subprocess.TimeoutExpired` if it does not in time."""
        if not self._has_ended(timeout):
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return 0

    def _has_ended(self, timeout: float | None) -> bool:
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return bool(poll.poll(None if timeout is None else timeout * 1000))


def left_run(process: str, store: Path) -> LeftRun | None:
    """Return the process with this number, if a site has started it to play this ladder."""
    try:
        fd = os.pidfd_open(int(process))
    except (OSError, ValueError):
        return None
    found = LeftRun(int(process), fd)
    try:
        environment = Path(f"/proc/{found.pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return found if os.fsencode(f"{STARTED_FOR}={store}") in environment else None
