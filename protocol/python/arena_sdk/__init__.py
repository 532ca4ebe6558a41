"""The arena's SDK for bots in Python.

A bot is a function that returns an action for each question:

    from arena_sdk import run

    def choose(question):
        return question.actions[0]

    run(choose, name="first")

or a subclass of `Bot`, if it keeps state or needs to know when games begin and end.
"""

from __future__ import annotations

from arena_sdk.bot import Bot, End, Question, Start, run
from arena_sdk.line import Line, ProtocolError

__all__ = ["Bot", "End", "Line", "ProtocolError", "Question", "Start", "run"]
__version__ = "1.0.0"
