"""What a seat can know in Gargon: the won piles, and the cards that were not shown yet."""

from __future__ import annotations

from arena_sdk.gargon import Fought, View, Won, events

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from typing import Any


class Knowledge:
    """Follows the events of one game; `won` has every seat's pile of won cards."""

    def __init__(self, seats: int) -> None:
        self.won: list[list[int]] = [[] for _ in range(seats)]

    def hear(self, told: list[dict[str, Any]]) -> None:
        """Process the events since the last call."""
        for event in events(told):
            if isinstance(event, Won):
                self.won[event.seat] += event.cards
            elif isinstance(event, Fought) and event.winner >= 0:
                winner = event.winner
                self.won[winner].append(event.cards[event.seats.index(winner)])

    def unseen(self, view: View) -> list[list[int]]:
        """Return, colour by colour, the values that other seats hold or that are in the stacks."""
        left = [[0, *range(16)] for _ in range(6)]
        seen = view.hand + view.discards
        for cards in (*self.won, *(cards or () for cards in view.table)):
            seen = seen + list(cards)
        for card in seen:
            left[card >> 4].remove(card & 15)
        return left


def below(values: list[int], value: int) -> float:
    """Return the share of `values` that `value` beats; 1 if there are none."""
    return sum(other < value for other in values) / len(values) if values else 1.0
