"""What the misbehaving bots have in common: they behave until their moment comes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

from arena_sdk import Line

HELLO = {"t": "hello", "protocol": [1, 0], "name": "misbehaving", "actions": True, "events": True}
LAST_WORDS = "about to misbehave"


class Honest:
    """A bot that plays the first legal action, in full view of what it is about to do."""

    def __init__(self) -> None:
        self.line = Line(0, 1)

    def questions(self) -> Iterator[dict[str, Any]]:
        """Say hello when asked to, then hand over every question until the referee leaves."""
        while (message := self.line.receive()) is not None:
            if message["t"] == "hello":
                self.line.send(HELLO)
            elif message["t"] == "act":
                yield message
            elif message["t"] == "bye":
                return

    def until(self, number: int) -> dict[str, Any]:
        """Answer all questions before this one; it is not answered."""
        for question in self.questions():
            if question["id"] == number:
                print(LAST_WORDS, file=sys.stderr, flush=True)
                return question
            self.answer(question)
        sys.exit("the game is over before its moment came")

    def answer(self, question: dict[str, Any], **changes: Any) -> None:
        """Answer a question with the first legal action, or with something else."""
        self.line.send({"t": "action", "id": question["id"], "i": 0} | changes)

    def on(self) -> None:
        """Answer whatever else is asked."""
        for question in self.questions():
            self.answer(question)


def write(data: bytes) -> None:
    """Write all of it to stdout, without a frame around it."""
    while data:
        data = data[os.write(1, data) :]
