"""Estimates of hidden cards, from which seats know them and how they came into the row.

The figures are averages of many games between sensible bots. An action card in a row counts
as five points, the mean of the value cards, since a value card replaces it in the end.
"""

from __future__ import annotations

from arena_sdk.castors import NINE, View

MEAN = 5.0

UNSEEN, HELD, KEPT, STOLEN, GIVEN = range(5)
"""A card that nobody has seen; one that its owner knows and has left in place; one that he drew
and kept; one that he took from a player who had kept it; one that another player gave away."""

SAID = ("that nobody has seen", "that stayed", "that was kept", "kept by another", "given away")
"""The origins in words, for notes."""


def origin(known_by: int, holder: int, kept: bool) -> int:
    """Return how a card came into its row, from public information."""
    if known_by >> holder & 1:
        return KEPT if kept else HELD
    if known_by:
        return STOLEN if kept else GIVEN
    return UNSEEN


def likely(came: int, laps: float) -> float:
    """Return the estimated points of a hidden card; a card kept for many laps is lower."""
    if came == HELD:
        return max(3.5, 4.7 - 0.25 * laps)
    if came == KEPT:
        return max(2.2, 2.9 - 0.15 * laps)
    return 2.9 if came == STOLEN else 6.4 if came == GIVEN else 4.95


def origins(view: View) -> list[int]:
    """Return how every card came into its row; position p of seat s is at 4 s + p."""
    return [
        origin(known_by, seat, kept)
        for seat, row in enumerate(zip(view.known_by, view.kept, strict=True))
        for known_by, kept in zip(*row, strict=True)
    ]


def estimates(view: View, seat: int) -> list[float]:
    """Return the points of the cards of a seat's row, estimated for those not seen."""
    laps = view.moves / len(view.rows)
    cards = zip(view.rows[seat], view.known_by[seat], view.kept[seat], strict=True)
    return [
        likely(origin(known_by, seat, kept), laps) if card < 0 else card if card <= NINE else MEAN
        for card, known_by, kept in cards
    ]
