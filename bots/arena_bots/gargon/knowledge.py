"""What a seat can know of a game of Gargon: who won what, and which cards nobody has shown yet."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

COLOURS = ("white", "blue", "violet", "red", "yellow", "green")


class Knowledge:
    """Listens to the events of one game; `won` has every seat's pile as it was seen."""

    def __init__(self, seats: int) -> None:
        self.won: list[list[int]] = [[] for _ in range(seats)]

    def hear(self, events: list[dict[str, Any]]) -> None:
        """Take in what happened since the last time."""
        for event in events:
            kind = event["event"]
            if kind == "won":
                self.won[event["seat"]] += event["cards"]
            elif kind == "fought" and event["winner"] >= 0:
                winner = event["winner"]
                self.won[winner].append(event["cards"][event["seats"].index(winner)])

    def unseen(self, view: dict[str, Any]) -> list[list[int]]:
        """The values, colour by colour, that others hold or that lie in the stacks."""
        left = [[0, *range(16)] for _ in range(6)]
        seen = view["hand"] + view["discards"]
        for cards in (*self.won, *(cards or () for cards in view["table"])):
            seen = seen + list(cards)
        for card in seen:
            left[card >> 4].remove(card & 15)
        return left


def below(values: list[int], value: int) -> float:
    """The share of these values that this one beats; against none it always wins."""
    return sum(other < value for other in values) / len(values) if values else 1.0
