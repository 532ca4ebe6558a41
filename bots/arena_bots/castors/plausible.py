"""What a hidden card is likely to be: by who knows it, and how it came where it lies.

The figures are those of many games between sensible bots. An action card in a row counts
as five points, the mean of the value cards, since one of them takes its place in the end.
"""

from __future__ import annotations

from typing import Any

NINE = 9
ROW = 4
MEAN = 5.0

UNSEEN, HELD, KEPT, STOLEN, GIVEN = range(5)
"""A card that nobody has seen; one that its owner knows and has left where it was; one that he
drew and kept; one that he took from somebody who had kept it; one that somebody got rid of."""

SAID = ("that nobody has seen", "that stayed", "that was kept", "kept by another", "given away")
"""The same in words, for notes."""


def origin(known_by: int, holder: int, kept: bool) -> int:
    """How a card came where it lies, from what everybody has seen."""
    if known_by >> holder & 1:
        return KEPT if kept else HELD
    if known_by:
        return STOLEN if kept else GIVEN
    return UNSEEN


def likely(came: int, laps: float) -> float:
    """The points of a hidden card; who had time to replace it and did not has a low one."""
    if came == HELD:
        return max(3.5, 4.7 - 0.25 * laps)
    if came == KEPT:
        return max(2.2, 2.9 - 0.15 * laps)
    return 2.9 if came == STOLEN else 6.4 if came == GIVEN else 4.95


def origins(view: dict[str, Any]) -> list[int]:
    """How every card came where it lies; position p of seat s is at 4 s + p."""
    return [
        origin(known_by, seat, kept)
        for seat in range(len(view["rows"]))
        for known_by, kept in zip(view["known_by"][seat], view["kept"][seat], strict=True)
    ]


def estimates(view: dict[str, Any]) -> list[float]:
    """What the cards of all rows are worth: as seen, or as is likely."""
    laps = view["moves"] / len(view["rows"])
    cards = [card for row in view["rows"] for card in row]
    return [
        likely(came, laps) if card < 0 else card if card <= NINE else MEAN
        for card, came in zip(cards, origins(view), strict=True)
    ]


def odds(view: dict[str, Any]) -> list[float]:
    """How likely each card is to be the next of the pile, from all that are not yet seen."""
    pool = view["pools"][-1]
    total = sum(pool)
    return [count / total for count in pool] if total else [0.0] * len(pool)
