"""The random bot: any legal action, each as likely as the others; for every game."""

from __future__ import annotations

from arena_sdk import Bot, Question, run


class RandomBot(Bot):
    """Asks for the list and picks."""

    name = "random"
    version = "1"
    wants_events = False

    def choose(self, question: Question) -> int:
        return int(question.random.random() * len(question.actions))


if __name__ == "__main__":
    run(RandomBot())
