"""The random bot: plays random legal actions.

It does not ask for the list of legal actions, which takes longer to make, to send and to read
than the rest of a decision. It derives an action from the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_sdk import Bot, Question, Start, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PASS = 0.25
ATTEMPTS = 6
NINE, SWAP, PEEK = 9, 10, 11


class RandomBot(Bot):
    """Plays both games without the list of legal actions."""

    name = "random"
    version = "1"
    wants_actions = False
    wants_events = False

    def start(self, start: Start) -> None:
        self.random = start.random.random

    def choose(self, question: Question) -> list[Any]:
        question.note = "by chance"
        return CHOOSERS[question.kind](question.view, self.random)


def play(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gargon: play random cards of the right shape, or pass."""
    hand: list[int] = view["hand"]
    shape = view["shape"]
    if shape is None:
        return _play_of(hand, 1 + int(random() * min(3, len(hand))), None, random) or [
            "play",
            hand[0],
        ]
    last = (view["seat"] + 1) % len(view["hands"]) == view["starter"]
    if last:
        table = [any(column) for column in zip(*view["played"], strict=True)]
        hand = [card for card in hand if table[card >> 4]]
    play = random() > PASS and _play_of(hand, sum(shape), shape, random)
    return play or _pass(len(view["stacks"][0]), len(view["stacks"][1]), random)


def _play_of(
    hand: list[int], count: int, shape: list[int] | None, random: Callable[[], float]
) -> list[Any] | None:
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
                return ["play", *cards]
    return None


def _shape(colours: list[int]) -> list[int]:
    return sorted([colours.count(colour) for colour in set(colours)], reverse=True)


def _pass(first: int, second: int, random: Callable[[], float]) -> list[Any]:
    """Pass, and draw one to three cards from random stacks."""
    total = min(1 + int(random() * 3), first + second)
    least, most = max(0, total - second), min(total, first)
    amount = least + int(random() * (most - least + 1))
    return ["pass", amount, total - amount]


def battle(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gargon: choose the colour of a random one of the own cards on the table."""
    cards = view["table"][view["seat"]]
    return ["battle", cards[int(random() * len(cards))] >> 4]


def draw(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gargon: draw from a random stack."""
    return ["draw", int(random() * 2)]


def turn(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gang de Castors: draw from the pile, or take the open card for one of four."""
    place = int(random() * 5)
    return ["take", place] if place < 4 else ["draw"]


def card(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gang de Castors: use the drawn card in a random way, or discard it."""
    place = int(random() * 5)
    if place == 4:
        return ["reject"] if view["rejectable"] and random() < 0.5 else ["discard"]
    drawn = view["drawn"]
    if drawn <= NINE:
        return ["keep", place]
    if drawn == SWAP:
        seats = len(view["rows"])
        other = (view["seat"] + 1 + int(random() * (seats - 1))) % seats
        return ["swap", place, other, int(random() * 4)]
    return ["peek", place] if drawn == PEEK else ["draw"]


def call(view: dict[str, Any], random: Callable[[], float]) -> list[Any]:
    """Gang de Castors: call or wait at random."""
    return ["call"] if random() < 0.5 else ["wait"]


CHOOSERS = {"play": play, "battle": battle, "draw": draw, "turn": turn, "card": card, "call": call}


if __name__ == "__main__":
    run(RandomBot())
