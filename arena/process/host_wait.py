"""How much of a decision's time was the host's: time that must not be charged to a bot.

The kernel counts, for every thread, the time in which it was runnable but waited for a core
(`/proc/<pid>/task/<tid>/schedstat`). A bot must not gain by making its own threads, its children
or an accomplice at the table compete for the core. So over a decision no more is credited than

1. the longest time that a thread of the program, and the referee itself, waited for a core,
2. the time in which nothing of the program ran,
3. the time that others took of the core: the time that has passed, less the time in which the
   core was idle, less all that ran of the game, which is the referee and every program at the
   table with all that it has started.

The third bound is what a bot cannot move. Whatever its processes take of the core is subtracted
again, in whatever order they sleep, compete and end. So it gains nothing on a quiet host, and on a
busy one no more than a bot that waits for the core honestly. The kernel's own work on a bot's
behalf, such as writing its files back, counts as that of others: that much is left.

The figures are taken at short intervals, so that what ends in between is lost for one interval
only. The kernel adds a wait to a thread's figure when it ends; so the bounds hold for sums over the
decision, not for each interval.

Time in which the referee itself was stopped is credited whole, less what the program ran meanwhile.

All this needs the CPU time of a program counted in full, that of processes that have ended without
a trace included. Control groups do that. Without them only two things are credited: what a
hypervisor took of the core, and stops of the referee that are so long that no program can be their
cause.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.process.process_tree import descendants

CpuCounter: TypeAlias = Callable[[], int]
"""Returns the CPU time in nanoseconds of a program and all that it has ever started."""
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
"""The resolution of the kernel's figures about a core."""
IDLE, IOWAIT, STEAL = 4, 5, 8
"""Places of the figures in a core's line of `/proc/stat`, after its name."""
AWAY_NS = 50_000_000
"""Who neither ran nor waited for a core for longer than this in an interval was stopped."""
STOPPED_NS = 500_000_000
"""Likewise where CPU time is not counted: what a program did meanwhile cannot be told."""


class Seated:
    """The programs that play a game: what they use of the core is not the host's."""

    def __init__(self) -> None:
        self._counters: list[CpuCounter] | None = []
        self._counted: list[int] = []

    def sit(self, counters: Sequence[CpuCounter | None]) -> None:
        """Take note of the programs of the next game; None is one whose time is not counted."""
        counted = [counter for counter in counters if counter is not None]
        self._counters = counted if len(counted) == len(counters) else None
        self._counted = [0] * len(counted)

    def cpu_ns(self) -> int | None:
        """The CPU time of all of them in nanoseconds; None if not all of it is counted.

        It never becomes less: what a program has used stays counted when it ends, and its group
        with it. Else an accomplice that ends would make it look as if others had used the core.
        """
        if self._counters is None:
            return None
        for at, counter in enumerate(self._counters):
            self._counted[at] = max(self._counted[at], counter())
        return sum(self._counted)


@dataclass(frozen=True)
class _Core:
    """What the cores have done that this process may use, in nanoseconds since the host started."""

    idle: int
    stolen: int

    @classmethod
    def now(cls, cores: frozenset[int]) -> _Core:
        idle = stolen = 0
        with open("/proc/stat", "rb") as file:
            for line in file:
                name, *figures = line.split()
                if not name.startswith(b"cpu"):
                    break
                if name[3:] and int(name[3:]) in cores:
                    numbers = [0, *map(int, figures)]
                    idle += numbers[IDLE] + numbers[IOWAIT]
                    stolen += numbers[STEAL]
        return cls(idle * TICK_NS, stolen * TICK_NS)


@dataclass(frozen=True)
class _Look:
    """What is known of a program and of the referee at one moment, in nanoseconds."""

    time: int
    own_cpu: int
    own_wait: int
    ran: int | None
    """The CPU time of the program; None if it is not counted in full."""
    game: int | None
    """The CPU time of the referee and of all programs at the table; None likewise."""
    waits: dict[str, int]
    """How long each thread of the program has waited for a core."""
    core: _Core


class HostWait:
    """Measures from its making on; `seconds` is to be called at short intervals."""

    def __init__(self, keeper: int, counter: CpuCounter | None, seated: Seated) -> None:
        self._keeper = keeper
        self._counter = counter
        self._seated = seated
        self._cores = frozenset(os.sched_getaffinity(0))
        self._last = self._began = self._look()
        self._waited = self._idle = self._others = self._stopped = 0

    def seconds(self) -> float:
        """Return the seconds that were the host's so far, looking at the last interval now."""
        look = self._look()
        last, self._last = self._last, look
        passed = look.time - last.time
        waited = look.own_wait - last.own_wait
        away = passed - waited - (look.own_cpu - last.own_cpu)
        if look.ran is None or last.ran is None:
            self._stopped += passed if away > STOPPED_NS else 0
        elif away > AWAY_NS:
            self._stopped += max(0, away - (look.ran - last.ran))
        else:
            threads = (wait - last.waits.get(tid, 0) for tid, wait in look.waits.items())
            waited += max(threads, default=0) + look.core.stolen - last.core.stolen
            ran = look.ran - last.ran + look.own_cpu - last.own_cpu
            self._waited += waited
            self._idle += passed - ran
            if look.game is not None and last.game is not None:
                busy = passed * len(self._cores) - (look.core.idle - last.core.idle)
                self._others += busy - (look.game - last.game)
        if look.ran is None or look.game is None:
            credit = look.core.stolen - self._began.core.stolen
        else:
            # Idle time comes in ticks: up to one more may have passed than the kernel says.
            credit = max(0, min(self._waited, self._idle, self._others - TICK_NS))
        return (credit + self._stopped) / 1e9

    @property
    def stopped(self) -> float:
        """The seconds of them in which the referee itself was stopped."""
        return self._stopped / 1e9

    def _look(self) -> _Look:
        seated = self._seated.cpu_ns()
        ran = None if self._counter is None else self._counter()
        waits: dict[str, int] = {}
        for pid in descendants(self._keeper) if ran is not None else ():
            try:
                for tid in os.listdir(f"/proc/{pid}/task"):
                    waits[tid] = _wait_of(f"/proc/{pid}/task/{tid}")
            except OSError:
                continue  # it has just ended
        return _Look(
            time.monotonic_ns(),
            time.thread_time_ns(),
            _wait_of("/proc/thread-self"),
            ran,
            None if seated is None else seated + time.process_time_ns(),
            waits,
            _Core.now(self._cores),
        )


def _wait_of(task: str) -> int:
    """Return how long a thread was runnable without a core; 0 if the kernel does not tell."""
    try:
        with open(f"{task}/schedstat", "rb") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError):
        return 0
