"""A bot that computes the odds of every unknown card, and calls when it is ahead.

Cards that are gone make others more likely. A card that another seat has kept is probably low, one
that it gave away is probably high, and one that it left in its row since the beginning is slightly
better than average. The bot takes an open card only if it is better than the expected card of the
pile. It swaps for the card with the lowest expected points, and prefers those of leading seats.
"""

from __future__ import annotations

from arena_bots.castors.plausible import SAID, estimates, origins
from arena_sdk import Question, run
from arena_sdk.castors import (
    DRAW,
    NINE,
    PEEK,
    ROW,
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
    odds,
)

LEAST = 0.5
"""Points that keeping a card or a swap has to save."""
FUTURE = 1.0
"""The value of a draw beyond the pile's mean, as it may also bring a peek or a swap."""
ENVY = 0.03
"""Points added to a card's estimate for each point by which its owner's row exceeds the mean."""
LOW = 7.0
AHEAD = 7.0


def choose(question: Question) -> Move:
    """Return an action, and put the reason into the note."""
    view = View(question.view)
    points = estimates(view)
    seat = view.seat
    mine = points[ROW * seat : ROW * seat + ROW]
    worst = mine.index(max(mine))
    if question.kind == "call":
        return call(question, sum(mine), (sum(points) - sum(mine)) / (len(view.rows) - 1))
    if question.kind == "card" and view.drawn is not None:
        return use(question, view, view.drawn, points)
    saved = mine[worst] - view.top_discard()
    pile = from_pile(view, mine[worst]) + (FUTURE if view.caller < 0 else 0.0)
    question.note = f"the open card saves {saved:.1f}, the pile perhaps {pile:.1f}"
    return Take(worst) if saved >= pile else Draw()


def from_pile(view: View, worst: float) -> float:
    """Return the points that the next card of the pile saves on average."""
    likely = odds(view.pile_pool())
    saved = sum(likely[card] * max(0.0, worst - card) for card in range(NINE + 1))
    return saved / (1 - likely[DRAW]) if likely[DRAW] < 1 else 0.0


def call(question: Question, mine: float, others: float) -> Move:
    """Decide whether to call the last round, after which the others have one more turn."""
    question.note = f"about {mine:.1f} points, the others {others:.1f} on average"
    return Call() if mine <= LOW or mine <= others - AHEAD else Wait()


def use(question: Question, view: View, drawn: int, points: list[float]) -> Move:
    """Return how to use the drawn card."""
    mine = points[ROW * view.seat : ROW * view.seat + ROW]
    worst = mine.index(max(mine))
    no_use = Reject() if view.rejectable else Discard()
    if drawn <= NINE:
        saved = mine[worst] - drawn
        next_one = from_pile(view, mine[worst]) if view.rejectable else 0.0
        question.note = f"saves {saved:.1f}" + (f", the next {next_one:.1f}" if next_one else "")
        return Keep(worst) if saved > max(next_one, LEAST) else no_use
    if drawn == SWAP:
        at = prey(view, points)
        saved = mine[worst] - points[at]
        question.note = (
            f"a card {SAID[origins(view)[at]]}, about {points[at]:.1f}, saves {saved:.1f}"
        )
        return Swap(worst, at // ROW, at % ROW) if saved >= LEAST else no_use
    if drawn == PEEK:
        row = view.own_row()
        question.note = "look at what is hidden" if UNKNOWN in row else "nothing is hidden"
        return Peek(row.index(UNKNOWN)) if UNKNOWN in row else no_use
    question.note = "two cards are better than one"
    return Draw()


def prey(view: View, points: list[float]) -> int:
    """Return the place of the other seats' card that is best to swap for."""
    sums = [sum(points[at : at + ROW]) for at in range(0, len(points), ROW)]
    mean = sum(sums) / len(sums)
    places = (at for at in range(len(points)) if at // ROW != view.seat)
    return min(places, key=lambda at: points[at] + ENVY * (sums[at // ROW] - mean))


if __name__ == "__main__":
    run(choose, name="castors-odds", version="1", actions=False, events=False)
