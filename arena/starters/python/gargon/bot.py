"""A first bot for Gargon: it plays the cards with the highest expected points."""

from __future__ import annotations

from arena_sdk import Question, run
from arena_sdk.gargon import (
    Battle,
    Draw,
    Move,
    Pass,
    Play,
    Rules,
    View,
    amulets,
    colour,
    moves,
    value,
)

MAJORITY = 4  # value of a won card for the bonus for most cards of its colour
ZERO = 8  # value of a won 0, as it doubles the amulets of its colour
PASS = 1.5  # draw cards rather than play for less than this


def choose(question: Question) -> Move:
    """Return the best legal move; `question.actions` lists them."""
    view = View(question.view)
    rules = Rules(question.start.rules)
    return max(moves(question.actions), key=lambda move: rate(move, view, rules))


def rate(move: Move, view: View, rules: Rules) -> float:
    """Return how good a move is, compared with the others of the same question."""
    match move:
        case Play(cards=cards):  # the value of the cards, each times its chance to win
            return sum(worth(card, rules) * chance(card, view) for card in cards)
        case Pass(first, second):  # more cards are better than fewer
            return PASS + 0.1 * (first + second)
        case Battle(chosen):  # fight first in the colour of the highest card
            return max(value(card) for card in view.own_table() if colour(card) == chosen)
        case Draw(stack):  # draw the colour in which most cards were won already
            top = view.stacks[stack][0]
            return sum(colour(card) == top for card in view.own_won())
    return 0  # a move of a later version of the rules


def worth(card: int, rules: Rules) -> float:
    """Return the points of a won card: its amulets, and a share of the majority of its colour."""
    return ZERO if value(card) == 0 else MAJORITY + amulets(card, rules)


def chance(card: int, view: View) -> float:
    """Return the probability that a card wins: 1 if it is alone, else higher for higher cards."""
    waiting = view.seats_after()
    rivals = 0.0
    for seat in view.others():
        rivals += view.played[seat][colour(card)]
        if seat in waiting and view.hands[seat][colour(card)]:
            rivals += 0.5  # it has yet to play, and may choose this colour
    return float((value(card) / 16) ** rivals)


if __name__ == "__main__":
    run(choose, name="my-bot", version="1", events=False)
