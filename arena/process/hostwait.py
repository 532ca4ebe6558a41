"""How long the host kept a program from running: time that must not be charged to it.

The kernel counts, for every thread, the time that it ran and the time that it was runnable
but waited for a core (`/proc/<pid>/task/<tid>/schedstat`). A program cannot gain by making
its own threads and children compete: what is taken off is at most the time in which
nothing of it ran.
"""

from __future__ import annotations

import os
import time

from arena.process.tree import descendants


class HostWait:
    """Measures from its making on."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._started = time.monotonic()
        self._ran, self._waits = _schedstats(pid)

    def seconds(self) -> float:
        """How long the program was runnable without a core, while nothing of it ran."""
        ran, waits = _schedstats(self._pid)
        waited = max((waits[tid] - self._waits.get(tid, 0) for tid in waits), default=0)
        idle = (time.monotonic() - self._started) * 1e9 - (ran - self._ran)
        return max(0.0, min(waited, idle)) / 1e9


def _schedstats(pid: int) -> tuple[int, dict[str, int]]:
    """Nanoseconds that a program with its descendants ran, and the wait of each thread."""
    ran = 0
    waits: dict[str, int] = {}
    for process in (pid, *descendants(pid)):
        own = process == pid
        tasks = f"/proc/{process}/task"
        try:
            threads = os.listdir(tasks)
        except OSError:
            continue
        for tid in threads:
            try:
                with open(f"{tasks}/{tid}/schedstat", "rb") as file:
                    run, wait, _ = file.read().split()
            except (OSError, ValueError):
                continue
            ran += int(run)
            if own:
                waits[tid] = int(wait)
    return ran, waits
