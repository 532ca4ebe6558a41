"""Seating: who sits where in the games of a deal, one for each rotation of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from arena.games.deal import DealStream
from arena.referee.deals import Deals

T = TypeVar("T")


def rotated(order: Sequence[T], rotation: int) -> list[T]:
    """Return who sits where in a game of a deal; each rotation moves everybody by one seat."""
    size = len(order)
    return [order[(seat + rotation) % size] for seat in range(size)]


def draw_order(deals: Deals, block: int, seats: int) -> list[int]:
    """Draw the order in which bots sit down to a deal; it follows from the secret."""
    order = list(range(seats))
    DealStream(deals.secret, f"{deals.ladder} seating", block).shuffle(order)
    return order
