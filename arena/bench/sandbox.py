"""What a sandbox costs: a bot's start and a round trip to it, with the sandbox and without.

All four are measured in turn in one run, as the load of a machine changes between runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter

from arena.bench.referee import ROUNDS, record_script, replay_script, started
from arena.process.placement import on_one_core
from arena.programs.spec import BotSpec
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.sandbox import UNCONFINED


@dataclass(frozen=True)
class SandboxCost:
    """Medians: milliseconds from the start to the hello, and microseconds of a round trip."""

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
        """The round trip's time in the sandbox, as a multiple of the bare one's."""
        return self.trip_us / self.bare_trip_us


def measure(bots: Sequence[BotSpec], terms: Terms, *, games: int, starts: int) -> SandboxCost:
    """Start the first bot `starts` times each way, and send the frames of games to all bots."""
    bare = replace(terms, sandbox=UNCONFINED)
    bare_starts, sandboxed_starts, bare_trips, trips = [], [], [], []
    with on_one_core() as core:
        for _ in range(starts):
            bare_starts.append(_start(bots[0], bare, core))
            sandboxed_starts.append(_start(bots[0], terms, core))
        script = record_script(bots, bare, games, core)
        decisions = sum(frame.answered for frame in script)
        for _ in range(ROUNDS):
            bare_trips.append(replay_script(bots, bare, core, script))
            trips.append(replay_script(bots, terms, core, script))
    return SandboxCost(
        label=terms.sandbox.label,
        starts=starts,
        decisions=decisions,
        bare_start_ms=median(bare_starts) * 1e3,
        start_ms=median(sandboxed_starts) * 1e3,
        bare_trip_us=median(bare_trips) / decisions * 1e6,
        trip_us=median(trips) / decisions * 1e6,
    )


def _start(bot: BotSpec, terms: Terms, core: int) -> float:
    """Return the seconds from the start of a bot to its hello."""
    with Roster([bot], terms, core=core) as roster:
        began = perf_counter()
        started(roster, 0)
        return perf_counter() - began
