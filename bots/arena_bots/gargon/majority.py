"""The bot that plays for majorities and zeros, and knows when the game is about to end.

It reads the backs, too, but asks what a card is worth to it now: how it moves the majority of
its colour, how many amulets a zero doubles. A card in hand is worth something only while there
is time to play it; who leads empties the shorter stack, who is behind spares it.
"""

from __future__ import annotations

from arena_bots.gargon.knowledge import COLOURS, Knowledge
from arena_bots.gargon.rivals import Rivals
from arena_bots.gargon.stakes import Stakes, standing
from arena_sdk import Bot, Question, Start, run

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

HELD = 2.0  # what a card in hand is worth while there is much time
STRONG = 1.0  # how much more the highest card is worth in hand than the lowest
ENOUGH = 5.0  # rounds that are as good as endless
HURRY = 4.0  # what it is worth to end the game when in front, at most


class MajorityBot(Bot):
    """Rates plays by what they change."""

    name = "gargon-majority"
    version = "1"

    def start(self, start: Start) -> None:
        self.amulets = [0, *start.rules["amulets"], 0, 0, 0]
        self.knowledge = Knowledge(start.seats)

    def choose(self, question: Question) -> int:
        self.knowledge.hear(question.events)
        view = question.view
        self.unseen = self.knowledge.unseen(view)
        self.stakes = Stakes(self.knowledge.won, view["seat"], view, self.amulets)
        points = standing(self.knowledge.won, self.amulets)
        others = [amount for seat, amount in enumerate(points) if seat != view["seat"]]
        self.lead: float = points[view["seat"]] - max(others)
        self.time = min(1.0, self.stakes.rounds / ENOUGH)
        if question.kind == "play":
            return self._play(question)
        if question.kind == "battle":
            question.note = "the table lies open, the order changes little: takes the first"
            return 0
        return self._draw(question)

    def _play(self, question: Question) -> int:
        view = question.view
        rivals: dict[tuple[int, ...], Rivals] = {}
        self.rated: dict[tuple[tuple[int, ...], int, int], float] = {}
        rates = []
        for verb, *numbers in question.actions:
            if verb == "pass":
                rates.append(self.rate_pass(view, numbers))
                continue
            shape = shape_of(numbers)
            if shape not in rivals:
                rivals[shape] = Rivals(view, list(shape))
            rates.append(self.rate_play(numbers, rivals[shape]))
        best = rates.index(max(rates))
        what = "draws" if question.actions[best][0] == "pass" else "plays"
        ahead = "in front" if self.lead > 0 else "behind"
        question.note = (
            f"{what} for {rates[best]:.1f}; {ahead} by {abs(self.lead):.0f}, "
            f"{self.stakes.rounds:.1f} rounds left"
        )
        return best

    def rate_play(self, cards: list[int], rivals: Rivals) -> float:
        """What a play gains on average, less what the cards would be worth in hand."""
        total = 0.0
        colours = {card >> 4 for card in cards}
        for colour in colours:
            mine = tuple(sorted(card for card in cards if card >> 4 == colour))
            known = (mine, len(cards), len(colours))
            if known not in self.rated:
                self.rated[known] = self.rate_colour(mine, rivals)
            total += self.rated[known]
        return total

    def rate_colour(self, mine: tuple[int, ...], rivals: Rivals) -> float:
        """The same for the cards of one colour, one or two, ascending."""
        colour = mine[0] >> 4
        unseen = self.unseen[colour]
        high = rivals.wins(mine[-1] & 15, colour, unseen)
        chances = [high]
        gain = high * self.stakes.gain(mine[-1:])
        if len(mine) == 2:
            low = rivals.wins_behind(mine[0] & 15, colour, unseen)
            gain = (1 - low) * gain + low * (1 - high) * self.stakes.gain(mine[:1])
            gain += high * low * self.stakes.gain(mine)
            chances = [low, high]
        for card, chance in zip(mine, chances, strict=True):
            # Who loses a card draws another for it.
            gain -= self.in_hand(card) - (1 - chance) * self.drawn(None)
        return gain

    def rate_pass(self, view: dict[str, Any], amounts: list[int]) -> float:
        """What the drawn cards are worth, and what the time that they take is."""
        total = 0.0
        for stack, amount in zip(view["stacks"], amounts, strict=True):
            total += sum(self.drawn(colour) for colour in stack[:amount])
        return total + self.rate_time(view, amounts)

    def rate_time(self, view: dict[str, Any], amounts: list[int]) -> float:
        """What it is worth to bring the end nearer."""
        lengths: list[int] = [len(stack) for stack in view["stacks"]]
        before = min(lengths)
        after = min(length - amount for length, amount in zip(lengths, amounts, strict=True))
        nearer = (before - after) / max(1.0, before)
        return float(nearer * HURRY * max(-1.0, min(1.0, self.lead / 10)))

    def in_hand(self, card: int) -> float:
        """What a card is worth in hand."""
        value = card & 15
        return self.time * (HELD + (STRONG * value / 15 if value else STRONG))

    def drawn(self, colour: int | None) -> float:
        """What a card from the stacks is worth on average."""
        values = self.unseen[colour] if colour is not None else []
        mean = sum(values) / len(values) if values else 7.5
        return self.time * (HELD + STRONG * mean / 15)

    def _draw(self, question: Question) -> int:
        view = question.view
        tops = [view["stacks"][stack][0] for stack in (0, 1)]
        rates = [
            self.drawn(tops[stack]) + self.rate_time(view, [1 - stack, stack]) for stack in (0, 1)
        ]
        best = rates.index(max(rates))
        question.note = f"{COLOURS[tops[best]]} is worth {rates[best]:.1f}"
        return best


def shape_of(cards: list[int]) -> tuple[int, ...]:
    """How many cards of each colour, most first."""
    colours = [card >> 4 for card in cards]
    return tuple(sorted((colours.count(colour) for colour in set(colours)), reverse=True))


if __name__ == "__main__":
    run(MajorityBot())
