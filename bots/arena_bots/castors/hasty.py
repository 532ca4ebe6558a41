"""A hasty bot: it calls as soon as it may, to give the others little time.

Until then, it replaces the highest card that it has seen by lower ones. A wrong call costs nothing.
"""

from __future__ import annotations

from typing import Any

from arena_sdk import Question, run

NINE, DRAW = 9, 12


def choose(question: Question) -> list[Any]:
    """Return an action, and put the reason into the note."""
    view = question.view
    if question.kind == "call":
        question.note = "the sooner the better"
        return ["call"]
    if question.kind == "turn":
        question.note = "the pile has better cards"
        return ["draw"]
    return use(question, view["rows"][view["seat"]], view["drawn"])


def use(question: Question, row: list[int], drawn: int) -> list[Any]:
    """Return how to use the drawn card."""
    if drawn == DRAW:
        question.note = "two cards are better than one"
        return ["draw"]
    worst = max(row)
    if drawn <= NINE and drawn < worst:
        place = row.index(worst)
        question.note = f"lower than what it knows at {place}"
        return ["keep", place]
    question.note = "of no use now"
    return ["reject"] if question.view["rejectable"] else ["discard"]


if __name__ == "__main__":
    run(choose, name="castors-hasty", version="1", actions=False, events=False)
