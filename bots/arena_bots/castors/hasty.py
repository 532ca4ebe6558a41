"""A hasty bot: it calls as soon as it may, to give the others little time.

Until then, it replaces the highest card that it has seen by lower ones. A wrong call costs nothing.
"""

from __future__ import annotations

from arena_sdk import Question, run
from arena_sdk.castors import DRAW, NINE, Call, Discard, Draw, Keep, Move, Reject, View


def choose(question: Question) -> Move:
    """Return an action, and put the reason into the note."""
    if question.kind == "call":
        question.note = "the sooner the better"
        return Call()
    if question.kind == "turn":
        question.note = "the pile has better cards"
        return Draw()
    return use(question, View(question.view))


def use(question: Question, view: View) -> Move:
    """Return how to use the drawn card."""
    drawn = view.drawn
    if drawn is None or drawn == DRAW:
        question.note = "two cards are better than one"
        return Draw()
    row = view.own_row()
    worst = max(row)
    if drawn <= NINE and drawn < worst:
        place = row.index(worst)
        question.note = f"lower than what it knows at {place}"
        return Keep(place)
    question.note = "of no use now"
    return Reject() if view.rejectable else Discard()


if __name__ == "__main__":
    run(choose, name="castors-hasty", version="1", actions=False, events=False)
