"""The hasty bot: whoever calls first gives the others the least time.

It betters the cards that it has seen, for as long as it has to, and calls at once. It needs
no luck to be right now and then: nobody pays for a wrong call.
"""

from __future__ import annotations

from typing import Any

from arena_sdk import Question, run

NINE, DRAW = 9, 12


def choose(question: Question) -> list[Any]:
    """An action, and why."""
    view = question.view
    if question.kind == "call":
        question.note = "the sooner the better"
        return ["call"]
    if question.kind == "turn":
        question.note = "the pile has better cards"
        return ["draw"]
    return use(question, view["rows"][view["seat"]], view["drawn"])


def use(question: Question, row: list[int], drawn: int) -> list[Any]:
    """What to do with the card that was drawn."""
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
