"""The reference: a solid bot that stays as it is, so that ratings can be anchored by it.

It counts what it knows of its row, keeps and takes what lowers it, swaps its worst card for
one that another seat has taken or kept, and calls with a low row. Its choices depend on the
view alone. Improvements belong into another bot.
"""

from __future__ import annotations

from typing import Any

from arena_sdk import Question, run

UNSEEN = 5.0  # what a card is worth that nobody has shown
KEPT = 4.5  # what a card is worth that another seat has drawn and kept
SAVES_BY_TAKING = 2.0
SAVES_BY_KEEPING = 0.5
SAVES_BY_FIRST = 3.0  # the first of two cards: the second may be better
SAVES_BY_SWAPPING = 2.0
LOW = 10.0
NINE, SWAP, PEEK = 9, 10, 11


def choose(question: Question) -> list[Any]:
    """An action, and why."""
    view = question.view
    row = row_of(view, view["seat"])
    worst = row.index(max(row))
    if question.kind == "call":
        total = sum(row)
        question.note = f"about {total:g} points, call at {LOW:g}"
        return ["call"] if total <= LOW else ["wait"]
    if question.kind == "turn":
        saved = row[worst] - view["discards"][-1]
        question.note = f"the open card saves {saved:g}"
        return ["take", worst] if saved >= SAVES_BY_TAKING else ["draw"]
    return use(question, row, worst)


def use(question: Question, row: list[float], worst: int) -> list[Any]:
    """What to do with the card that was drawn."""
    view = question.view
    drawn = view["drawn"]
    no_use = ["reject"] if view["rejectable"] else ["discard"]
    if drawn <= NINE:
        saved = row[worst] - drawn
        question.note = f"the card saves {saved:g}"
        least = SAVES_BY_FIRST if view["rejectable"] else SAVES_BY_KEEPING
        return ["keep", worst] if saved >= least else no_use
    if drawn == SWAP:
        points, seat, place = lowest_of_others(view)
        saved = row[worst] - points
        question.note = f"the best swap saves about {saved:g}"
        return ["swap", worst, seat, place] if saved >= SAVES_BY_SWAPPING else no_use
    if drawn == PEEK:
        hidden = view["rows"][view["seat"]]
        question.note = "look at what is hidden" if -1 in hidden else "nothing is hidden"
        return ["peek", hidden.index(-1)] if -1 in hidden else no_use
    question.note = "two cards are better than one"
    return ["draw"]


def row_of(view: dict[str, Any], seat: int) -> list[float]:
    """What the cards of this seat are worth, as far as they can be known."""
    return [
        (KEPT if kept else UNSEEN) if card < 0 or card > NINE else card
        for card, kept in zip(view["rows"][seat], view["kept"][seat], strict=True)
    ]


def lowest_of_others(view: dict[str, Any]) -> tuple[float, int, int]:
    """The lowest card of another seat: points, seat and position."""
    return min(
        (points, seat, place)
        for seat in range(len(view["rows"]))
        if seat != view["seat"]
        for place, points in enumerate(row_of(view, seat))
    )


if __name__ == "__main__":
    run(choose, name="castors-reference", version="1.0", actions=False, events=False)
