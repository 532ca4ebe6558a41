"""Chances in a battle: which seats may play a colour, and how often a card of it wins."""

from __future__ import annotations

from math import prod

from arena_bots.gargon.knowledge import below
from arena_sdk.gargon import View

PASSES = 0.25  # assumed probability that a seat that has yet to play will pass
FAVOUR = 1.2  # how much more often than at random a seat plays a colour that it holds


class Rivals:
    """The rivals in each colour, certain or possible, for the seat that is to play.

    `singles[colour]` and `doubles[colour]` list, rival by rival, the probabilities that he has
    at least one and at least two cards of the colour on the table. The backs on the table show
    this for seats that have played. For the others it is estimated from the backs of their
    hands and the shape.
    """

    def __init__(self, view: View, shape: list[int]) -> None:
        me, starter = view.seat, view.starter
        seats = len(view.hands)
        turn = (me - starter) % seats
        self.singles: list[list[float]] = [[] for _ in range(6)]
        self.doubles: list[list[float]] = [[] for _ in range(6)]
        for seat in range(seats):
            if seat == me:
                continue
            waits = (seat - starter) % seats > turn
            counts = view.hands[seat] if waits else view.played[seat]
            for colour, count in enumerate(counts):
                if count and waits:
                    single, double = _chances(counts, colour, shape)
                elif count:
                    single, double = 1.0, float(count > 1)
                else:
                    continue
                self.singles[colour].append(single)
                self.doubles[colour].append(double)

    def wins(self, value: int, colour: int, unseen: list[int]) -> float:
        """Return how often a card wins as the highest of its colour that this seat plays."""
        beats = below(unseen, value) if value else 0.0
        return prod(
            (1 - single) + (single - double) * beats + double * beats * beats
            for single, double in zip(self.singles[colour], self.doubles[colour], strict=True)
        )

    def wins_behind(self, value: int, colour: int, unseen: list[int]) -> float:
        """Return how often a card wins after the first battle, behind a higher one played."""
        beats = below(unseen, value) if value else 0.0
        return prod((1 - double) + double * beats for double in self.doubles[colour])


def _chances(counts: list[int], colour: int, shape: list[int]) -> tuple[float, float]:
    """Return how often a seat with these backs will play one, and two, cards of a colour."""
    cards = sum(counts)
    needed = sum(shape)
    if cards < needed:
        return 0.0, 0.0
    if 2 not in shape:
        share = min(0.9, FAVOUR * needed * counts[colour] / cards)
        return (1 - PASSES) * share, 0.0
    held = [max(0, count - 1) for count in counts]
    pairs = held[colour] / sum(held) if sum(held) else 0.0
    others = min(0.9, FAVOUR * (needed - 2) * counts[colour] / cards)
    return (1 - PASSES) * (pairs + (1 - pairs) * others), (1 - PASSES) * pairs
