"""Gang de Castors' cards and events in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.castors.cards import DRAW, NINE, PEEK, SWAP
from arena.games.game import View

ACTION_CARDS = {SWAP: "swap", PEEK: "peek", DRAW: "draw"}


def name(card: int) -> str:
    """Return a card in words: "5", or "swap"."""
    return str(card) if card <= NINE else ACTION_CARDS[card]


def tell(shown: View) -> str:
    """Describe an event as a seat sees it; for hidden cards, only their places are given."""
    return _TELLERS[shown["event"]](shown)


def _deal(shown: View) -> str:
    turned = name(shown["card"])
    return f"deal {shown['deal']} begins; seat {shown['dealer']} deals, {turned} is turned up"


def _looked(shown: View) -> str:
    where = " and ".join(map(str, shown["positions"]))
    seen = f": {_names(shown['cards'])}" if "cards" in shown else ""
    return f"seat {shown['seat']} looks at its positions {where}{seen}"


def _took(shown: View) -> str:
    return (
        f"seat {shown['seat']} takes the open {name(shown['card'])} to position "
        f"{shown['position']} and discards {name(shown['discarded'])}"
    )


def _drew(shown: View) -> str:
    drawn = f": {name(shown['card'])}" if "card" in shown else ""
    return f"seat {shown['seat']} draws a card{drawn}"


def _kept(shown: View) -> str:
    return (
        f"seat {shown['seat']} keeps it at position {shown['position']} and discards "
        f"{name(shown['discarded'])}"
    )


def _discarded(shown: View) -> str:
    return f"seat {shown['seat']} discards it: {name(shown['card'])}"


def _rejected(shown: View) -> str:
    return f"seat {shown['seat']} rejects it: {name(shown['card'])}"


def _swapped(shown: View) -> str:
    return (
        f"seat {shown['seat']} plays swap: its position {shown['position']} against position "
        f"{shown['other_position']} of seat {shown['other']}"
    )


def _peeked(shown: View) -> str:
    seen = f": {name(shown['card'])}" if "card" in shown else ""
    return f"seat {shown['seat']} plays peek and looks at its position {shown['position']}{seen}"


def _drawing(shown: View) -> str:
    return f"seat {shown['seat']} plays draw"


def _reshuffled(shown: View) -> str:
    return f"the discards are shuffled into a new pile of {shown['pile']}"


def _called(shown: View) -> str:
    return f"seat {shown['seat']} calls the last round"


def _replaced(shown: View) -> str:
    *aside, stays = shown["cards"]
    return (
        f"seat {shown['seat']} puts {_names(aside)} aside and gets {name(stays)} at position "
        f"{shown['position']}"
    )


def _counted(shown: View) -> str:
    rows = [
        f"seat {seat} has {_names(row)}, {points} points ({total} in all)"
        for seat, (row, points, total) in enumerate(
            zip(shown["rows"], shown["points"], shown["totals"], strict=True)
        )
    ]
    return f"the deal ends: {'; '.join(rows)}"


def _names(cards: Sequence[int]) -> str:
    return ", ".join(map(name, cards))


_TELLERS: dict[str, Callable[[View], str]] = {
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
