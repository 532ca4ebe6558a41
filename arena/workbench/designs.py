"""The two designs of a comparison: who sits where in the games of a deal, and what it shows.

In a *swap* the new bot plays one copy of a deal and the old bot another, in the same seat among
the same opponents. At *one table* both sit, and everybody plays every hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Literal, TypeAlias

from arena.games.deal import DealStream, derived_key
from arena.records.game_record import rotated
from arena.referee.deals import BlockDeals

SEATING = b"arena compare 1"
NEW, OLD = 0, 1
"""The numbers of the two that are compared; those of the field follow."""
PILOT = 40
"""How many deals of each design are played to choose one of them."""

LEAST_VARIANCE = 1e-6
"""Taken for the variance of differences that are all the same."""

Design: TypeAlias = Literal["swap", "table"]
DESIGNS: tuple[Design, ...] = ("swap", "table")


@dataclass(frozen=True)
class Seating:
    """Who sits where in each game of a deal, by number."""

    design: Design
    games: tuple[tuple[int, ...], ...]

    @property
    def seats(self) -> int:
        """The size of the table."""
        return len(self.games[0])


@dataclass(frozen=True)
class SeatDifference:
    """What the new bot and the old one had of their opponents in one seat of a deal."""

    seat: int
    new: float
    old: float

    @property
    def difference(self) -> float:
        """By how much the new bot did better."""
        return self.new - self.old


def opponents(design: Design, seats: int) -> int:
    """Return how many bots of the field sit at a table of this size."""
    return seats - (1 if design == "swap" else 2)


def sizes(design: Design, players: Sequence[int], field: int) -> tuple[int, ...]:
    """Return the sizes of tables that this many bots of the field can fill."""
    return tuple(size for size in players if size >= 2 and opponents(design, size) <= field)


def seating(design: Design, deals: BlockDeals, tables: Sequence[int], field: int) -> Seating:
    """Draw the table of a deal: its size, who of the field sits there, and where all sit.

    It follows from the deal's key, so no deal depends on how the others went.
    """
    stream = DealStream(derived_key(SEATING, deals.key))
    size = _shuffled(stream, list(tables), 0)[0]
    others = _shuffled(stream, list(range(OLD + 1, OLD + 1 + field)), 1)
    seats = _shuffled(stream, list(range(size)), 2)
    if design == "table":
        members = [NEW, OLD, *others[: size - 2]]
        order = [members[at] for at in seats]
        return Seating(design, tuple(tuple(rotated(order, each)) for each in range(size)))
    table = others[: size - 1]
    table.insert(seats[0], NEW)
    return Seating(design, (tuple(table), tuple(OLD if bot == NEW else bot for bot in table)))


def by_seat(seating: Seating, shares: Sequence[Sequence[float]]) -> list[SeatDifference]:
    """Return the differences of a deal, given what each seat had in each of its games."""
    had: dict[int, dict[int, float]] = {NEW: {}, OLD: {}}
    for bots, game in zip(seating.games, shares, strict=True):
        for seat, (bot, share) in enumerate(zip(bots, game, strict=True)):
            if bot in had:
                had[bot][seat] = share
    return [SeatDifference(seat, had[NEW][seat], had[OLD][seat]) for seat in sorted(had[NEW])]


def difference(found: Sequence[SeatDifference]) -> float:
    """Return the difference of a deal, in [-1, 1]."""
    return fmean(each.difference for each in found)


def information(differences: Sequence[float], games: int) -> float:
    """Return the information that these deals had per game: the squared mean in deviations."""
    mean, variance = fmean(differences), pvariance(differences)
    return mean * mean / max(variance, LEAST_VARIANCE) * len(differences) / games


def _shuffled(stream: DealStream, cards: list[int], label: int) -> list[int]:
    stream.shuffle(cards, label)
    return cards
