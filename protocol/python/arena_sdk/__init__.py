"""What a Python bot imports to play in the arena.

A bot is a function that is asked for an action:

    from arena_sdk import run

    def choose(question):
        return question.actions[0]

    run(choose, name="first")

or a `Bot`, for one that wants to know when games begin and end, or keeps something in mind.
"""

from __future__ import annotations

from arena_sdk.bot import Bot, End, Question, Start, run
from arena_sdk.line import Line, ProtocolError

__all__ = ["Bot", "End", "Line", "ProtocolError", "Question", "Start", "run"]
__version__ = "1.0.0"
