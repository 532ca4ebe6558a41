"""Notes in records: so many bytes each, so many of a seat in a game, and no fault for more."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.records.record import Record, canonical
from arena.records.verdicts import FINISHED
from arena.referee.deals import Deals
from arena.referee.match import Match
from arena.referee.replay import Replay
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.wire.messages import LONGEST_NOTE_BYTES, MOST_NOTES_BYTES

from .recorded import CONTROL, chained, difference, difference_in, games, line, program, tampered

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
def talked() -> Record:
    """A long game between a bot with long notes, one with some and one with short ones."""
    game = games()["castors"]
    with TemporaryDirectory() as name:
        bots = [
            program(Path(name), f"talks{size}", TALKATIVE.replace("{size}", str(size)))
            for size in (LONG, MIDDLING, SHORT)
        ]
        with Roster(bots, Terms(game, game.rules({"laps": 30}), CONTROL)) as roster:
            (played,) = Match(roster, Deals(b"tests", "notes")).play(1)
    return chained([json.loads(canonical(played.record))])[0]


def seats_of(record: Record) -> list[int]:
    """Who took each decision."""
    return [step.seat for step in Replay(record, games()["castors"]).steps()]


def notes_of(record: Record, size: int) -> tuple[list[str], list[str]]:
    """The notes of the bot with notes of that size, and what it was asked to be noted."""
    bot = [bot["name"] for bot in record["bots"]].index(f"talks{size}")
    own = [number for number, seat in enumerate(seats_of(record)) if seat == bot]
    kept = [record["notes"].get(str(number), "") for number in own]
    wanted = ["é" * size if at % 7 else "short" for at in range(1, len(own) + 1)]
    return kept, wanted


def size_of(notes: list[str]) -> int:
    """Their bytes."""
    return sum(len(note.encode()) for note in notes)


def test_a_seat_has_room_for_so_many_notes_in_a_game() -> None:
    """Whoever notes more is not punished: the game goes on, and what does not fit is left out."""
    record = talked()
    assert record["verdicts"] == [FINISHED] * 3
    for size in (LONG, MIDDLING):
        kept, wanted = notes_of(record, size)
        assert size_of(wanted) > size_of(kept) > MOST_NOTES_BYTES - LONGEST_NOTE_BYTES
        assert size_of(kept) <= MOST_NOTES_BYTES
    assert len(canonical(record["notes"]).encode()) < 3 * (MOST_NOTES_BYTES + 6000)


def test_a_note_that_still_fits_is_kept() -> None:
    """Notes are left out one by one: a short one may stand after a long one that does not."""
    kept, wanted = notes_of(talked(), MIDDLING)
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
    kept, _ = notes_of(talked(), LONG)
    assert set(kept) == {"é" * 248 + "...", "short", ""}


def test_each_seat_has_its_own_room() -> None:
    """The notes of one bot take nothing from another's."""
    kept, wanted = notes_of(talked(), SHORT)
    assert kept == wanted


def test_more_notes_than_a_seat_has_room_for_are_no_record() -> None:
    """Notes that no referee has written down are found when the record is verified."""
    record = talked()
    assert difference([line(record)]) is None
    bot = [bot["name"] for bot in record["bots"]].index(f"talks{LONG}")
    number = max(number for number, seat in enumerate(seats_of(record)) if seat == bot)
    added = tampered([record], 0, lambda r: r["notes"].update({str(number): "é" * 248}))
    found = difference_in(added)
    assert (found.place, found.decision) == (f"notes.{number}", number)
    assert f"bytes of notes of seat {bot}; a game has room for 16384 bytes at most" in str(found)


@pytest.mark.parametrize("note", ["n" * 501, "é" * 251, "🃏" * 126])
def test_a_note_that_is_too_long_is_no_record(note: str) -> None:
    """The limit counts bytes, not characters."""
    found = difference_in(tampered([talked()], 0, lambda r: r["notes"].update({"0": note})))
    assert found.place == "notes.0"
    assert "1 to 500 bytes of UTF-8" in str(found)
