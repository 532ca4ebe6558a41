"""The reference bot of Gargon, by which ratings are anchored: it will not change.

It sees whose cards lie in a colour, and takes their values for evenly spread; with those who
have yet to play it reckons in every colour alike. Hands, stacks, what is gone and what is won
it does not look at. It uses integers only and no chance, so that it plays the same everywhere.
Everything that it does is in this module. What would play better belongs into another bot.
"""

from __future__ import annotations

from arena_sdk import Bot, Question, Start, run

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

SURE = 1000
CARD = 4
ZERO = 9
COMES = 700
PASS = 1000
DRAWN = 1000


class ReferenceBot(Bot):
    """A solid player of middling strength."""

    name = "gargon-reference"
    version = "1.0"
    wants_events = False

    def start(self, start: Start) -> None:
        self.amulets: list[int] = [0, *start.rules["amulets"], 0, 0, 0]

    def choose(self, question: Question) -> int:
        view = question.view
        if question.kind == "play":
            rates = [self.rate(action, view) for action in question.actions]
            best = rates.index(max(rates))
            what = "draws" if question.actions[best][0] == "pass" else "plays"
            question.note = f"{what} for {rates[best]} thousandths of a point"
            return best
        question.note = "takes the first"
        return 0

    def rate(self, action: list[Any], view: dict[str, Any]) -> int:
        """What an action is worth, in thousandths of a point."""
        numbers: list[int] = action[1:]
        if action[0] == "pass":
            return PASS + DRAWN * sum(numbers)
        total = 0
        for card in numbers:
            colour = card // 16
            higher = any(other > card and other // 16 == colour for other in numbers)
            total += chance(card, higher, view) * self.worth(card)
        return total

    def worth(self, card: int) -> int:
        """The points of a won card, and a share of the majority."""
        return CARD + self.amulets[card % 16] if card % 16 else ZERO


def chance(card: int, higher: bool, view: dict[str, Any]) -> int:
    """How often, in a thousand, a card wins; behind a higher one it meets only second cards."""
    colour, value = card // 16, card % 16
    seats = len(view["hands"])
    turn = (view["seat"] - view["starter"]) % seats
    found = SURE
    for seat in range(seats):
        met = 0
        if (seat - view["starter"]) % seats > turn:
            met = 0 if higher else COMES
        elif seat != view["seat"] and view["played"][seat][colour] > higher:
            met = SURE
        found = found * (15 * (SURE - met) + met * value) // (15 * SURE)
    return found


if __name__ == "__main__":
    run(ReferenceBot())
