"""Tests of the bot's choices: run them with `python3 test_bot.py`, or with pytest."""

from __future__ import annotations

from typing import Any

from bot import choose

from arena_sdk import Question, Start
from arena_sdk.castors import Call, Draw, Keep, Swap, Take, Wait


def question(kind: str, row: list[int], **changes: Any) -> Question:
    """A question to seat 0 of two with this row; `changes` replace other fields of the view."""
    view = {
        "seat": 0,
        "rows": [row, [-1, -1, -1, -1]],
        "kept": [[False] * 4, [False] * 4],
        "discards": [7],
        "drawn": None,
        "rejectable": False,
        **changes,
    }
    rules = {"laps": 100}
    start = {"number": 0, "game": "castors", "rules": rules, "seat": 0, "seats": 2, "seed": 1}
    asked = {"id": 1, "kind": kind, "view": view, "bank": 10_000}
    return Question(asked, Start({**start, "clock": {"decision": 100, "bank": 10_000}}))


def test_takes_a_low_discard_for_the_worst_card() -> None:
    """The bot puts an open 1 in the place of its 8."""
    assert choose(question("turn", [2, -1, 8, 3], discards=[9, 1])) == Take(2)


def test_leaves_a_high_discard() -> None:
    """The bot does not take an open 7; it draws."""
    assert choose(question("turn", [2, -1, -1, 3])) == Draw()


def test_keeps_a_low_card() -> None:
    """The bot puts a drawn 0 in the place of its 9."""
    assert choose(question("card", [9, -1, -1, 3], drawn=0)) == Keep(0)


def test_swaps_its_worst_card_for_a_kept_one() -> None:
    """The bot swaps its 9 for a card that another seat has drawn and kept."""
    kept = [[False] * 4, [False, True, False, False]]
    assert choose(question("card", [9, 1, 1, 3], drawn=10, kept=kept)) == Swap(0, 1, 1)


def test_calls_with_a_low_row() -> None:
    """The bot calls with a row of six points, but not of sixteen."""
    assert choose(question("call", [0, 1, 2, 3])) == Call()
    assert choose(question("call", [-1, 1, -1, 5])) == Wait()


if __name__ == "__main__":
    tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} tests passed")
