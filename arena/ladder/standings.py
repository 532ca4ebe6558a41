"""Standings: the contestants by rank, with intervals and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.ladder.rating import Anchor, Standing
from arena.ladder.results import Pace, Totals
from arena.ladder.scorebook import Scorebook
from arena.records.entries import Contestant

ANCHORED_AT = 25.0
DIGITS = 6
"""Decimal places of published figures; the rest may differ from one machine to another."""


@dataclass(frozen=True)
class Row:
    """One contestant in the standings."""

    contestant: Contestant
    active: bool
    """Whether it is still being scheduled; one that was changed or taken out is not."""
    standing: Standing
    totals: Totals
    faults: dict[str, int]
    pace: Pace

    def as_map(self, *, timed: bool = True) -> dict[str, Any]:
        """Return the row as data; without times it is the same in every run of the same ladder."""
        standing = self.standing
        figures: dict[str, Any] = {
            "rank": standing.rank,
            "rank_best": standing.rank_low,
            "rank_worst": standing.rank_high,
            "bot": self.contestant.name,
            "version": self.contestant.version,
            "digest": self.contestant.digest,
            "active": self.active,
            "rating": round(standing.conservative, DIGITS),
            "mu": round(standing.mu, DIGITS),
            "sigma": round(standing.sigma, DIGITS),
            "skill": round(standing.skill, DIGITS),
            "skill_low": round(standing.low, DIGITS),
            "skill_high": round(standing.high, DIGITS),
            "games": self.totals.games,
            "mean_place": round(self.totals.mean_place, DIGITS),
            "share": round(self.totals.share, DIGITS),
            "wins": self.totals.wins,
            "mean_score": round(self.totals.mean_score, DIGITS),
            "faults": dict(sorted(self.faults.items())),
        }
        if timed:
            figures["ms_per_decision"] = round(self.pace.milliseconds, 4)
            figures["slowest_ms"] = round(self.pace.slowest / 1000, 3)
        return figures


def standings(
    book: Scorebook,
    contestants: Sequence[Contestant],
    active: Sequence[int],
    anchor: str | None = None,
) -> list[Row]:
    """Return everybody's row, by rank."""
    return [
        Row(
            contestants[standing.contestant],
            standing.contestant in active,
            standing,
            book.results.total(standing.contestant),
            book.results.faults.get(standing.contestant, {}),
            book.results.paces.get(standing.contestant, Pace()),
        )
        for standing in book.ratings.standings(_anchor(contestants, active, anchor))
    ]


@dataclass(frozen=True)
class TableRow:
    """One contestant at tables of one size, with a skill from the games there alone."""

    size: int
    contestant: Contestant
    skill: float
    low: float
    """The lower end of the 95 % interval of the skill."""
    high: float
    """Its upper end."""
    totals: Totals


def standings_by_table(book: Scorebook, contestants: Sequence[Contestant]) -> list[TableRow]:
    """Return everybody's row at every table size, the best first."""
    from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

    found = []
    for size, tally in sorted(book.tables.items()):
        skills = fit(tally)
        for number in sorted(range(tally.contestants), key=skills.points.__getitem__, reverse=True):
            totals = book.results.total(number, size)
            if totals.games:
                found.append(
                    TableRow(
                        size,
                        contestants[number],
                        skills.points[number],
                        skills.low[number],
                        skills.high[number],
                        totals,
                    )
                )
    return found


def _anchor(
    contestants: Sequence[Contestant], active: Sequence[int], name: str | None
) -> Anchor | None:
    """Return the contestant of this name that plays now, as an anchor."""
    for number, contestant in enumerate(contestants):
        if contestant.name == name and number in active:
            return Anchor(number, ANCHORED_AT)
    return None
