"""The balance of a schedule: how equally it treats the contestants, counted from its blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.ladder.schedule import Pairing


@dataclass(frozen=True)
class Span:
    """The smallest and the largest of counts that should be equal."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


@dataclass(frozen=True)
class SizeBalance:
    """What was scheduled at tables of one size."""

    size: int
    blocks: int
    games: int
    games_each: Span
    """Games of each contestant."""
    games_in_seat: Span
    """Games of each contestant in each seat."""
    meetings: Span
    """Blocks that each pair of contestants plays together."""


def balance(pairings: Iterable[Pairing], contestants: Sequence[int]) -> list[SizeBalance]:
    """Count, by table size, how often each contestant plays and how often each pair meets."""
    blocks: Counter[int] = Counter()
    each: Counter[tuple[int, int]] = Counter()
    seats: Counter[tuple[int, int, int]] = Counter()
    met: Counter[tuple[int, frozenset[int]]] = Counter()
    for pairing in pairings:
        size = len(pairing.contestants)
        blocks[size] += 1
        for rotation in range(pairing.games):
            for seat, contestant in enumerate(pairing.seating(rotation)):
                each[size, contestant] += 1
                seats[size, contestant, seat] += 1
        met.update((size, frozenset(pair)) for pair in combinations(pairing.contestants, 2))
    return [
        SizeBalance(
            size,
            count,
            count * size,
            _span(each[size, contestant] for contestant in contestants),
            _span(seats[size, one, seat] for one in contestants for seat in range(size)),
            _span(met[size, frozenset(pair)] for pair in combinations(contestants, 2)),
        )
        for size, count in sorted(blocks.items())
    ]


def _span(counts: Iterable[int]) -> Span:
    values = list(counts)
    return Span(min(values), max(values))
