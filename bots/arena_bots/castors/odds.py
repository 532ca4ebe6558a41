"""A bot that computes the odds of every unknown card, and calls when it is ahead.

Cards that are gone make others more likely. A card that another seat has kept is probably low, one
that it gave away is probably high, and one that it left in its row since the beginning is slightly
better than average. The bot takes an open card only if it is better than the expected card of the
pile. It swaps for the card with the lowest expected points, and prefers those of leading seats.
"""

from __future__ import annotations

from arena_bots.castors.plausible import SAID, estimates, origin
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
    if question.kind == "call":
        return call(question, view)
    mine = estimates(view, view.seat)
    if view.drawn is not None:
        return use(question, view, view.drawn, mine)
    worst = max(mine)
    saved = worst - view.top_discard()
    pile = from_pile(view, worst) + (FUTURE if view.caller < 0 else 0.0)
    question.note = f"the open card saves {saved:.1f}, the pile perhaps {pile:.1f}"
    return Take(mine.index(worst)) if saved >= pile else Draw()


def from_pile(view: View, worst: float) -> float:
    """Return the points that the next card of the pile saves on average."""
    likely = odds(view.pile_pool())
    saved = sum(likely[card] * max(0.0, worst - card) for card in range(NINE + 1))
    return saved / (1 - likely[DRAW]) if likely[DRAW] < 1 else 0.0


def call(question: Question, view: View) -> Move:
    """Decide whether to call the last round, after which the others have one more turn."""
    seats = len(view.rows)
    points = [each for seat in range(seats) for each in estimates(view, seat)]
    mine = sum(points[ROW * view.seat : ROW * view.seat + ROW])
    others = (sum(points) - mine) / (seats - 1)
    question.note = f"about {mine:.1f} points, the others {others:.1f} on average"
    return Call() if mine <= LOW or mine <= others - AHEAD else Wait()


def use(question: Question, view: View, drawn: int, mine: list[float]) -> Move:
    """Return how to use the drawn card."""
    worst = max(mine)
    no_use = Reject() if view.rejectable else Discard()
    if drawn <= NINE:
        saved = worst - drawn
        next_one = from_pile(view, worst) if view.rejectable else 0.0
        question.note = f"saves {saved:.1f}" + (f", the next {next_one:.1f}" if next_one else "")
        return Keep(mine.index(worst)) if saved > max(next_one, LEAST) else no_use
    if drawn == SWAP:
        points = [estimates(view, seat) for seat in range(len(view.rows))]
        other, place = prey(view.seat, points)
        saved = worst - points[other][place]
        came = origin(view.known_by[other][place], other, view.kept[other][place])
        question.note = f"a card {SAID[came]}, about {points[other][place]:.1f}, saves {saved:.1f}"
        return Swap(mine.index(worst), other, place) if saved >= LEAST else no_use
    if drawn == PEEK:
        row = view.own_row()
        question.note = "look at what is hidden" if UNKNOWN in row else "nothing is hidden"
        return Peek(row.index(UNKNOWN)) if UNKNOWN in row else no_use
    question.note = "two cards are better than one"
    return Draw()


def prey(me: int, points: list[list[float]]) -> tuple[int, int]:
    """Return seat and position of the other seats' card that is best to swap for."""
    sums = [sum(row) for row in points]
    mean = sum(sums) / len(sums)
    places = ((seat, at) for seat in range(len(points)) if seat != me for at in range(ROW))
    return min(
        places, key=lambda place: points[place[0]][place[1]] + ENVY * (sums[place[0]] - mean)
    )


if __name__ == "__main__":
    run(choose, name="castors-odds", version="1", actions=False, events=False)
