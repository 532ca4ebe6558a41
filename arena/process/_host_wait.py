"""Measure how long the host kept a program from running, which must not be charged to it.

For every thread, the kernel counts the time that it was runnable but waited for a core
(`/proc/<pid>/task/<tid>/schedstat`). The wait of the referee counts too, since it delays
reading the answer. A program cannot gain by making its own threads and children compete, or
by keeping the referee busy: at most the time is deducted in which neither the referee ran nor
anything under the program's keeper. All that the program starts stays under its keeper,
daemons included. If the program has a control group, that counts the time that ran; it
includes processes for which nobody has waited.
"""

from __future__ import annotations

import os
import time

from arena.process._usage import cpu_ns
from arena.process.process_tree import descendants
from arena.sandbox.control_groups import Cell


class HostWait:
    """Measures the wait of all that runs under this keeper, from its creation on."""

    def __init__(self, keeper: int, cell: Cell | None = None) -> None:
        self._keeper = keeper
        self._cell = cell
        self._started = time.monotonic_ns()
        self._own = _wait_of("/proc/thread-self")
        self._ran, self._waits = self._look()

    def seconds(self) -> float:
        """Return how long the program, or its answer, waited for a core while nothing of it ran."""
        own = _wait_of("/proc/thread-self") - self._own
        ran, waits = self._look()
        waited = max((wait - self._waits.get(tid, 0) for tid, wait in waits.items()), default=0)
        idle = time.monotonic_ns() - self._started - (ran - self._ran)
        return max(0, min(waited + own, idle)) / 1e9

    def _look(self) -> tuple[int, dict[str, int]]:
        """Return the nanoseconds that program and referee ran, and that each thread waited."""
        ran = time.thread_time_ns() + (self._cell.cpu_ns if self._cell else 0)
        waits: dict[str, int] = {}
        for pid in descendants(self._keeper):
            try:
                ran += 0 if self._cell else cpu_ns(pid)
                for tid in os.listdir(f"/proc/{pid}/task"):
                    waits[tid] = _wait_of(f"/proc/{pid}/task/{tid}")
            except OSError:
                continue  # it has just ended
        return ran, waits


def _wait_of(task: str) -> int:
    """Return how long a thread was runnable without a core; 0 if the kernel does not tell."""
    try:
        with open(f"{task}/schedstat", "rb") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError):
        return 0
