"""The codec: an entry has one form only, and whatever has another is refused by its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, read_entry
from arena.records.difference import Difference

from .generated import ENTRIES, KINDS

pytestmark = pytest.mark.source_only

BLOCK: dict[str, Any] = {
    "contestants": [1, 0],
    "entry": "block",
    "games": [
        {
            "actions": [["play", 3], ["pass"]],
            "faults": [{"decision": 1, "seat": 0, "text": "late", "verdict": "timeout"}],
            "notes": [[0, "why"]],
            "places": [2, 1],
            "scores": [-4, 7],
        },
        {"actions": [["pass"]], "places": [1, 1], "scores": [0, 0]},
    ],
    "key": "ab" * 32,
    "number": 7,
}
OPEN: dict[str, Any] = {
    "commitment": "cd" * 32,
    "contest": {
        "fresh": False,
        "game": "castors",
        "limits": {"memory_mb": 512},
        "name": "friday",
        "rules": {"laps": 3},
        "sandbox": "auto",
        "suspend": True,
        "tables": [2],
        "time": {"bank": 10, "decision": 5, "start": 7},
        "version": "1",
    },
    "entry": "open",
    "format": 2,
}


def refused(line: bytes) -> Difference:
    """What is said of a line that is refused."""
    with pytest.raises(Difference) as found:
        read_entry(line)
    said = str(found.value)
    assert len(said.splitlines()) == 1
    assert "; expected " in said
    return found.value


def changed(entry: dict[str, Any], path: tuple[str | int, ...], value: object) -> bytes:
    """The line of an entry that has this value at a place; `...` removes what is there."""
    copy = json.loads(json.dumps(entry))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return canonical_bytes(copy)


@pytest.mark.parametrize("kind", KINDS)
def test_entries_of_every_kind_are_read_as_they_were_written(kind: str) -> None:
    """Reading and writing again gives the same bytes, for whatever the types allow."""

    @given(KINDS[kind])
    def check(entry: Any) -> None:
        line = entry_line(entry)
        assert b"\n" not in line
        again = read_entry(line)
        assert type(again) is type(entry)
        assert entry_line(again) == line

    check()


@given(ENTRIES)
def test_an_entry_is_canonical_json_for_everybody(entry: Any) -> None:
    """Python's own JSON, with sorted keys and no white space, reads and writes the same values."""
    line = entry_line(entry)
    value = json.loads(line)
    assert canonical_bytes(value) == line
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(plain) == value


@given(ENTRIES, st.data())
def test_a_key_twice_is_refused(entry: Any, data: st.DataObject) -> None:
    """A parser that takes the first and one that takes the last would see two entries."""
    value = json.loads(entry_line(entry))
    key = data.draw(st.sampled_from(sorted(value)))
    twice = b'{"%s":%s,' % (key.encode(), canonical_bytes(value[key]))
    refused(entry_line(entry).replace(b"{", twice, 1))


@given(ENTRIES)
def test_another_order_of_keys_is_refused(entry: Any) -> None:
    """Keys are sorted."""
    value = json.loads(entry_line(entry))
    assume(len(value) > 1)
    backwards = dict(sorted(value.items(), reverse=True))
    line = json.dumps(backwards, separators=(",", ":"), ensure_ascii=False).encode()
    assert "canonical JSON" in refused(line).wanted


@given(ENTRIES, st.sampled_from([b" ", b"\t", b"\r"]), st.data())
def test_white_space_is_refused(entry: Any, white: bytes, data: st.DataObject) -> None:
    """There is none, at the ends or around a value."""
    line = entry_line(entry)
    at = data.draw(st.sampled_from([0, 1, len(line) - 1, len(line)]))
    refused(line[:at] + white + line[at:])


REFUSED: list[tuple[dict[str, Any], tuple[str | int, ...], object, str, str]] = [
    (BLOCK, ("number",), 7.0, "number", "int"),
    (BLOCK, ("number",), 7.5, "number", "int"),
    (BLOCK, ("number",), True, "number", "int"),
    (BLOCK, ("number",), "7", "number", "int"),
    (BLOCK, ("number",), None, "number", "int"),
    (BLOCK, ("number",), -1, "number", ">= 0"),
    (BLOCK, ("number",), 1 << 53, "number", "<"),
    (BLOCK, ("number",), 10**30, "number", ""),
    (BLOCK, ("number",), ..., "number", "this key"),
    (BLOCK, ("lucky",), 1, "lucky", "no such key"),
    (BLOCK, ("attempt",), 0, "line", "canonical JSON"),
    (BLOCK, ("key",), "AB" * 32, "key", "str matching"),
    (BLOCK, ("key",), "ab" * 31, "key", "str matching"),
    (BLOCK, ("contestants",), [], "contestants", "length >= 1"),
    (BLOCK, ("contestants", 1), "ada", "contestants[1]", "int"),
    (BLOCK, ("games",), {}, "games", "array"),
    (BLOCK, ("games", 0, "scores", 0), 0.5, "games[0].scores[0]", "int"),
    (BLOCK, ("games", 0, "places", 0), 0, "games[0].places[0]", ">= 1"),
    (BLOCK, ("games", 0, "actions", 0), [], "games[0].actions[0]", "length >= 1"),
    (BLOCK, ("games", 0, "actions", 0), "pass", "games[0].actions[0]", "array"),
    (BLOCK, ("games", 0, "notes", 0), [0], "games[0].notes[0]", "length 2"),
    (BLOCK, ("games", 0, "notes", 0, 1), "", "games[0].notes[0][1]", "length >= 1"),
    (BLOCK, ("games", 0, "faults", 0, "verdict"), "lazy", "verdict", "one of crashed, illegal"),
    (BLOCK, ("games", 0, "faults", 0, "seat"), ..., "games[0].faults[0].seat", "this key"),
    (BLOCK, ("games", 1, "faults"), [], "line", "canonical JSON"),
    (BLOCK, ("games", 1, "shuffles"), [], "games[1].shuffles", "no such key"),
    (BLOCK, ("entry",), "party", "entry", "one of open, enter, change, beacon, block, annul"),
    (BLOCK, ("entry",), ..., "entry", "this key"),
    (OPEN, ("format",), 1, "format", "one of 2"),
    (OPEN, ("format",), 3, "format", "one of 2"),
    (OPEN, ("first_game",), 0, "line", "canonical JSON"),
    (OPEN, ("contest", "kind"), "ladder", "line", "canonical JSON"),
    (OPEN, ("contest", "kind"), "party", "contest.kind", "one of ladder, match"),
    (OPEN, ("contest", "name"), "../x", "contest.name", "str matching"),
    (OPEN, ("contest", "tables"), [], "contest.tables", "length >= 1"),
    (OPEN, ("contest", "tables", 0), 257, "contest.tables[0]", "<= 256"),
    (OPEN, ("contest", "time", "bank"), ..., "line", "canonical JSON"),
    (OPEN, ("contest", "time", "bank"), 86_400_001, "contest.time.bank", "<= 86400000"),
    (OPEN, ("contest", "limits", "files"), -1, "contest.limits[...]", ">= 0"),
    (OPEN, ("contest", "seed"), None, "line", "canonical JSON"),
    (OPEN, ("contest", "suspend"), 1, "contest.suspend", "bool"),
]


@pytest.mark.parametrize(
    ("entry", "path", "value", "place", "wanted"),
    REFUSED,
    ids=[".".join(map(str, path)) + f"={value}" for _, path, value, _, _ in REFUSED],
)
def test_what_is_wrong_is_named_with_its_place(
    entry: dict[str, Any], path: tuple[str | int, ...], value: object, place: str, wanted: str
) -> None:
    """A value of another type or out of bounds, a key too many or too few, a default."""
    found = refused(changed(entry, path, value))
    assert found.place.endswith(place), found
    assert wanted in found.wanted, found


def test_a_word_that_is_none_of_few_is_shown_on_one_line() -> None:
    """It comes from a stranger's file, and can neither fill nor control the terminal."""
    assert refused(changed(BLOCK, ("entry",), "a\n\x1b[2J'")).says == '"a??[2J\'"'
    assert len(refused(changed(BLOCK, ("entry",), "party" * 1000)).says) <= 60


def test_a_number_out_of_range_is_named_with_its_place() -> None:
    """An action has whatever JSON has, but no number of thousands of digits."""
    line = changed(BLOCK, ("games", 0, "actions", 0, 1), 7).replace(b"7]", b"9" * 5000 + b"]", 1)
    found = refused(line)
    assert found.place == "games[0].actions[0][1]"
    assert found.says == "a number out of range"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"nothing",
        b"\xff\xfe\x00",
        b'{"entry":"\xff"}',
        b'{"entry":"\\ud800"}',
        b"[" * 200_000,
        b'{"contestants":' + b"[" * 200_000,
        b"9" * 1_000_000,
        b'{"number":' + b"9" * 1_000_000 + b"}",
        b'{"number":1e999}',
        b'{"number":NaN}',
        b"[]",
        b"null",
        b"{}",
    ],
    ids=lambda line: repr(line[:20]),
)
def test_what_is_no_entry_is_refused(line: bytes) -> None:
    """Rubbish, depth and size end in one short line, never in an error of another kind."""
    assert len(str(refused(line))) < 300


def test_a_line_of_an_entry_is_what_it_always_was() -> None:
    """Logs of today are read for ever: the bytes of an entry do not change."""
    assert entry_line(read_entry(canonical_bytes(BLOCK))) == (
        b'{"contestants":[1,0],"entry":"block","games":[{"actions":[["play",3],["pass"]],"faults":'
        b'[{"decision":1,"seat":0,"text":"late","verdict":"timeout"}],"notes":[[0,"why"]],"places":'
        b'[2,1],"scores":[-4,7]},{"actions":[["pass"]],"places":[1,1],"scores":[0,0]}],"key":"'
        + b"ab" * 32
        + b'","number":7}'
    )
