"""How long the host kept a program from running: time that must not be charged to it.

The kernel counts, for every thread, the time that it was runnable but waited for a core
(`/proc/<pid>/task/<tid>/schedstat`). So it does for the referee, whose own wait for a core
delays the answer that it is to take. A program cannot gain by making its own threads and
children compete, or by keeping the referee busy: what is taken off is at most the time in
which neither the referee ran nor anything under the program's keeper, where everything that
it starts stays, daemons included. Where the program has a control group, that counts what
ran, also what nobody has waited for.
"""

from __future__ import annotations

import os
import time

from arena.process._usage import cpu_ns
from arena.process.process_tree import descendants
from arena.sandbox.control_groups import Cell


class HostWait:
    """Measures from its making on, for all that runs under this keeper."""

    def __init__(self, keeper: int, cell: Cell | None = None) -> None:
        self._keeper = keeper
        self._cell = cell
        self._started = time.monotonic_ns()
        self._own = _wait_of("/proc/thread-self")
        self._ran, self._waits = self._look()

    def seconds(self) -> float:
        """How long the program, or its answer, waited for a core while nothing of it ran."""
        own = _wait_of("/proc/thread-self") - self._own
        ran, waits = self._look()
        waited = max((wait - self._waits.get(tid, 0) for tid, wait in waits.items()), default=0)
        idle = time.monotonic_ns() - self._started - (ran - self._ran)
        return max(0, min(waited + own, idle)) / 1e9

    def _look(self) -> tuple[int, dict[str, int]]:
        """Nanoseconds that it ran, referee included, and that each of its threads waited."""
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
    """How long a thread was runnable without a core; 0 where the kernel does not tell."""
    try:
        with open(f"{task}/schedstat", "rb") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError):
        return 0
