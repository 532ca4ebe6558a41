"""Shortages of the host when a bot is started. They are never the bot's fault."""

from __future__ import annotations

import errno
import os

from arena.errors import HostError

SHORTAGES = {
    errno.EMFILE: "this process may not open more files; raise its limit (ulimit -n)",
    errno.ENFILE: "the host may not open more files; raise its limit (sysctl fs.file-max)",
    errno.EAGAIN: "no more processes may be started; raise the limit of the user (ulimit -u) or "
    "of the container",
    errno.ENOMEM: "the host is out of memory; have fewer bots at a time",
    errno.ECHILD: "its keeper was killed; see the host's log",
}
"""What the host lacks to start any program, by errno, and what to do about it."""


def cannot_start(number: int) -> HostError:
    """Return the error for a bot's start that failed with this errno."""
    return HostError(f"cannot start a bot: {SHORTAGES.get(number) or os.strerror(number)}")
