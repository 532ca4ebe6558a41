"""The figures of a ladder by machine, and which machine stands out. Pure.

They come from what lies beside the log. Machines are compared by the same bots: a machine that
plays slow bots is not slow for that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import erfc, exp, log, sqrt

from arena.records.entries import BlockPlayed, Form
from arena.records.game_record import rotated
from arena.records.times import BlockTimes

HOST = "this host"
"""What played blocks without the name of a machine."""
SLOW = 1.25
"""How many times as long decisions may take as elsewhere before a machine stands out."""
ENOUGH = 200
"""Decisions of a bot on a machine from which its pace is taken."""
DOUBT = 0.001
"""The chance with which stalls or faults as many as these come up by themselves."""


class MachineFigures(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What a machine did for a ladder."""

    machine: str
    blocks: int
    games: int
    decisions: int
    ms_a_decision: float
    pace: float | None
    """Its time for a decision over that of the others, for the same bots; None if too few."""
    slowest_ms: float
    stalls: int
    """Attempts at blocks that were broken off."""
    faults: int
    starts: int
    compared: int
    """Its blocks that another machine played as well."""
    differed: int
    """Blocks in which it was another than this host, twice."""
    stands_out: str
    """Why it should be looked at; empty if it should not."""


@dataclass
class _Tally:
    """What is counted of a machine."""

    blocks: int = 0
    games: int = 0
    decisions: int = 0
    micros: int = 0
    slowest: int = 0
    stalls: int = 0
    faults: int = 0
    starts: int = 0
    compared: int = 0
    differed: int = 0
    by_bot: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Decisions and microseconds of each contestant."""


def machine_figures(
    blocks: Iterable[tuple[BlockPlayed, BlockTimes | None]],
) -> list[MachineFigures]:
    """Return the figures of all machines that played these blocks, by name."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for entry, times in blocks:
        if times is None:
            continue
        tally = tallies[times.machine or HOST]
        _count(tally, entry, times)
        for comparison in times.compared:
            tally.compared += 1
            tallies[comparison.machine].compared += 1
            for wrong in comparison.wrong:
                tallies[wrong].differed += 1
    return [_figures(name, tallies) for name in sorted(tallies)]


def _count(tally: _Tally, entry: BlockPlayed, times: BlockTimes) -> None:
    tally.blocks += 1
    tally.games += len(entry.games)
    tally.stalls += len(times.attempts)
    tally.starts += times.starts
    for rotation, (game, measured) in enumerate(zip(entry.games, times.games, strict=False)):
        tally.faults += len(game.faults)
        failed = {fault.seat for fault in game.faults}
        seated = rotated(entry.contestants, rotation)
        for seat, (bot, pace) in enumerate(zip(seated, measured.paces, strict=False)):
            tally.decisions += pace.decisions
            tally.micros += pace.micros
            tally.slowest = max(tally.slowest, pace.slowest)
            if seat not in failed:
                mine = tally.by_bot[bot]
                mine[0] += pace.decisions
                mine[1] += pace.micros


def _figures(name: str, tallies: dict[str, _Tally]) -> MachineFigures:
    tally = tallies[name]
    others = [each for other, each in tallies.items() if other != name]
    pace = _pace(tally, others)
    reasons = []
    if tally.differed:
        reasons.append(f"{tally.differed} results were not those of this host")
    if pace is not None and pace > SLOW:
        reasons.append(f"decisions take {pace:.2f} times as long as elsewhere")
    for what, mine, theirs in (
        ("stalls", tally.stalls, sum(each.stalls for each in others)),
        ("faults", tally.faults, sum(each.faults for each in others)),
    ):
        games = sum(each.games for each in others)
        if _more(mine, tally.games, theirs, games):
            reasons.append(f"{mine} {what} in {tally.games} games, elsewhere {theirs} in {games}")
    return MachineFigures(
        machine=name,
        blocks=tally.blocks,
        games=tally.games,
        decisions=tally.decisions,
        ms_a_decision=tally.micros / 1000 / tally.decisions if tally.decisions else 0.0,
        pace=pace,
        slowest_ms=tally.slowest / 1000,
        stalls=tally.stalls,
        faults=tally.faults,
        starts=tally.starts,
        compared=tally.compared,
        differed=tally.differed,
        stands_out="; ".join(reasons),
    )


def _pace(tally: _Tally, others: Iterable[_Tally]) -> float | None:
    """Return the mean ratio of times for a decision, over bots, weighed by decisions."""
    elsewhere: dict[int, Counter[str]] = defaultdict(Counter)
    for other in others:
        for bot, (decisions, micros) in other.by_bot.items():
            elsewhere[bot]["decisions"] += decisions
            elsewhere[bot]["micros"] += micros
    total = weight = 0.0
    for bot, (decisions, micros) in tally.by_bot.items():
        there = elsewhere[bot]
        few = decisions < ENOUGH or there["decisions"] < ENOUGH
        if few or not micros or not there["micros"]:
            continue
        ratio = (micros / decisions) / (there["micros"] / there["decisions"])
        total += decisions * log(ratio)
        weight += decisions
    return exp(total / weight) if weight else None


def _more(mine: int, games: int, theirs: int, other_games: int) -> bool:
    """Whether these are more than elsewhere, beyond chance.

    Given the sum of both, the number here is binomial; this takes its normal approximation, with
    a correction for continuity.
    """
    if not games or not other_games or not mine:
        return False
    share = games / (games + other_games)
    expected = (mine + theirs) * share
    spread = sqrt(expected * (1 - share))
    return mine > expected and 0.5 * erfc((mine - 0.5 - expected) / spread / sqrt(2)) < DOUBT
