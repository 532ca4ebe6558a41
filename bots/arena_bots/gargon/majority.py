"""A bot that plays for majorities and zeros, and considers when the game will end.

It reads the backs, too, but rates a card by its present value: how it changes the majority of its
colour, and how many amulets a zero doubles. A card in hand is worth something only while there is
time to play it. If the bot leads, it empties the shorter stack; if it is behind, it does not.
"""

from __future__ import annotations

from arena_bots.gargon.knowledge import Knowledge
from arena_bots.gargon.rivals import Rivals
from arena_bots.gargon.stakes import Stakes, standing
from arena_sdk import Bot, Question, Start, run
from arena_sdk.gargon import Rules, View, colour_name, shape

HELD = 2.0  # the value of a card in hand while there is much time
STRONG = 1.0  # how much more the highest card in hand is worth than the lowest
ENOUGH = 5.0  # remaining rounds from which on more make no difference
HURRY = 4.0  # the largest value of ending the game while leading


class MajorityBot(Bot):
    """Rates plays by what they change."""

    name = "gargon-majority"
    version = "1"

    def start(self, start: Start) -> None:
        self.amulets = [0, *Rules(start.rules).amulets, 0, 0, 0]
        self.knowledge = Knowledge(start.seats)

    def choose(self, question: Question) -> int:
        self.knowledge.hear(question.events)
        view = View(question.view)
        self.unseen = self.knowledge.unseen(view)
        self.stakes = Stakes(self.knowledge.won, view, self.amulets)
        points = standing(self.knowledge.won, self.amulets)
        others = [amount for seat, amount in enumerate(points) if seat != view.seat]
        self.lead: float = points[view.seat] - max(others)
        self.time = min(1.0, self.stakes.rounds / ENOUGH)
        if question.kind == "play":
            return self._play(question, view)
        if question.kind == "battle":
            question.note = "the table lies open, the order changes little: takes the first"
            return 0
        return self._draw(question, view)

    def _play(self, question: Question, view: View) -> int:
        rivals: dict[tuple[int, ...], Rivals] = {}
        self.rated: dict[tuple[tuple[int, ...], int, int], float] = {}
        rates = []
        for verb, *numbers in question.actions:
            if verb == "pass":
                rates.append(self.rate_pass(view, numbers))
                continue
            its_shape = tuple(shape(numbers))
            if its_shape not in rivals:
                rivals[its_shape] = Rivals(view, list(its_shape))
            rates.append(self.rate_play(numbers, rivals[its_shape]))
        best = rates.index(max(rates))
        what = "draws" if question.actions[best][0] == "pass" else "plays"
        ahead = "in front" if self.lead > 0 else "behind"
        question.note = (
            f"{what} for {rates[best]:.1f}; {ahead} by {abs(self.lead):.0f}, "
            f"{self.stakes.rounds:.1f} rounds left"
        )
        return best

    def rate_play(self, cards: list[int], rivals: Rivals) -> float:
        """Return the mean gain of a play, less the value of the cards in hand."""
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
        """Return the same for the cards of one colour, one or two, ascending."""
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
            # A player who loses a card draws another one.
            gain -= self.in_hand(card) - (1 - chance) * self.drawn(None)
        return gain

    def rate_pass(self, view: View, amounts: list[int]) -> float:
        """Return the value of the drawn cards, and of the end of the game coming nearer."""
        total = 0.0
        for stack, amount in zip(view.stacks, amounts, strict=True):
            total += sum(self.drawn(colour) for colour in stack[:amount])
        return total + self.rate_time(view, amounts)

    def rate_time(self, view: View, amounts: list[int]) -> float:
        """Return the value of the end of the game coming nearer."""
        lengths = [len(stack) for stack in view.stacks]
        before = min(lengths)
        after = min(length - amount for length, amount in zip(lengths, amounts, strict=True))
        nearer = (before - after) / max(1.0, before)
        return float(nearer * HURRY * max(-1.0, min(1.0, self.lead / 10)))

    def in_hand(self, card: int) -> float:
        """Return the value of a card in hand."""
        value = card & 15
        return self.time * (HELD + (STRONG * value / 15 if value else STRONG))

    def drawn(self, colour: int | None) -> float:
        """Return the mean value of a card from the stacks."""
        values = self.unseen[colour] if colour is not None else []
        mean = sum(values) / len(values) if values else 7.5
        return self.time * (HELD + STRONG * mean / 15)

    def _draw(self, question: Question, view: View) -> int:
        tops = [view.stacks[stack][0] for stack in (0, 1)]
        rates = [
            self.drawn(tops[stack]) + self.rate_time(view, [1 - stack, stack]) for stack in (0, 1)
        ]
        best = rates.index(max(rates))
        question.note = f"{colour_name(tops[best])} is worth {rates[best]:.1f}"
        return best


if __name__ == "__main__":
    run(MajorityBot())
