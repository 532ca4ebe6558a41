"""Bots that misbehave, in real games: each gets its verdict, and nobody else suffers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arena.process.program import TAIL
from arena.programs.spec import BotSpec
from arena.programs.walk import FolderError
from arena.records.entries import TimeControl
from arena.records.times import Evidence
from arena.records.verdicts import CRASHED, FINISHED, ILLEGAL, PROTOCOL, START_FAILED, TIMEOUT

from .matches import (
    GENEROUS,
    RANDOM,
    STRICT,
    assert_nothing_left,
    misbehaving,
    new_mark,
    only_fault,
    play,
    resident,
)

ENDED = "ended while the game went on: "
NO_MAP = "expected one msgpack map, got "
NO_TYPE = "expected nil, booleans, numbers, texts, arrays and maps, got "
LATE = "no answer within the time for the decision and what was left of the bank"
MEMORY = 20 << 20
SLACK = 400
"""Milliseconds by which a busy machine may be late."""


@dataclass(frozen=True)
class Case:
    """A bot with its words, and what its author is told: a pattern where cards come into it."""

    bot: str
    verdict: str
    text: str
    words: tuple[str, ...] = ()
    control: TimeControl = GENEROUS
    says: str = "about to misbehave"

    def __str__(self) -> str:
        return "-".join([self.bot, *(word.strip("-").replace(" ", "-") for word in self.words)])


def exactly(bot: str, verdict: str, text: str, *words: str) -> Case:
    """A case with a text that is always the same."""
    return Case(bot, verdict, re.escape(text), words)


def unreadable(body: str, text: str) -> Case:
    """A case of bad msgpack."""
    return exactly("bad_msgpack", PROTOCOL, text, body)


CASES = [
    exactly("exits_mid_game", CRASHED, ENDED + "exit code 0"),
    replace(
        exactly("exits_with_code_3", CRASHED, ENDED + "exit code 3"),
        says="about to misbehave\nTraceback: a queen too many",
    ),
    exactly("killed_by_signal", CRASHED, ENDED + "killed by signal 11 (SIGSEGV)"),
    exactly("says_error", CRASHED, "the bot says: the net is not trained for this"),
    replace(exactly("never_answers", TIMEOUT, LATE), control=STRICT),
    replace(exactly("answers_late", TIMEOUT, LATE, "3"), control=STRICT),
    replace(
        exactly("mutters_at_the_deadline", TIMEOUT, LATE, "0.75"),
        control=STRICT,
        says="about to misbehave\nhm",
    ),
    replace(
        exactly("never_reads_stdin", TIMEOUT, "did not read its stdin: the pipe to it stayed full"),
        control=STRICT,
        says="",
    ),
    exactly(
        "answers_twice",
        PROTOCOL,
        "action.id: expected 4, the id of the last question, got 3",
    ),
    exactly(
        "answers_twice",
        PROTOCOL,
        "action.id: expected 4, the id of the last question, got 3",
        "--at-once",
    ),
    exactly(
        "answers_old_id",
        PROTOCOL,
        "action.id: expected 3, the id of the last question, got 2",
    ),
    Case("illegal_action", ILLEGAL, r'action\.a\[0\]: expected "\w+" .*, got "cheat"'),
    Case(
        "illegal_action",
        ILLEGAL,
        r"action\.i: expected 0\.\.\d+, an index into the list of legal actions, got \d+",
        ("--index",),
    ),
    exactly(
        "wrong_type", PROTOCOL, 'action.id: expected the id of the question, got "three"', "id"
    ),
    exactly("wrong_type", PROTOCOL, 'action.i: expected an index, got "first"', "i"),
    exactly("wrong_type", PROTOCOL, "action.note: expected a text, got 5", "note"),
    exactly(
        "wrong_type", PROTOCOL, 't: expected "hello", "action" or "error", got ["action"]', "t"
    ),
    unreadable("reserved", NO_MAP + "bytes that are not msgpack"),
    unreadable("cut", NO_MAP + "bytes that are not msgpack"),
    unreadable("empty", NO_MAP + "bytes that are not msgpack"),
    unreadable("wide", "expected at most 65536 values, got more"),
    unreadable("array", NO_MAP + "an array"),
    unreadable("more", NO_MAP + "2 bytes more"),
    unreadable("bytes-key", "expected texts as keys of maps, got binary data"),
    unreadable("integer-key", "expected texts as keys of maps, got an integer"),
    unreadable("binary", NO_TYPE + "binary data"),
    unreadable("latin-1", "expected texts in UTF-8, got other bytes"),
    unreadable("extension", NO_TYPE + "an extension type"),
    unreadable("timestamp", NO_TYPE + "an extension type"),
    *[
        exactly("deep_nesting", PROTOCOL, "expected at most 16 levels of nesting, got more", levels)
        for levels in ("16", "100000")
    ],
    exactly(
        "huge_frame",
        PROTOCOL,
        "expected a frame of at most 1048576 bytes, got a length of 1048577",
    ),
    *[
        exactly(
            "prints_text",
            PROTOCOL,
            f"expected a frame, got text on stdout that begins with {start!r} (stdout belongs to "
            "the protocol; print to stderr)",
            text,
        )
        for text, start in (("I play a 7", "I pl"), ("ok", "ok\n"))
    ],
    Case("stops_its_keeper", ILLEGAL, r"action\.i: expected .*, got -1"),
    exactly("kills_its_keeper", CRASHED, ENDED + "killed by signal 9 (SIGKILL)"),
    exactly("closes_stdin", PROTOCOL, "closed its stdin while the game went on"),
    exactly("closes_stdout", PROTOCOL, "closed its stdout while the game went on"),
]


@pytest.mark.parametrize(("number", "case"), list(enumerate(CASES)), ids=map(str, CASES))
def test_a_bot_that_fails_is_told_why_and_only_it_suffers(number: int, case: Case) -> None:
    """Whatever a bot does, its author learns what it was, and the others play to the end."""
    mark = new_mark()
    seats = 3 + number % 2
    bots = [RANDOM] * seats
    bots[number % seats] = misbehaving(case.bot, *case.words, mark)
    (game,) = play(bots, control=case.control)
    fault, evidence = only_fault(game)
    assert fault.seat == number % seats
    assert fault.verdict == case.verdict
    assert re.fullmatch(case.text, fault.text), fault.text
    assert fault.decision > 0
    assert evidence.stderr.strip() == case.says
    assert evidence.sent.startswith('{"t": "act", "id": ')
    assert evidence.received
    if fault.text == LATE:
        assert charged_in_time(evidence, case.control) < SLACK
    assert_nothing_left(mark)


def charged_in_time(evidence: Evidence, control: TimeControl) -> int:
    """The clock ran out when it should have; the milliseconds that were not counted."""
    found = re.fullmatch(
        r"took (\d+) ms, allowed (\d+) ms; (\d+) ms of the host's not counted", evidence.figures
    )
    assert found, evidence.figures
    took, allowed, waited = map(int, found.groups())
    assert allowed <= control.decision + control.bank
    assert allowed <= took < allowed + SLACK
    return waited


STARTS = [
    exactly("exits_at_once", START_FAILED, "ended before it said hello: exit code 0"),
    *[
        exactly("lies_in_hello", START_FAILED, text, lie)
        for lie, text in {
            "future": "hello.protocol[0]: expected 1, got 2; this arena speaks version 1.0",
            "version-text": 'hello.protocol: expected [1, minor], got "1.0"',
            "no-version": "hello.protocol: expected [1, minor], got no such key",
            "number-as-name": "hello.name: expected a text, got 7",
            "number-as-flag": "hello.actions: expected true or false, got 1",
            "action": 't: expected "hello", got "action"',
            "error": "the bot says: this machine has no graphics card",
        }.items()
    ],
]


def test_a_stray_print_is_shown_to_its_author() -> None:
    """Whoever has left a print in sees the line that it printed, and knows where to look."""
    (game,) = play([RANDOM, misbehaving("prints_text", "I play a 7"), RANDOM])
    _, evidence = only_fault(game)
    assert evidence.figures.startswith("stdout: 'I play a 7\\n")


@pytest.mark.parametrize(("number", "case"), list(enumerate(STARTS)), ids=map(str, STARTS))
def test_a_bot_without_a_good_hello_does_not_start(number: int, case: Case) -> None:
    """A bot that fails before the game gets a verdict of its own, and its seat is played on."""
    mark = new_mark()
    seats = 3 + number % 2
    bots = [RANDOM] * seats
    bots[number % seats] = misbehaving(case.bot, *case.words, mark)
    (game,) = play(bots, control=case.control)
    fault, _ = only_fault(game)
    assert (fault.verdict, fault.decision) == (case.verdict, 0)
    assert re.fullmatch(case.text, fault.text), fault.text
    assert_nothing_left(mark)


def test_a_bot_that_says_nothing_is_waited_for_only_so_long() -> None:
    """A bot that never says hello costs the time to start, not the evening."""
    mark = new_mark()
    control = TimeControl(GENEROUS.decision, GENEROUS.bank, 1500)
    (game,) = play([RANDOM, misbehaving("lies_in_hello", "nothing", mark), RANDOM], control=control)
    fault, evidence = only_fault(game)
    assert fault.verdict == START_FAILED
    assert fault.text == f"no hello: {LATE}"
    assert "allowed 1500 ms" in evidence.figures
    assert_nothing_left(mark)


@pytest.mark.parametrize(
    ("run", "text"),
    [
        ("no-such-program", "cannot run 'no-such-program': No such file or directory"),
        ("./no-such-program", "cannot run './no-such-program': No such file or directory"),
        ("./honest.py", "cannot run './honest.py': Permission denied"),
        ("./", "cannot run './': Permission denied"),
        ("nul\0", "cannot run 'nul\\x00': Invalid argument"),
    ],
)
def test_a_program_that_cannot_be_run_is_named(run: str, text: str) -> None:
    """A slip in the command line is told with the word that is wrong, in every game."""
    broken = replace(misbehaving("honest"), run=(run,))
    games = play([RANDOM, RANDOM, broken], 2)
    for game in games:
        fault, _ = only_fault(game)
        assert (fault.verdict, fault.text) == (START_FAILED, text)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """Whoever has moved a bot's folder is told so, rather than that Python is missing."""
    missing = replace(misbehaving("honest"), folder=tmp_path / "moved")
    with pytest.raises(FolderError, match="moved: no such directory"):
        play([RANDOM, missing, RANDOM])


@pytest.mark.parametrize("name", ["answers_in_pieces", "ignores_sigterm"])
def test_a_bot_that_is_only_odd_plays_to_the_end(name: str) -> None:
    """What a bot may do costs it nothing, whatever it looks like."""
    mark = new_mark()
    for seat in range(3):
        bots = [RANDOM] * 3
        bots[seat] = misbehaving(name, mark)
        (game,) = play(bots)
        assert game.played.verdicts == [FINISHED] * 3, game.played.faults
    assert_nothing_left(mark)


def test_nothing_that_a_bot_starts_survives_it() -> None:
    """Children, daemons, and processes that keep forking are gone when the match is over."""
    mark = new_mark()
    (game,) = play([RANDOM, misbehaving("forks_and_leaves_children", mark), RANDOM])
    assert game.played.verdicts == [FINISHED] * 3, game.played.faults
    assert_nothing_left(mark)


@pytest.mark.parametrize("kind", ["one-frame", "zeros", "answers"])
def test_a_stream_without_end_is_cut_off(kind: str) -> None:
    """A bot that writes without end neither fills the referee's memory nor holds up the game."""
    mark = new_mark()
    play([RANDOM] * 3)
    before = resident()
    (game,) = play([RANDOM, RANDOM, misbehaving("endless_stream", kind, mark)])
    assert resident() - before < MEMORY
    fault, evidence = only_fault(game)
    assert fault.verdict == PROTOCOL
    assert len(evidence.received) <= 2000
    assert_nothing_left(mark)


@pytest.mark.parametrize(("amount", "verdict"), [("--some", FINISHED), ("--without-end", TIMEOUT)])
def test_a_flood_on_stderr_is_drained_and_not_kept(amount: str, verdict: str) -> None:
    """A talkative bot is not blocked, does not fill the memory, and gains no time by it."""
    mark = new_mark()
    play([RANDOM] * 3)
    before = resident()
    (game,) = play([misbehaving("floods_stderr", amount, mark), RANDOM, RANDOM], control=STRICT)
    assert resident() - before < MEMORY
    assert game.played.verdicts == [verdict, FINISHED, FINISHED]
    for evidence in game.played.evidence:
        assert 0 < len(evidence.stderr) <= TAIL
        charged_in_time(evidence, STRICT)
    assert_nothing_left(mark)


def test_the_worst_table_comes_to_its_end() -> None:
    """Four bots that all fail, each in its way, are ranked by how long they held out."""
    mark = new_mark()
    bots = [
        misbehaving("exits_at_once", mark),
        misbehaving("prints_text", "hello", mark),
        misbehaving("exits_with_code_3", mark),
        BotSpec("nobody", ("no-such-program",), misbehaving("honest").folder, files=("honest.py",)),
    ]
    for game in play(bots, 4):
        played = game.played
        assert FINISHED not in played.verdicts
        decisions = {fault.seat: fault.decision for fault in played.faults}
        for one in range(4):
            for other in range(4):
                if decisions[one] > decisions[other]:
                    assert played.places[one] < played.places[other]
        assert len(played.evidence) == 4
    assert_nothing_left(mark)
