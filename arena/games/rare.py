"""Rare games: how a game leads a program to states that seldom come up in ordinary play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Arrange: TypeAlias = Callable[[list[int]], None]
"""Changes the order of the cards of a deal, in place."""


@dataclass(frozen=True)
class RareGame:
    """A game to be played by the program in one seat, against opponents who play by chance."""

    title: str
    """What is rare about it, in words."""
    seats: int
    seat: int
    rules: Mapping[str, object] = field(default_factory=dict)
    """Those that differ from the defaults."""
    avoided: frozenset[str] = frozenset()
    """Verbs that the opponents use only where nothing else is possible."""
    arrange: Arrange | None = None
    """Stacks the cards at the start of every deal."""


def first_at(place: int, count: int, rank: Callable[[int], int]) -> Arrange:
    """Bring the cards of the lowest rank to so many places from this one on."""

    def arrange(cards: list[int]) -> None:
        chosen = sorted(cards, key=rank)[:count]
        rest = list(cards)
        for card in chosen:
            rest.remove(card)
        cards[:] = [*rest[:place], *chosen, *rest[place:]]

    return arrange
