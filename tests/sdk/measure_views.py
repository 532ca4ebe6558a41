"""Measure the bundled bots beside those of another checkout, in turns, under the same referee.

    git worktree add ../before d8d9618
    python tests/sdk/measure_views.py ../before [BOT...]

The games of a deal are played at a table of four, by the bot of the other checkout in all seats and
by that of this one, in turns. All play on one core, as in matches, one after the other. So the time
of a game is the CPU time of the referee and the bots together, whatever else the machine does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from time import clock_gettime_ns, process_time_ns

from arena.discovery import discover
from arena.process.placement import on_one_core
from arena.process.program import Program
from arena.programs.spec import BotSpec
from arena.referee.deals import Deals
from arena.referee.faults import Fault
from arena.referee.match import NAME, Match
from arena.referee.player import Player
from arena.referee.roster import Roster
from arena.referee.terms import Terms

HERE = Path(__file__).parents[2]
SOURCES = ("bots", "protocol/python", ".")
"""Where the packages lie in a checkout that bots import."""
STARTS = 20
"""How often the bots are started anew: where their memory lies makes them faster or slower."""
WARM_UP, DEALS = 2, 8
"""Deals of such a start before anything is measured, and those that are."""
SEATS = 4
PROCESS_CLOCK = 2
"""The kernel's number of the clock for the CPU time of all threads of a process."""
SEARCH = "gargon-search"
"""It thinks until its time is over, unless it is told for how many iterations."""


def main(before: Path, names: Sequence[str]) -> None:
    """Print a line for each bot: games a second of both, and how they compare."""
    print("bot                   before, games/s   after, games/s   after/before   95 %")
    for name in names:
        with on_one_core() as core:
            measure(name, before, core)


def bundled() -> Iterator[str]:
    """Yield the bundled bots that may change."""
    for name in discover().bots:
        if not name.endswith("-reference"):
            yield name


def measure(name: str, before: Path, core: int) -> None:
    """Print how fast a bot is."""
    times: list[list[int]] = [[], []]
    for _ in range(STARTS):
        with ExitStack() as stack:
            tables = [Seated(stack, of(place.resolve(), name), core) for place in (before, HERE)]
            spent = [0, 0]
            for number in range(WARM_UP + DEALS):
                for which in (0, 1) if number % 2 else (1, 0):
                    took = tables[which].play()
                    spent[which] += took if number >= WARM_UP else 0
            for which in (0, 1):
                times[which].append(spent[which])
    logs = [log(a / b) for a, b in zip(*times, strict=True)]
    half = 2.1 * stdev(logs) / sqrt(STARTS)
    low, ratio, high = (exp(mean(logs) + each) for each in (-half, 0, half))
    speeds = (SEATS * DEALS * STARTS / sum(each) * 1e9 for each in times)
    print(name.ljust(20), *(f"{each:15.1f}" for each in speeds), end="")
    print(f"{ratio:15.3f}   {low:.3f} to {high:.3f}", flush=True)


def of(checkout: Path, name: str) -> BotSpec:
    """Return a bundled bot as it is in a checkout."""
    bot = discover().bots[name]
    path = ":".join(str(checkout / place) for place in SOURCES)
    words = ("--iterations", "20") if name == SEARCH else ()
    run = ("env", f"PYTHONPATH={path}", *bot.run, *words)
    return BotSpec(name=name, run=run, folder=bot.folder, games=bot.games)


class Seated:
    """A table at which a bot sits in all seats, with processes that play one deal after another."""

    def __init__(self, stack: ExitStack, bot: BotSpec, core: int) -> None:
        game = discover().games[bot.games[0]]
        terms = Terms(game, game.rules({}))
        roster = stack.enter_context(Roster([bot] * SEATS, terms, core=core))
        self._clocks = [clock_of(roster.player(number)) for number in range(SEATS)]
        self._blocks = Match(roster, Deals.of(b"views", NAME)).blocks(SEATS * (WARM_UP + DEALS))

    def play(self) -> int:
        """Play the games of the next deal; return their nanoseconds."""
        began = self._now()
        for game in next(self._blocks).games:
            assert not game.played.faults, game.played.faults[0]
        return self._now() - began

    def _now(self) -> int:
        return process_time_ns() + sum(map(clock_gettime_ns, self._clocks))


def clock_of(player: Player | Fault) -> int:
    """Return the kernel's number of the clock for the CPU time of a bot's process."""
    assert isinstance(player, Player)
    assert isinstance(player.transport, Program)
    return ~player.transport.pid << 3 | PROCESS_CLOCK


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(bundled()))
