"""What a sandbox costs: the start of a bot and the round trip to it, beside the bare ones.

All four are measured in turn in one run, for the load of a machine changes from one to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from time import perf_counter

from arena.bench.referee import ROUNDS, record_script, replay_script, started
from arena.process.limits import Limits
from arena.process.placement import on_one_core
from arena.process.sandbox import UNCONFINED, Sandbox
from arena.referee.match import Match
from arena.referee.roster import Roster


@dataclass(frozen=True)
class SandboxCost:
    """Medians: milliseconds from nothing to the hello, microseconds of a round trip."""

    label: str
    starts: int
    decisions: int
    bare_start_ms: float
    start_ms: float
    bare_trip_us: float
    trip_us: float

    @property
    def more_ms(self) -> float:
        """What the sandbox adds to a start."""
        return self.start_ms - self.bare_start_ms

    @property
    def ratio(self) -> float:
        """How many times the bare round trip's time one through the sandbox takes."""
        return self.trip_us / self.bare_trip_us


def measure(
    match: Match, sandbox: Sandbox, limits: Limits, arena: str, *, games: int, starts: int
) -> SandboxCost:
    """Start the first bot so many times each way, and send the frames of games to all."""
    bare_starts, sandboxed_starts, bare_trips, trips = [], [], [], []
    with on_one_core() as core:
        for _ in range(starts):
            bare_starts.append(_start(match, UNCONFINED, limits, core, arena))
            sandboxed_starts.append(_start(match, sandbox, limits, core, arena))
        script = record_script(match, games, core, arena)
        decisions = sum(frame.answered for frame in script)
        for _ in range(ROUNDS):
            bare_trips.append(replay_script(match, core, arena, script))
            trips.append(replay_script(match, core, arena, script, sandbox, limits))
    return SandboxCost(
        label=sandbox.label,
        starts=starts,
        decisions=decisions,
        bare_start_ms=median(bare_starts) * 1e3,
        start_ms=median(sandboxed_starts) * 1e3,
        bare_trip_us=median(bare_trips) / decisions * 1e6,
        trip_us=median(trips) / decisions * 1e6,
    )


def _start(match: Match, sandbox: Sandbox, limits: Limits, core: int, arena: str) -> float:
    """Seconds from nothing to the first bot's hello."""
    with Roster(
        match.bots[:1],
        match.game,
        match.control,
        arena=arena,
        core=core,
        sandbox=sandbox,
        limits=limits,
    ) as roster:
        began = perf_counter()
        started(roster, 0)
        return perf_counter() - began
