"""The rule bot that section 11 of the protocol specifies."""

from __future__ import annotations

from typing import Any

from arena_sdk import Bot, Question, Start, run

WORD = 0xFFFFFFFF


class RuleBot(Bot):
    """Chooses by a stream of numbers; answers alternate between index and action."""

    name = "rule"
    version = "1"

    def start(self, start: Start) -> None:
        self.x = start.seed or 1
        self.count = 0

    def choose(self, question: Question) -> Any:
        self.x ^= self.x << 13 & WORD
        self.x ^= self.x >> 17
        self.x ^= self.x << 5 & WORD
        index = self.x % len(question.actions)
        self.count += 1
        return index if self.count % 2 else question.actions[index]


if __name__ == "__main__":
    run(RuleBot())
