"""Rare games: set up to lead a program to states that seldom come up in ordinary play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Arrange: TypeAlias = Callable[[list[int]], None]
"""Changes the order of the cards of a deal, in place."""


@dataclass(frozen=True)
class RareGame:
    """A game in which the program in one seat plays against random opponents."""

    title: str
    """What is rare about it, in words."""
    seats: int
    seat: int
    rules: Mapping[str, object] = field(default_factory=dict)
    """The rules that differ from the defaults."""
    avoided: frozenset[str] = frozenset()
    """Verbs that the opponents use only if no other action is legal."""
    arrange: Arrange | None = None
    """Stacks the cards at the start of every deal."""


def first_at(place: int, count: int, rank: Callable[[int], int]) -> Arrange:
    """Return an `Arrange` that puts the `count` cards of lowest rank at index `place` and on."""

    def arrange(cards: list[int]) -> None:
        chosen = sorted(cards, key=rank)[:count]
        rest = list(cards)
        for card in chosen:
            rest.remove(card)
        cards[:] = [*rest[:place], *chosen, *rest[place:]]

    return arrange
