"""Rare games and states of Gargon, for the conformance check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.games.game import View
from arena.games.gargon.plays import EVERY_COLOUR, can_play
from arena.games.gargon.state import HAND
from arena.games.rare import RareGame, first_at

OTHER_AMULETS = [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]


def rare_games() -> list[RareGame]:
    """Return games that lead to extreme hands, and games with other rules."""
    return [
        _at("the ten highest cards", 3, 0, lambda card: -(card & 15), "pass"),
        _at("the ten highest cards", 5, 3, lambda card: -(card & 15), "pass"),
        _at("ten cards of one colour", 3, 1, lambda card: card >> 4),
        _at("ten zeros", 4, 2, lambda card: card & 15),
        _at("opponents who pass", 5, 0, None, "play"),
        _at("open winnings", 4, 3, open_winnings=True),
        _at("other amulets", 3, 2, amulets=OTHER_AMULETS),
    ]


def _at(
    title: str,
    seats: int,
    seat: int,
    rank: Callable[[int], int] | None = None,
    avoided: str = "",
    **rules: Any,
) -> RareGame:
    """Return a game in which the seat is dealt the ten cards that `rank` puts lowest."""
    arrange = first_at(HAND * seat, HAND, rank) if rank else None
    return RareGame(title, seats, seat, rules, frozenset({avoided} - {""}), arrange)


def _fits_nothing(view: View) -> bool:
    """Whether a seat that must match a shape cannot."""
    if view["kind"] != "play" or view["shape"] is None:
        return False
    seats = len(view["hands"])
    bounds = EVERY_COLOUR
    if (view["seat"] + 1) % seats == view["starter"]:
        on_table = zip(*view["played"], strict=True)
        bounds = sum(1 << colour for colour, counts in enumerate(on_table) if any(counts))
    return not can_play(view["hand"], tuple(view["shape"]), bounds)


RARE_STATES: Mapping[str, Callable[[View], bool]] = {
    "no card in hand": lambda view: not view["hand"],
    "nothing to do but pass": _fits_nothing,
    "two equal zeros": lambda view: len(set(view["hand"])) < len(view["hand"]),
    "fewer than three cards to draw": lambda view: sum(map(len, view["stacks"])) < 3,
    "one stack is empty": lambda view: not all(view["stacks"]),
    "open winnings": lambda view: all(pile is not None for pile in view["won"]),
}
