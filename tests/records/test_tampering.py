"""Verification: what holds passes, and whatever is changed is found and named."""

from __future__ import annotations

import copy
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.record import Record, chain
from arena.referee.replay import Replay
from arena.referee.verification import verify_records

from .recorded import (
    chained,
    difference,
    difference_in,
    faulty,
    games,
    line,
    sound,
    tampered,
)

GAMES = ("gargon", "castors")
OTHER_HASH = "0123456789abcdef" * 4

Change = Callable[[Record], Any]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("match", [sound, faulty])
def test_what_the_referee_recorded_holds(game: str, match: Callable[[str], Any]) -> None:
    """Records of real games pass, those with faults too."""
    assert difference(map(line, match(game))) is None


def test_faulty_matches_have_the_faults_that_these_tests_are_about() -> None:
    """One bot fails in the middle of a game, another one before it begins."""
    for record in (record for game in GAMES for record in faulty(game)):
        found = {fault["verdict"]: fault["decision"] for fault in record["faults"]}
        assert found["start-failed"] == 0
    assert any(
        fault["verdict"] == "illegal" and fault["decision"] > 9
        for game in GAMES
        for record in faulty(game)
        for fault in record["faults"]
    )


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_any_changed_byte_is_found(game: str, data: st.DataObject) -> None:
    """There is no byte in a record that could be another one."""
    records = sound(game)[:2]
    lines = [line(record) for record in records]
    at = data.draw(st.integers(0, 1))
    position = data.draw(st.integers(0, len(lines[at]) - 1))
    old = lines[at][position]
    new = data.draw(st.integers(0, 255).filter(lambda byte: byte != old))
    lines[at] = lines[at][:position] + bytes([new]) + lines[at][position + 1 :]
    # A new end of line makes two lines of one, as a file would have it.
    found = difference(b"".join(lines).splitlines(keepends=True) if new == 10 else lines)
    assert found is not None
    assert found.line is not None
    assert found.line >= at + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every value in a record."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_a_forger_who_mends_the_chain_gets_a_difference_or_nothing(
    game: str, data: st.DataObject
) -> None:
    """Whatever JSON stands where, verification says what is wrong; it never breaks down."""
    record = copy.deepcopy(data.draw(st.sampled_from([sound(game)[0], faulty(game)[0]])))
    *path, last = data.draw(st.sampled_from(list(_places(record))))
    inner = record
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(JSON)
    try:
        forged = line(chained([record])[0])
    except UnicodeEncodeError:
        return  # half a surrogate pair can be in no file
    found = difference([forged])
    assert found is None or found.line == 1


def _set(*path: Any, value: Any) -> Change:
    def change(record: Record) -> None:
        inner = record
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value

    return change


def _swap_places(record: Record) -> None:
    places = record["places"]
    best, worst = places.index(min(places)), places.index(max(places))
    places[best], places[worst] = places[worst], places[best]


FORGERIES: list[tuple[str, Change, str, str]] = [
    ("score", _set("scores", 1, value=lambda score: score + 1), "scores", "the rules say ["),
    ("places", _swap_places, "places", "the rules say ["),
    ("verdict", _set("verdicts", 0, value="timeout"), "verdicts", '"finished"'),
    ("unknown verdict", _set("verdicts", 0, value="lost"), "verdicts[0]", "one of finished"),
    ("verb", _set("actions", 3, 0, value="fly"), "actions[3]", 'expected "'),
    ("true for one", _set("actions", 3, value=["draw", True]), "actions[3]", "the rules say"),
    ("last action", lambda r: r["actions"].pop(), "actions", "the game goes on: seat"),
    (
        "one action more",
        lambda r: r["actions"].append(["draw"]),
        "actions[",
        "the game is over after",
    ),
    ("card", _set("shuffles", 0, 1, 5, value=lambda c: (c + 1) % 13), "shuffles[0][1]", "missing"),
    ("label", _set("shuffles", 0, 0, 0, value=7), "shuffles[0][0]", "the rules say [0"),
    ("no shuffle", lambda r: r["shuffles"].clear(), "shuffles[0]", "no more shuffles"),
    (
        "unused shuffle",
        lambda r: r["shuffles"].append([[9], [1]]),
        "shuffles[",
        "a shuffle with the labels [9]",
    ),
    ("game", _set("game", value="chess"), "game", "the plugin that brings chess is missing"),
    ("rules' version", _set("version", value="0"), "version", 'that are installed have "1"'),
    ("unknown rule", _set("rules", "open", value=1), "rules", "unknown rule 'open'"),
    ("rules left out", lambda r: r["rules"].clear(), "rules", "in full"),
    ("format", _set("format", value=2), "format", "the only format"),
    ("no format", lambda r: r.pop("format"), "format", "no format"),
    ("key left out", lambda r: r.pop("sandbox"), "sandbox", "nothing; expected this key"),
    ("unknown key", _set("rating", value=1500), "rating", "no such key"),
    ("seats", lambda r: r["scores"].pop(), "scores", "one for each of 3 bots"),
    ("score as text", _set("scores", 0, value="12"), "scores[0]", "an integer"),
    ("float", _set("scores", 0, value=1.5), "line", "not an integer"),
    ("null", _set("sandbox", value=None), "sandbox", "a text"),
    ("note at no decision", _set("notes", "99999", value="!"), "notes", "the game has"),
    ("note at a word", _set("notes", "last", value="!"), "notes", "the numbers of decisions"),
    ("empty note", _set("notes", "0", value=""), "notes.0", "1 to 500 bytes"),
    ("bot's name", _set("bots", 0, "name", value="[b]"), "bots[0].name", "a name"),
    ("digest", _set("bots", 0, "digest", value="12"), "bots[0].digest", "hexadecimal"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("change", "place", "text"),
    [pytest.param(*case[1:], id=case[0]) for case in FORGERIES],
)
def test_a_forgery_with_a_mended_chain_is_named(
    game: str, change: Change, place: str, text: str
) -> None:
    """What the rules decide cannot be forged, even by whoever makes all hashes fit again."""
    found = difference_in(tampered(sound(game), 2, change))
    assert found.line == 3
    assert found.place.startswith(place)
    assert text in str(found)


def _fault(seat: int, decision: int, verdict: str = "timeout") -> dict[str, Any]:
    return {"seat": seat, "decision": decision, "verdict": verdict, "text": "late"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("faults", "place", "text"),
    [
        ([_fault(3, 0)], "faults[0].seat", "0..2"),
        ([_fault(0, 0), _fault(0, 3)], "faults[1].seat", "a seat fails once at most"),
        ([_fault(0, 5), _fault(1, 4)], "faults[1].decision", "in the order of the game"),
        ([_fault(0, 5, "start-failed")], "faults[0].verdict", "only at decision 0"),
        ([_fault(0, 5, "finished")], "faults[0].verdict", "one of timeout"),
        ([_fault(0, 99999)], "faults[0].decision", "the game has"),
    ],
)
def test_made_up_faults_are_named(
    game: str, faults: list[dict[str, Any]], place: str, text: str
) -> None:
    """A fault is at a seat of the game, once, in order, and with a known verdict."""
    found = difference_in(tampered(sound(game), 0, _set("faults", value=faults)))
    assert (found.line, found.place) == (1, place)
    assert text in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_fault_is_only_where_the_seat_decides(game: str) -> None:
    """After the first decision only the seat in turn can fail."""
    record = sound(game)[0]
    seat = [step.seat for step in Replay(record, games()[game]).steps()][8]
    other = (seat + 1) % 3
    found = difference_in(tampered([record], 0, _set("faults", value=[_fault(other, 8)])))
    assert (found.place, found.decision) == ("faults[0].seat", 8)
    assert f"seat {seat} decides here" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_after_a_fault_only_default_actions_hold(game: str) -> None:
    """A fault that is left out or made up shows in the actions or in the result."""
    record = faulty(game)[0]
    found = difference_in(tampered([record], 0, _set("faults", value=[])))
    assert found.place in ("places", "verdicts")
    failed = record["faults"][0]["seat"]
    replay = Replay(record, games()[game])
    state = replay.state
    number = 0
    while state.turn != failed:
        state.apply(state.check(record["actions"][number]))
        number += 1
    other = next(action for action in state.actions() if action != state.default())
    found = difference_in(tampered([record], 0, _set("actions", number, value=list(other))))
    assert (found.place, found.decision) == (f"actions[{number}]", number)
    assert f"the default action, as seat {failed} has failed" in str(found)
    found = difference_in(tampered([record], 0, _set("notes", str(number), value="still here")))
    assert (found.place, found.decision) == (f"notes.{number}", number)


def test_an_action_that_is_not_canonical_is_named() -> None:
    """One action has one form."""
    record = sound("gargon")[0]
    number, action = next((n, a) for n, a in enumerate(record["actions"]) if len(set(a)) > 2)
    turned = [action[0], *reversed(action[1:])]
    found = difference_in(tampered([record], 0, _set("actions", number, value=turned)))
    assert (found.place, found.decision) == (f"actions[{number}]", number)
    if action[0] == "play":
        assert "in canonical form" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_rules_do_not_decide_is_held_by_the_hash(game: str) -> None:
    """Notes, bots, times and the texts of faults cannot be changed without a trace."""
    records = sound(game)
    note = next(iter(records[1]["notes"]))
    changes = [
        _set("notes", note, value="I knew it"),
        _set("bots", 0, "name", value="champion"),
        _set("time", "bank", value=1),
        _set("deal", "ladder", value="finals"),
        _set("hash", value=OTHER_HASH),
    ]
    for change in changes:
        found = difference_in(tampered(records, 1, change, rechain=False))
        assert (found.line, found.number, found.place) == (2, 1, "hash")
        assert "the rules do not decide" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_removed_added_and_moved_records_break_the_chain(game: str) -> None:
    """Every record names the one before it, and the first one that there is none."""
    a, b, c, d = sound(game)
    for records, at in (
        ([a, c, d], 2),
        ([b, c, d], 1),
        ([a, c, b, d], 2),
        ([a, b, b, c], 3),
        ([a, b, a], 3),
    ):
        found = difference_in(records)
        assert (found.line, found.place) == (at, "previous")
        assert "removed, added or moved" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_mended_chain_still_needs_ascending_numbers(game: str) -> None:
    """A game cannot be counted twice by chaining it in again."""
    a, b, _, _ = sound(game)
    found = difference_in(chained([a, b, b]))
    assert (found.line, found.place) == (3, "number")


RECORD = b'{"bots":[],"format":1,"game":"gargon"}\n'
"""As far as the first checks look."""


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (RECORD[:-1], "a whole line"),
        (RECORD[: len(RECORD) // 2], "a whole line"),
        (b" " + RECORD, "canonical JSON"),
        (RECORD.replace(b'"bots"', b'"bots" '), "canonical JSON"),
        (b'{"format":1,' + RECORD[1:], "canonical JSON"),
        (RECORD.replace(b"gargon", b"\\u0067argon"), "canonical JSON"),
        (RECORD.replace(b"gargon", b"\xff"), "UTF-8"),
        (b"[" * 100_000 + b"\n", "too deep"),
        (b"9" * 10_000 + b"\n", "JSON"),
        (b"[1]\n", "a JSON object"),
        (b"{}\n", "format"),
        (b"\n", "JSON"),
        (b'{"format":NaN}\n', "not an integer"),
        (b'{"format":"\\ud800"}\n', "canonical JSON"),
    ],
)
def test_other_lines_are_not_records(data: bytes, text: str) -> None:
    """A record has one form to the byte."""
    found = difference([data])
    assert found is not None
    assert (found.line, found.number) == (1, None)
    assert text in str(found)


def test_verification_is_a_stream() -> None:
    """Memory does not grow with the number of records."""
    record = sound("gargon")[0]

    def lines(count: int) -> Iterator[bytes]:
        previous = "0" * 64
        for number in range(count):
            linked = chain({**record, "number": number}, previous)
            previous = linked["hash"]
            yield line(linked)

    def peak(count: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in verify_records(lines(count), games())) == count
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(2)
    assert peak(60) < 1.5 * peak(6)
