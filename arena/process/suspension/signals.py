"""Suspension by signals, for hosts on which no cgroup can be made.

All process groups of a program are stopped and continued. They are looked up each time, and again
when another bot thinks for long. Where the system is not Linux it is the program's own group only.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from arena.machine.system import LINUX
from arena.process.process_tree import descendants
from arena.process.suspension.suspender import Suspender
from arena.sandbox.launch import Launch


class SignalSuspender(Suspender):
    """Suspends one program by SIGSTOP, which cannot be ignored."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self._groups: set[int] = set()
        self._suspended = False

    def suspend(self) -> None:
        self._suspended = True
        self.suspend_strays()

    def resume(self) -> None:
        if self._suspended:
            self._suspended = False
            self._signal(signal.SIGCONT)

    def suspend_strays(self) -> None:
        if self._suspended:
            self._groups |= self._find_groups()
            self._signal(signal.SIGSTOP)

    def _find_groups(self) -> set[int]:
        """Return the process groups, except for the sandbox's own processes, which only wait."""
        if not LINUX:
            return {self.pid}  # what it has put elsewhere runs on
        groups = set()
        for pid in descendants(self.keeper):
            if pid != self.pid or not self.launch.wrappers:
                with suppress(OSError):  # it has ended
                    groups.add(os.getpgid(pid))
        return groups

    def _signal(self, number: signal.Signals) -> None:
        for group in list(self._groups):
            try:
                os.killpg(group, number)
            except OSError:  # all of it has ended
                self._groups.discard(group)
