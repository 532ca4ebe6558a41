"""Tests of the bot's choices: run them with `python3 test_bot.py`, or with pytest."""

from __future__ import annotations

from typing import Any

from bot import choose

from arena_sdk import Question, Start
from arena_sdk.gargon import Battle, Draw, Move, Play

AMULETS = [5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1]
RULES = {"open_winnings": False, "amulets": AMULETS}


def question(kind: str, actions: list[Move], **changes: Any) -> Question:
    """A question to seat 0 of three, the starter; `changes` replace fields of the view."""
    view = {
        "seat": 0,
        "starter": 0,
        "hand": [3, 15, 34],  # white 3, white 15, violet 2
        "hands": [[2, 0, 1, 0, 0, 0], [4, 0, 0, 3, 3, 0], [2, 0, 0, 4, 0, 4]],
        "played": [[0] * 6, [0] * 6, [0] * 6],
        "table": [[], None, None],
        "stacks": [[4, 0], [1, 5]],
        "won": [[], None, None],
        **changes,
    }
    start = {"number": 0, "game": "gargon", "rules": RULES, "seat": 0, "seats": 3, "seed": 1}
    asked = {"id": 1, "kind": kind, "view": view, "actions": actions, "bank": 10_000}
    return Question(asked, Start({**start, "clock": {"decision": 100, "bank": 10_000}}))


def test_plays_what_nobody_can_fight() -> None:
    """Nobody else holds violet, so the bot plays the violet 2, which has five amulets."""
    assert choose(question("play", [Play(3), Play(15), Play(34)])) == Play(34)


def test_fights_with_the_highest_card_first() -> None:
    """The bot fights with yellow 13 before white 3."""
    asked = question("battle", [Battle(0), Battle(4)], table=[[3, 77], [4], [66]])
    assert choose(asked) == Battle(4)


def test_draws_the_colour_that_it_collects() -> None:
    """The bot has won blue cards, so it draws blue."""
    asked = question("draw", [Draw(0), Draw(1)], won=[[20, 21], None, None])
    assert choose(asked) == Draw(1)


if __name__ == "__main__":
    tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} tests passed")
