"""Notes in logs: so many bytes each, so many of a seat in a game, and no fault for more."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.records.canonical import canonical_bytes
from arena.records.verdicts import FINISHED
from arena.referee.replay import Replay
from arena.wire.messages import LONGEST_NOTE_BYTES, MOST_NOTES_BYTES

from .recorded import (
    FIRST_BLOCK,
    Lines,
    Map,
    difference,
    difference_in,
    edited_game,
    games,
    played,
    program,
    records_of,
)

TALKATIVE = '''
"""Never calls, so that games are long, and has a note for every decision, of {size} characters."""
from arena_sdk import run

def choose(question):
    question.note = "é" * {size} if question.id % 7 else "short"
    return question.actions.index(["wait"]) if question.kind == "call" else 0

run(choose, name="talkative")
'''
LONG, MIDDLING, SHORT = 400, 100, 1


@cache
def talked() -> Lines:
    """A long game between a bot with long notes, one with some and one with short ones."""
    with TemporaryDirectory() as name:
        bots = [
            program(Path(name), f"talks{size}", TALKATIVE.replace("{size}", str(size)))
            for size in (LONG, MIDDLING, SHORT)
        ]
        return played("castors", bots, 1, {"laps": 30})


def decisions_of(size: int) -> list[int]:
    """The numbers of the decisions that the bot with notes of that size took."""
    (record,) = records_of(talked())
    bot = [bot.name for bot in record.bots].index(f"talks{size}")
    return [step.number for step in Replay(record, games()["castors"]).steps() if step.seat == bot]


def seat_of(size: int) -> int:
    """Where the bot with notes of that size sat."""
    (record,) = records_of(talked())
    return [bot.name for bot in record.bots].index(f"talks{size}")


def notes_of(size: int) -> tuple[list[str], list[str]]:
    """The notes of the bot with notes of that size, and what it was asked to be noted."""
    (record,) = records_of(talked())
    own = decisions_of(size)
    kept = [record.notes.get(number, "") for number in own]
    wanted = ["é" * size if at % 7 else "short" for at in range(1, len(own) + 1)]
    return kept, wanted


def noted(number: int, note: str) -> Lines:
    """The game with this note at a decision."""

    def change(game: Map) -> None:
        others = [each for each in game["notes"] if each[0] != number]
        game["notes"] = sorted([*others, [number, note]])

    return edited_game(talked(), 0, change)


def size_of(notes: list[str]) -> int:
    """Their bytes."""
    return sum(len(note.encode()) for note in notes)


def test_a_seat_has_room_for_so_many_notes_in_a_game() -> None:
    """Whoever notes more is not punished: the game goes on, and what does not fit is left out."""
    (record,) = records_of(talked())
    assert record.verdicts == [FINISHED] * 3
    for size in (LONG, MIDDLING):
        kept, wanted = notes_of(size)
        assert size_of(wanted) > size_of(kept) > MOST_NOTES_BYTES - LONGEST_NOTE_BYTES
        assert size_of(kept) <= MOST_NOTES_BYTES
    assert len(canonical_bytes(record.game.notes)) < 3 * (MOST_NOTES_BYTES + 6000)


def test_a_note_that_still_fits_is_kept() -> None:
    """Notes are left out one by one: a short one may stand after a long one that does not."""
    kept, wanted = notes_of(MIDDLING)
    room = MOST_NOTES_BYTES
    expected = []
    for note in wanted:
        fits = len(note.encode()) <= room
        expected.append(note if fits else "")
        room -= len(note.encode()) * fits
    assert kept == expected
    assert "short" in kept[kept.index("") :]


def test_long_notes_are_cut_in_the_record() -> None:
    """A note has 500 bytes at most, and its last three are dots if it was longer."""
    kept, _ = notes_of(LONG)
    assert set(kept) == {"é" * 248 + "...", "short", ""}


def test_each_seat_has_its_own_room() -> None:
    """The notes of one bot take nothing from another's."""
    kept, wanted = notes_of(SHORT)
    assert kept == wanted


def test_more_notes_than_a_seat_has_room_for_do_not_hold() -> None:
    """Notes that no referee has written down are found when the log is verified."""
    assert difference(talked()) is None
    number = decisions_of(LONG)[-1]
    found = difference_in(noted(number, "é" * 248))
    assert (found.place, found.decision) == (f"note at {number}", number)
    assert f"bytes of notes of seat {seat_of(LONG)}; a game has room for 16384 bytes" in str(found)


@pytest.mark.parametrize("note", ["n" * 501, "é" * 251, "🃏" * 126])
def test_a_note_that_is_too_long_does_not_hold(note: str) -> None:
    """The limit counts bytes, not characters."""
    found = difference_in(noted(0, note))
    assert found.line == FIRST_BLOCK + 1
    assert "500" in str(found)
    assert found.place in ("note at 0", "games[0].notes[0][1]")
