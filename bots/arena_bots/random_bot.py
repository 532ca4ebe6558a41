"""The random bot: plays random legal actions.

It does not ask for the list of legal actions, which takes longer to make, to send and to read
than the rest of a decision. It derives an action from the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_sdk import Bot, Question, Start, castors, gargon, run
from arena_sdk.castors import NINE, PEEK, SWAP
from arena_sdk.typed import Move

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PASS = 0.25
ATTEMPTS = 6


class RandomBot(Bot):
    """Plays both games without the list of legal actions."""

    name = "random"
    version = "1"
    wants_actions = False
    wants_events = False

    def start(self, start: Start) -> None:
        self.random = start.random.random

    def choose(self, question: Question) -> Move:
        question.note = "by chance"
        return CHOOSERS[question.kind](question.view, self.random)


def play(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gargon: play random cards of the right shape, or pass."""
    view = gargon.View(seen)
    hand = view.hand
    shape = view.shape
    if shape is None:
        count = 1 + int(random() * min(3, len(hand)))
        return _play_of(hand, count, None, random) or gargon.Play(hand[0])
    last = (view.seat + 1) % len(view.hands) == view.starter
    if last:
        table = [any(column) for column in zip(*view.played, strict=True)]
        hand = [card for card in hand if table[card >> 4]]
    play = random() > PASS and _play_of(hand, sum(shape), shape, random)
    return play or _pass(len(view.stacks[0]), len(view.stacks[1]), random)


def _play_of(
    hand: list[int], count: int, shape: list[int] | None, random: Callable[[], float]
) -> Move | None:
    """Return a random play of `count` cards of this shape (None: any); None if none is found."""
    size = len(hand)
    for _ in range(ATTEMPTS if size >= count else 0):
        places = {int(random() * size) for _ in range(count)}
        if len(places) == count:
            cards = [hand[place] for place in places]
            colours = [card >> 4 for card in cards]
            if (
                count == 1
                or _shape(colours) == shape
                or (not shape and len(set(colours)) + 1 >= count)
            ):
                return gargon.Play(*cards)
    return None


def _shape(colours: list[int]) -> list[int]:
    return sorted([colours.count(colour) for colour in set(colours)], reverse=True)


def _pass(first: int, second: int, random: Callable[[], float]) -> Move:
    """Pass, and draw one to three cards from random stacks."""
    total = min(1 + int(random() * 3), first + second)
    least, most = max(0, total - second), min(total, first)
    amount = least + int(random() * (most - least + 1))
    return gargon.Pass(amount, total - amount)


def battle(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gargon: choose the colour of a random one of the own cards on the table."""
    cards = gargon.View(seen).own_table()
    return gargon.Battle(cards[int(random() * len(cards))] >> 4)


def draw(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gargon: draw from a random stack."""
    return gargon.Draw(int(random() * 2))


def turn(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gang de Castors: draw from the pile, or take the open card for one of four."""
    place = int(random() * 5)
    return castors.Take(place) if place < 4 else castors.Draw()


def card(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gang de Castors: use the drawn card in a random way, or discard it."""
    view = castors.View(seen)
    place = int(random() * 5)
    drawn = view.drawn
    if place == 4 or drawn is None:
        return castors.Reject() if view.rejectable and random() < 0.5 else castors.Discard()
    if drawn <= NINE:
        return castors.Keep(place)
    if drawn == SWAP:
        seats = len(view.rows)
        other = (view.seat + 1 + int(random() * (seats - 1))) % seats
        return castors.Swap(place, other, int(random() * 4))
    return castors.Peek(place) if drawn == PEEK else castors.Draw()


def call(seen: dict[str, Any], random: Callable[[], float]) -> Move:
    """Gang de Castors: call or wait at random."""
    return castors.Call() if random() < 0.5 else castors.Wait()


CHOOSERS = {"play": play, "battle": battle, "draw": draw, "turn": turn, "card": card, "call": call}


if __name__ == "__main__":
    run(RandomBot())
