"""A first bot for Gang de Castors: it keeps low cards and calls when its row is low."""

from __future__ import annotations

from arena_sdk import Question, run
from arena_sdk.castors import (
    PEEK,
    SWAP,
    UNKNOWN,
    Call,
    Discard,
    Draw,
    Keep,
    Move,
    Peek,
    Reject,
    Swap,
    Take,
    View,
    Wait,
    is_special,
    value,
)

MEAN = 5  # the mean points of an unknown card
GAIN = 1  # exchange only if it saves more points than this
LOW = 10  # call with a row of at most this many points


def choose(question: Question) -> Move:
    """Return a move; `arena game show castors` lists those of each kind of question."""
    view = View(question.view)
    row = [points(card) for card in view.own_row()]
    worst = row.index(max(row))
    if question.kind == "call":
        return Call() if sum(row) <= LOW else Wait()
    if question.kind == "card" and view.drawn is not None:
        return use(view, view.drawn, row, worst)
    saved = row[worst] - view.top_discard()
    return Take(worst) if saved > MEAN / 2 else Draw()


def points(card: int) -> int:
    """Return what a card is expected to count in the end; special cards will be replaced."""
    known = value(card)
    return MEAN if known is None else known


def use(view: View, drawn: int, row: list[int], worst: int) -> Move:
    """Return how to use the drawn card."""
    if not is_special(drawn):
        if row[worst] - drawn > GAIN:
            return Keep(worst)
        return Reject() if view.rejectable else Discard()
    if drawn == SWAP:
        target = low_card_of_others(view)
        if target is None or row[worst] <= MEAN:
            return Discard()
        return Swap(worst, *target)
    if drawn == PEEK:
        mine = view.own_row()
        return Peek(mine.index(UNKNOWN)) if UNKNOWN in mine else Discard()
    return Draw()


def low_card_of_others(view: View) -> tuple[int, int] | None:
    """Return seat and position of a card that another seat has kept, as it may be low."""
    for seat in view.others():
        for position, card in enumerate(view.rows[seat]):
            if view.kept[seat][position] if card == UNKNOWN else card < MEAN / 2:
                return seat, position
    return None


if __name__ == "__main__":
    run(choose, name="my-bot", version="1", actions=False, events=False)
