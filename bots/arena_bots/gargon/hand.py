"""A bot that looks only at its own hand.

High cards win more often, low cards carry amulets. The bot ignores the cards on the table, in
other hands and in the discards. It knows the legal actions only from their list.
"""

from __future__ import annotations

from arena_sdk import Bot, Question, Start, run
from arena_sdk.gargon import Rules, View

ALONE = 0.3  # assumed probability that a card meets no other
CARD = 4.0  # the value of a won card besides its amulets
SHORT = 4  # with fewer cards in hand the bot draws


class HandBot(Bot):
    """Gives each card a fixed rating."""

    name = "gargon-hand"
    version = "1"
    wants_events = False

    def start(self, start: Start) -> None:
        self.amulets = [0, *Rules(start.rules).amulets, 0, 0, 0]

    def choose(self, question: Question) -> int:
        if question.kind == "play":
            return self._play(question)
        question.note = "no reason: takes the first"
        return 0

    def _play(self, question: Question) -> int:
        actions = question.actions
        draws = [at for at, action in enumerate(actions) if action[0] == "pass"]
        plays = [at for at, action in enumerate(actions) if action[0] == "play"]
        hand = View(question.view).hand
        if not plays or (draws and len(hand) < SHORT):
            question.note = f"{len(hand)} cards in hand: draws"
            return max(draws, key=lambda at: sum(actions[at][1:]))
        best = max(plays, key=lambda at: self.rate(actions[at][1:]))
        question.note = f"hopes for {self.rate(actions[best][1:]):.1f} points"
        return best

    def rate(self, cards: list[int]) -> float:
        """Return the points to expect from these cards."""
        total = 0.0
        for card in cards:
            value = card % 16
            total += (ALONE + (1 - ALONE) * value / 15) * (CARD + self.amulets[value])
        return total


if __name__ == "__main__":
    run(HandBot())
