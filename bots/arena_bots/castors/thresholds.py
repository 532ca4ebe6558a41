"""A bot that looks only at its own row, and decides by a few fixed thresholds.

A card that it has not seen counts as the average. It does not play swap cards, since it does not
know the cards of others.
"""

from __future__ import annotations

from arena_sdk import Question, run
from arena_sdk.castors import (
    DRAW,
    KINDS,
    NINE,
    PEEK,
    UNKNOWN,
    Call,
    Discard,
    Draw,
    Keep,
    Move,
    Peek,
    Reject,
    Take,
    View,
    Wait,
)

UNSEEN = 5.0  # the mean points of a card, also of the card that replaces an action card
GOOD = 4  # an open card must be at most this to be taken
GAIN = 1.0  # a drawn card must save at least this to be kept
LOW = 10.0  # a row must be at most this to call

POINTS = {card: card if 0 <= card <= NINE else UNSEEN for card in range(UNKNOWN, KINDS)}
points = POINTS.__getitem__  # by card; as a function, so that rows can be summed and searched


def choose(question: Question) -> Move:
    """Return an action, and put the reason into the note."""
    view = View(question.view)
    row = view.rows[view.seat]
    if question.kind == "call":
        total = sum(map(points, row))
        question.note = f"{total:g} points, call at {LOW:g}"
        return Call() if total <= LOW else Wait()
    if view.drawn is not None:
        return use(question, view, view.drawn, row)
    open_card = view.discards[-1]
    if open_card <= GOOD:
        worst = max(row, key=points)
        if points(worst) - open_card >= GAIN:
            question.note = f"an open {open_card} for {points(worst):g}"
            return Take(row.index(worst))
    question.note = f"the open {open_card} is not good enough"
    return Draw()


def use(question: Question, view: View, drawn: int, row: list[int]) -> Move:
    """Return how to use the drawn card."""
    if drawn <= NINE:
        worst = max(row, key=points)
        if points(worst) - drawn >= GAIN:
            question.note = f"a {drawn} for {points(worst):g}"
            return Keep(row.index(worst))
    elif drawn == PEEK and UNKNOWN in row:
        question.note = "look at one that it has not seen"
        return Peek(row.index(UNKNOWN))
    elif drawn == DRAW:
        question.note = "two cards are better than one"
        return Draw()
    question.note = "of no use"
    return Reject() if view.rejectable else Discard()


if __name__ == "__main__":
    run(choose, name="castors-thresholds", version="1", actions=False, events=False)
