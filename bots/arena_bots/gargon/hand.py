"""The bot that never thinks beyond its own hand.

High cards win more often, low ones carry amulets. What lies on the table, what others hold and
what is gone it does not look at; it keeps to its legal actions only because it gets their list.
"""

from __future__ import annotations

from arena_sdk import Bot, Question, Start, run

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

ALONE = 0.3  # how often a card meets no other, it believes
CARD = 4.0  # what a won card is worth beside its amulets
SHORT = 4  # with fewer cards in hand it rather draws


class HandBot(Bot):
    """Rates the cards in its hand once and for all."""

    name = "gargon-hand"
    version = "1"
    wants_events = False

    def start(self, start: Start) -> None:
        self.amulets = [0, *start.rules["amulets"], 0, 0, 0]

    def choose(self, question: Question) -> int:
        if question.kind == "play":
            return self._play(question)
        question.note = "no reason: takes the first"
        return 0

    def _play(self, question: Question) -> int:
        actions = question.actions
        draws = [at for at, action in enumerate(actions) if action[0] == "pass"]
        plays = [at for at, action in enumerate(actions) if action[0] == "play"]
        hand = question.view["hand"]
        if not plays or (draws and len(hand) < SHORT):
            question.note = f"{len(hand)} cards in hand: draws"
            return max(draws, key=lambda at: sum(actions[at][1:]))
        best = max(plays, key=lambda at: self.rate(actions[at][1:]))
        question.note = f"hopes for {self.rate(actions[best][1:]):.1f} points"
        return best

    def rate(self, cards: list[Any]) -> float:
        """The points that these cards may bring."""
        total = 0.0
        for card in cards:
            value = card % 16
            total += (ALONE + (1 - ALONE) * value / 15) * (CARD + self.amulets[value])
        return total


if __name__ == "__main__":
    run(HandBot())
