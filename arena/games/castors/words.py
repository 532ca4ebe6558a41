"""Gang de Castors' events in words, with the cards that they are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from arena.games.castors.cards import DRAW, NINE, PEEK, SWAP
from arena.games.game import View
from arena.games.telling import Face, Seat, Segment, listed

ACTION_CARDS = {SWAP: "swap", PEEK: "peek", DRAW: "draw"}
VALUE = "value"
BACK = Face("back", "", "a hidden card")


def name(card: int) -> str:
    """Return a card in words: "5", or "swap"."""
    return str(card) if card <= NINE else ACTION_CARDS[card]


@cache
def front(card: int) -> Face:
    """Return the front of a card."""
    return Face(VALUE if card <= NINE else ACTION_CARDS[card], name(card), name(card))


def tell(shown: View) -> list[Segment]:
    """Describe an event as a seat sees it; for hidden cards, only their places are given."""
    return _TELLERS[shown["event"]](shown)


def _deal(shown: View) -> list[Segment]:
    return [
        f"deal {shown['deal']} begins; ",
        Seat(shown["dealer"]),
        " deals, ",
        front(shown["card"]),
        " is turned up",
    ]


def _looked(shown: View) -> list[Segment]:
    where = " and ".join(map(str, shown["positions"]))
    seen: list[Segment] = [": ", *_fronts(shown["cards"])] if "cards" in shown else []
    return [Seat(shown["seat"]), f" looks at its positions {where}", *seen]


def _took(shown: View) -> list[Segment]:
    return [
        Seat(shown["seat"]),
        " takes the open ",
        front(shown["card"]),
        f" to position {shown['position']} and discards ",
        front(shown["discarded"]),
    ]


def _drew(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " draws a card", *_seen(shown)]


def _kept(shown: View) -> list[Segment]:
    return [
        Seat(shown["seat"]),
        f" keeps it at position {shown['position']} and discards ",
        front(shown["discarded"]),
    ]


def _discarded(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " discards it: ", front(shown["card"])]


def _rejected(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " rejects it: ", front(shown["card"])]


def _swapped(shown: View) -> list[Segment]:
    own, other = shown["position"], shown["other_position"]
    at = f" plays swap: its position {own} against position {other} of "
    return [Seat(shown["seat"]), at, Seat(shown["other"])]


def _peeked(shown: View) -> list[Segment]:
    at = f" plays peek and looks at its position {shown['position']}"
    return [Seat(shown["seat"]), at, *_seen(shown)]


def _drawing(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " plays draw"]


def _reshuffled(shown: View) -> list[Segment]:
    return [f"the discards are shuffled into a new pile of {shown['pile']}"]


def _called(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " calls the last round"]


def _replaced(shown: View) -> list[Segment]:
    *aside, stays = shown["cards"]
    return [
        Seat(shown["seat"]),
        " puts ",
        *_fronts(aside),
        " aside and gets ",
        front(stays),
        f" at position {shown['position']}",
    ]


def _counted(shown: View) -> list[Segment]:
    rows: list[list[Segment]] = [
        [Seat(seat), " has ", *_fronts(row), f", {points} points ({total} in all)"]
        for seat, (row, points, total) in enumerate(
            zip(shown["rows"], shown["points"], shown["totals"], strict=True)
        )
    ]
    return ["the deal ends: ", *listed(rows, "; ")]


def _seen(shown: View) -> list[Segment]:
    return [": ", front(shown["card"])] if "card" in shown else []


def _fronts(cards: Sequence[int]) -> list[Segment]:
    return listed([[front(card)] for card in cards])


_TELLERS: dict[str, Callable[[View], list[Segment]]] = {
    "deal": _deal,
    "looked": _looked,
    "took": _took,
    "drew": _drew,
    "kept": _kept,
    "discarded": _discarded,
    "rejected": _rejected,
    "swapped": _swapped,
    "peeked": _peeked,
    "drawing": _drawing,
    "reshuffled": _reshuffled,
    "called": _called,
    "replaced": _replaced,
    "counted": _counted,
}
