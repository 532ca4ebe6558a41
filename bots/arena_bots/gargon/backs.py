"""A bot that reads the backs and counts the cards that are gone.

The backs show which seats can play a colour. The cards that are gone show how often a card is
the highest left. The bot plays the cards that bring the most points by these chances, and rates
each card separately. It ignores majorities and the end of the game.
"""

from __future__ import annotations

from arena_bots.gargon.knowledge import Knowledge
from arena_bots.gargon.rivals import Rivals
from arena_sdk import Bot, Question, Start, run
from arena_sdk.gargon import Rules, View, colour_name, shape

CARD = 4.0  # the value of a won card besides its amulets
ZERO = 8.0  # the value of a won 0
HELD = 1.0  # the value of a card in hand; a lost card is replaced by another
PASS = 1.0  # the value of a pass
DRAWN = 0.2  # the value of a drawn card for each step of its mean number


class BacksBot(Bot):
    """Rates plays by the chances of their cards to win."""

    name = "gargon-backs"
    version = "1"

    def start(self, start: Start) -> None:
        self.amulets = [0, *Rules(start.rules).amulets, 0, 0, 0]
        self.knowledge = Knowledge(start.seats)

    def choose(self, question: Question) -> int:
        self.knowledge.hear(question.events)
        view = View(question.view)
        unseen = self.knowledge.unseen(view)
        if question.kind == "play":
            return self._play(question, view, unseen)
        if question.kind == "battle":
            question.note = "the table lies open, the order changes nothing: takes the first"
            return 0
        tops = [view.stacks[action[1]][0] for action in question.actions]
        best = max((0, 1), key=lambda at: self.hope(tops[at], unseen))
        question.note = f"{colour_name(tops[best])} has the better cards left"
        return best

    def hope(self, colour: int, unseen: list[list[int]]) -> float:
        """Return the mean number on the unseen cards of a colour; higher is better."""
        values = unseen[colour]
        return sum(values) / len(values) if values else 0.0

    def _play(self, question: Question, view: View, unseen: list[list[int]]) -> int:
        rivals: dict[tuple[int, ...], Rivals] = {}
        rates = []
        for verb, *numbers in question.actions:
            if verb == "pass":
                drawn = [
                    c for n, stack in zip(numbers, view.stacks, strict=True) for c in stack[:n]
                ]
                rates.append(PASS + DRAWN * sum(self.hope(colour, unseen) for colour in drawn))
                continue
            its_shape = tuple(shape(numbers))
            if its_shape not in rivals:
                rivals[its_shape] = Rivals(view, list(its_shape))
            rates.append(self.rate(numbers, rivals[its_shape], unseen))
        best = rates.index(max(rates))
        if question.actions[best][0] == "pass":
            question.note = f"new cards are worth more: {rates[best]:.1f} points"
        else:
            question.note = f"the backs promise {rates[best]:.1f} points"
        return best

    def rate(self, cards: list[int], rivals: Rivals, unseen: list[list[int]]) -> float:
        """Return the points that a play brings on average."""
        total = 0.0
        for card in cards:
            colour, value = card >> 4, card & 15
            highest = all(other <= card for other in cards if other >> 4 == colour)
            find = rivals.wins if highest else rivals.wins_behind
            worth = CARD + self.amulets[value] if value else ZERO
            total += find(value, colour, unseen[colour]) * (worth - HELD)
        return total


if __name__ == "__main__":
    run(BacksBot())
