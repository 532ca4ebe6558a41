"""Rare states: games that lead a bot to where it seldom comes, and how to tell that it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from arena.check.setting import NOTHING, Arrange, Setting
from arena.games.game import Game, View
from arena.games.gargon.plays import EVERY_COLOUR, can_play

DEALS = 2
HAND = 10
ROW = 4
OTHER_AMULETS = [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]


def rare_settings(game: Game) -> list[Setting]:
    """The games that lead there."""
    make = {"gargon": _gargon, "castors": _castors}.get(game.name, _any_game)
    return list(make(game))


def rare_states(game: str) -> tuple[str, ...]:
    """The names of the states that are told apart."""
    return tuple(_STATES.get(game, ()))


def states_met(game: str, view: View) -> Iterator[str]:
    """Which of them this is."""
    for name, holds in _STATES.get(game, {}).items():
        if holds(view):
            yield name


def first_at(place: int, count: int, rank: Callable[[int], int]) -> Arrange:
    """Bring the cards of the lowest rank to so many places from this one on."""

    def arrange(cards: list[int]) -> None:
        chosen = sorted(cards, key=rank)[:count]
        rest = list(cards)
        for card in chosen:
            rest.remove(card)
        cards[:] = [*rest[:place], *chosen, *rest[place:]]

    return arrange


def _gargon(game: Game) -> Iterator[Setting]:
    def at(
        title: str,
        seats: int,
        seat: int,
        rank: Callable[[int], int] | None = None,
        avoided: str = "",
        **rules: Any,
    ) -> Iterator[Setting]:
        arrange = first_at(HAND * seat, HAND, rank) if rank else None
        verbs = frozenset({avoided}) if avoided else NOTHING
        for number in range(DEALS):
            yield Setting(game, game.rules(rules), seats, seat, number, verbs, arrange, title=title)

    yield from at("the ten highest cards", 3, 0, lambda card: -(card & 15), "pass")
    yield from at("the ten highest cards", 5, 3, lambda card: -(card & 15), "pass")
    yield from at("ten cards of one colour", 3, 1, lambda card: card >> 4)
    yield from at("ten zeros", 4, 2, lambda card: card & 15)
    yield from at("opponents who pass", 5, 0, None, "play")
    yield from at("open winnings", 4, 3, open_winnings=True)
    yield from at("other amulets", 3, 2, amulets=OTHER_AMULETS)


def _castors(game: Game) -> Iterator[Setting]:
    def at(
        title: str,
        seats: int,
        seat: int,
        stacked: int | None = None,
        avoided: frozenset[str] = NOTHING,
        **rules: Any,
    ) -> Iterator[Setting]:
        arrange = None if stacked is None else first_at(stacked, 16, lambda card: -card)
        for number in range(DEALS):
            yield Setting(
                game, game.rules(rules), seats, seat, number, avoided, arrange, title=title
            )

    long = frozenset({"call"})
    yield from at("two players, four deals", 2, 0, None, long, laps=40)
    yield from at("six players, long deals", 6, 5, None, long | {"take"}, laps=20)
    yield from at("action cards first", 3, 1, ROW * 3)
    yield from at("action cards first", 6, 0, ROW * 6)
    yield from at("action cards in the rows", 4, 2, 0)
    yield from at("deals of one lap", 5, 4, laps=1)


def _any_game(game: Game) -> Iterator[Setting]:
    """A game of which nothing is known: each of its rules with another value."""
    for variant in game.variants:
        value: Any = not variant.default if variant.kind is bool else variant.low
        if variant.kind is list:
            value = [variant.low] * variant.length
        yield Setting(
            game,
            game.rules({variant.name: value}),
            game.players[0],
            0,
            0,
            title=f"{variant.name} {value}",
        )


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


_STATES: dict[str, dict[str, Callable[[View], bool]]] = {
    "gargon": {
        "no card in hand": lambda view: not view["hand"],
        "nothing to do but pass": _fits_nothing,
        "two equal zeros": lambda view: len(set(view["hand"])) < len(view["hand"]),
        "fewer than three cards to draw": lambda view: sum(map(len, view["stacks"])) < 3,
        "one stack is empty": lambda view: not all(view["stacks"]),
        "open winnings": lambda view: all(pile is not None for pile in view["won"]),
    },
    "castors": {
        "a card that can be rejected": lambda view: view["rejectable"],
        "a pile made of discards": lambda view: len(view["pools"]) > 1,
        "an action card on top": lambda view: view["discards"] and view["discards"][-1] > 9,
        "the last round": lambda view: view["caller"] >= 0,
        "four deals of two": lambda view: view["deal"] == 3 and len(view["rows"]) == 2,
        "a known card of another seat": lambda view: any(
            card >= 0
            for seat, row in enumerate(view["rows"])
            for card in row
            if seat != view["seat"]
        ),
    },
}
