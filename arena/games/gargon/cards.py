"""Gargon's cards: six colours of creatures, and what the cards are worth at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

COLOURS = ("white", "blue", "violet", "red", "yellow", "green")
COLOUR_SHIFT: Final = 4
HIGHEST: Final = 15
CARDS: Final = 6 << COLOUR_SHIFT
"""Cards are below this: `colour * 16 + value`. A colour's two zeros are the same number."""

PACK = tuple(
    colour << COLOUR_SHIFT | value for colour in range(6) for value in (0, *range(HIGHEST + 1))
)
AMULETS = (5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""Amulets on the cards of value 1 to 12."""

MOST: Final = 10
TIED: Final = 5


def name(card: int) -> str:
    """Return a card in words: "red 9"."""
    return f"{COLOURS[card >> COLOUR_SHIFT]} {card & HIGHEST}"


def score(piles: Sequence[Sequence[int]], amulets: Sequence[int]) -> list[int]:
    """Return the points of each pile of won cards: majorities, and amulets doubled by zeros."""
    worth = (0, *amulets, 0, 0, 0)
    points = [0] * len(piles)
    counts = [[0] * 6 for _ in piles]
    for seat, pile in enumerate(piles):
        sums = [0] * 6
        zeros = [0] * 6
        count = counts[seat]
        for card in pile:
            colour = card >> COLOUR_SHIFT
            value = card & HIGHEST
            count[colour] += 1
            if value:
                sums[colour] += worth[value]
            else:
                zeros[colour] += 1
        points[seat] = sum([amount << zero for amount, zero in zip(sums, zeros, strict=True)])
    for column in zip(*counts, strict=True):
        most = max(column)
        if most:
            bonus = MOST if column.count(most) == 1 else TIED
            for seat, amount in enumerate(column):
                if amount == most:
                    points[seat] += bonus
    return points
