"""A first bot for Gang de Castors: it keeps low cards and calls when its row is low."""

from __future__ import annotations

from typing import Any

from arena_sdk import Question, run

UNKNOWN = 5.0  # the mean points of an unknown card
GAIN = 1.0  # exchange only if it saves more points than this
LOW = 10.0  # call with a row of at most this many points
NINE, SWAP, PEEK = 9, 10, 11


def choose(question: Question) -> list[Any]:
    """Return an action; `arena game show castors` lists those of each kind of question."""
    view = question.view
    row = [UNKNOWN if card < 0 or card > NINE else card for card in view["rows"][view["seat"]]]
    worst = row.index(max(row))
    if question.kind == "call":
        return ["call"] if sum(row) <= LOW else ["wait"]
    if question.kind == "turn":
        saved = row[worst] - view["discards"][-1]
        return ["take", worst] if saved > UNKNOWN / 2 else ["draw"]
    return use(view, row, worst)


def use(view: dict[str, Any], row: list[float], worst: int) -> list[Any]:
    """Return how to use the drawn card."""
    card = view["drawn"]
    if card <= NINE:
        if row[worst] - card > GAIN:
            return ["keep", worst]
        return ["reject"] if view["rejectable"] else ["discard"]
    if card == SWAP:
        target = low_card_of_others(view)
        return ["swap", worst, *target] if target and row[worst] > UNKNOWN else ["discard"]
    if card == PEEK:
        mine = view["rows"][view["seat"]]
        return ["peek", mine.index(-1)] if -1 in mine else ["discard"]
    return ["draw"]


def low_card_of_others(view: dict[str, Any]) -> list[int] | None:
    """Return seat and position of a card that another seat has kept, as it may be low."""
    for seat, kept in enumerate(view["kept"]):
        for position, was_kept in enumerate(kept):
            card = view["rows"][seat][position]
            if seat != view["seat"] and (was_kept if card < 0 else card < UNKNOWN / 2):
                return [seat, position]
    return None


if __name__ == "__main__":
    run(choose, name="my-bot", version="1", actions=False, events=False)
