"""Rare games and states of Gang de Castors, for the conformance check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.games.castors.cards import ROW
from arena.games.game import View
from arena.games.rare import RareGame, first_at


def rare_games() -> list[RareGame]:
    """Return games with action cards in unusual places, and very long or short games."""
    long = frozenset({"call"})
    return [
        _at("two players, four deals", 2, 0, None, long, laps=40),
        _at("six players, long deals", 6, 5, None, long | {"take"}, laps=20),
        _at("action cards first", 3, 1, ROW * 3),
        _at("action cards first", 6, 0, ROW * 6),
        _at("action cards in the rows", 4, 2, 0),
        _at("deals of one lap", 5, 4, laps=1),
    ]


def _at(
    title: str,
    seats: int,
    seat: int,
    stacked: int | None = None,
    avoided: frozenset[str] = frozenset(),
    **rules: Any,
) -> RareGame:
    """Return a game in which 16 action cards lie from index `stacked` of the deck on."""
    arrange = None if stacked is None else first_at(stacked, 16, lambda card: -card)
    return RareGame(title, seats, seat, rules, avoided, arrange)


RARE_STATES: Mapping[str, Callable[[View], bool]] = {
    "a card that can be rejected": lambda view: view["rejectable"],
    "a pile made of discards": lambda view: len(view["pools"]) > 1,
    "an action card on top": lambda view: view["discards"] and view["discards"][-1] > 9,
    "the last round": lambda view: view["caller"] >= 0,
    "four deals of two": lambda view: view["deal"] == 3 and len(view["rows"]) == 2,
    "a known card of another seat": lambda view: any(
        card >= 0 for seat, row in enumerate(view["rows"]) for card in row if seat != view["seat"]
    ),
}
