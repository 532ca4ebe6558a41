"""All actions of Gang de Castors in canonical order, built once at import."""

from __future__ import annotations

from arena.games.castors.cards import ROW, SWAP
from arena.games.game import Action

_TAKES = tuple(("take", p) for p in range(ROW))
_KEEPS = tuple(("keep", p) for p in range(ROW))
_PEEKS = tuple(("peek", p) for p in range(ROW))
DRAW_ONE, DISCARD, REJECT = ("draw",), ("discard",), ("reject",)
CALL, WAIT = ("call",), ("wait",)


def _swaps(seats: int, seat: int) -> list[Action]:
    others = [other for other in range(seats) if other != seat]
    return [("swap", p, other, q) for p in range(ROW) for other in others for q in range(ROW)]


CARD_ACTIONS = {
    seats: [
        [
            *[[DISCARD, *_KEEPS]] * SWAP,
            [DISCARD, *_swaps(seats, seat)],
            [DISCARD, *_PEEKS],
            [DISCARD, DRAW_ONE],
        ]
        for seat in range(seats)
    ]
    for seats in range(2, 7)
}
"""The actions that a drawn card allows, `reject` apart: by number of seats, seat and card."""
TURN_ACTIONS: list[Action] = [DRAW_ONE, *_TAKES]
CALL_ACTIONS: list[Action] = [CALL, WAIT]
