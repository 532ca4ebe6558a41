"""What the points in Gargon are made of: by colour, amulets times zeros, and a majority."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from arena.games.gargon.cards import COLOUR_SHIFT, COLOURS, HIGHEST, MOST, TIED
from arena.games.score_parts import ScorePart


def parts(piles: Sequence[Sequence[int]], amulets: Sequence[int]) -> list[list[ScorePart]]:
    """Return the parts of the points of each pile, colour by colour; they add up to `score`."""
    return _parts(tuple(map(tuple, piles)), tuple(amulets))


@lru_cache(maxsize=8)
def _parts(piles: Sequence[Sequence[int]], amulets: Sequence[int]) -> list[list[ScorePart]]:
    """Return the parts; all who look at a game ask for those of the same piles."""
    worth = (0, *amulets, 0, 0, 0)
    counted = []
    for pile in piles:
        found = [[0, 0, 0] for _ in COLOURS]
        for card in pile:
            of_colour = found[card >> COLOUR_SHIFT]
            value = card & HIGHEST
            of_colour[0] += 1
            of_colour[1] += worth[value]
            of_colour[2] += not value
        counted.append(found)
    bonuses = []
    for column in zip(*counted, strict=True):
        sizes = [size for size, _, _ in column]
        most = max(sizes)
        bonus = MOST if sizes.count(most) == 1 else TIED
        bonuses.append([bonus if size == most and size else 0 for size in sizes])
    return [
        [
            _part(colour, size, amount, zeros, bonuses[colour][seat])
            for colour, (size, amount, zeros) in enumerate(found)
        ]
        for seat, found in enumerate(counted)
    ]


@cache
def _part(colour: int, size: int, amulets: int, zeros: int, bonus: int) -> ScorePart:
    how = f"{amulets}×{1 << zeros}" if zeros else str(amulets)
    how += f"+{bonus}" if bonus else ""
    return ScorePart(COLOURS[colour], (amulets << zeros) + bonus, how if size else "")
