"""A first bot for Gargon: it plays the cards with the highest expected points."""

from __future__ import annotations

from typing import Any

from arena_sdk import Question, run

MAJORITY = 4  # value of a won card for the bonus for most cards of its colour
ZERO = 8  # value of a won 0, as it doubles the amulets of its colour
PASS = 1.5  # draw cards rather than play for less than this


def choose(question: Question) -> int:
    """Return the index of the best legal action; `question.actions` lists them."""
    rate = {"play": rate_play, "battle": rate_battle, "draw": rate_draw}[question.kind]
    rates = [rate(action, question) for action in question.actions]
    return rates.index(max(rates))


def rate_play(action: list[Any], question: Question) -> float:
    """The value of the cards, each times its chance to win."""
    if action[0] == "pass":
        drawn: int = sum(action[1:])
        return PASS + 0.1 * drawn
    return sum(worth(card, question) * chance(card, question) for card in action[1:])


def rate_battle(action: list[Any], question: Question) -> float:
    """Fight first in the colour of its highest card."""
    view = question.view
    mine = view["table"][view["seat"]]
    return float(max(card % 16 for card in mine if card // 16 == action[1]))


def rate_draw(action: list[Any], question: Question) -> float:
    """Draw the colour in which most cards were won already."""
    view = question.view
    top = view["stacks"][action[1]][0]
    return float(sum(card // 16 == top for card in view["won"][view["seat"]]))


def worth(card: int, question: Question) -> float:
    """Points that a won card brings: its amulets, and a share of the majority of its colour."""
    value = card % 16
    if value == 0:
        return ZERO
    amulets: list[int] = question.start.rules["amulets"]
    return MAJORITY + (amulets[value - 1] if value <= len(amulets) else 0)


def chance(card: int, question: Question) -> float:
    """The probability that a card wins: 1 if it is alone, else higher for higher cards."""
    view = question.view
    colour, value = card // 16, card % 16
    seats = len(view["hands"])
    rivals = 0.0
    for seat in range(seats):
        if seat == view["seat"]:
            continue
        rivals += view["played"][seat][colour]
        waits = (seat - view["starter"]) % seats > (view["seat"] - view["starter"]) % seats
        if waits and view["hands"][seat][colour]:
            rivals += 0.5  # it has yet to play, and may choose this colour
    return float((value / 16) ** rivals)


if __name__ == "__main__":
    run(choose, name="my-bot", version="1", events=False)
