"""Standings: the contestants by rank, with how sure that is and what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.blocks.block import Contestant
from arena.ladder.rating import Anchor, Standing
from arena.ladder.results import Line, Pace
from arena.ladder.scorebook import Scorebook

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
    line: Line
    faults: dict[str, int]
    pace: Pace

    def as_map(self, *, timed: bool = True) -> dict[str, Any]:
        """For programs; without times it is the same in every run of the same ladder."""
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
            "games": self.line.games,
            "mean_place": round(self.line.mean_place, DIGITS),
            "share": round(self.line.share, DIGITS),
            "wins": self.line.wins,
            "mean_score": round(self.line.mean_score, DIGITS),
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
    """Everybody by rank."""
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


def _anchor(
    contestants: Sequence[Contestant], active: Sequence[int], name: str | None
) -> Anchor | None:
    """The contestant of this name that is playing now."""
    for number, contestant in enumerate(contestants):
        if contestant.name == name and number in active:
            return Anchor(number, ANCHORED_AT)
    return None
