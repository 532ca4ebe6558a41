"""The schema of a record: one line of canonical JSON with exactly the format's keys and types."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, NoReturn, TypeAlias

from arena.names import check_name
from arena.records.difference import malformed
from arena.records.record import FORMAT, Record, canonical
from arena.records.verdicts import FINISHED, MEANINGS
from arena.wire.messages import LONGEST_NOTE_BYTES
from arena.wording import brief

LONGEST_LINE = 1 << 29
"""In bytes: more than the longest game with all notes that its seats may make."""
U32 = 1 << 32
U64 = 1 << 64

Validator: TypeAlias = Callable[[object, str], None]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_DECISION = re.compile(r"0|[1-9][0-9]{0,8}")


def record_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file of records, cut off where they are longer than a record can be."""
    while line := file.readline(LONGEST_LINE):
        yield line


def read_record(line: bytes) -> Record:
    """Return the record on a line; raise `Difference` if it is malformed.

    Whether the game follows its rules is not checked.
    """
    record = _parse(line)
    if record.get("format") != FORMAT or type(record["format"]) is not int:
        got = brief(record["format"]) if "format" in record else "no format"
        raise malformed("format", got, f"{FORMAT}, the only format that this version can read")
    RECORD(record, "")
    seats = len(record["bots"])
    for key in ("scores", "places", "verdicts"):
        if len(record[key]) != seats:
            raise malformed(key, f"{len(record[key])} of them", f"one for each of {seats} bots")
    return record


def read_timings(line: bytes) -> dict[str, Any]:
    """Return the timings of a game on a line; `Difference` if there are none."""
    timings = _parse(line)
    _TIMINGS(timings, "")
    return timings


def _parse(line: bytes) -> dict[str, Any]:
    if not line.endswith(b"\n"):
        raise malformed("line", f"{len(line)} bytes without an end of line", "a whole line")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise malformed("line", f"a wrong byte at {error.start}", "UTF-8") from None
    try:
        value = json.loads(text, parse_float=_no_float, parse_constant=_no_float)
        again = canonical(value) + "\n"
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "too deep"
        raise malformed("line", f"no JSON that a record may hold ({reason})", "JSON") from None
    if not isinstance(value, dict):
        raise malformed("line", brief(value), "a JSON object")
    if again != text:
        at = next(
            (i for i, (a, b) in enumerate(zip(text, again, strict=False)) if a != b),
            min(len(text), len(again)),
        )
        raise malformed(
            "line",
            f"{brief(text[at : at + 20])} at character {at}",
            f"canonical JSON, which has {brief(again[at : at + 20])} there",
        )
    return value


def _no_float(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:20]}, which is not an integer")


# Validators of values


def integer(low: int, below: int | None = None) -> Validator:
    """Return a validator of integers from `low` on, and below `below` if it is given."""
    wanted = f"an integer from {low}" + (f" to {below - 1}" if below else " on")

    def check(value: object, place: str) -> None:
        if type(value) is not int or value < low or (below and value >= below):
            raise malformed(place, brief(value), wanted)

    return check


def text(value: object, place: str) -> None:
    """Accept any text."""
    if not isinstance(value, str):
        raise malformed(place, brief(value), "a text")


def sha256_text(value: object, place: str) -> None:
    """Accept a SHA-256 in hexadecimal."""
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise malformed(place, brief(value, 80), "64 lower-case hexadecimal digits")


def name(value: object, place: str) -> None:
    """Accept a name as games and bots have them."""
    try:
        check_name(place, value)
    except ValueError:
        raise malformed(place, brief(value), "a name as games and bots have them") from None


def _choice(values: Mapping[str, str]) -> Validator:
    def check(value: object, place: str) -> None:
        if not isinstance(value, str) or value not in values:
            raise malformed(place, brief(value), f"one of {', '.join(values)}")

    return check


def array(item: Validator) -> Validator:
    """Return a validator of arrays of such items."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, list):
            raise malformed(place, brief(value), "an array")
        for at, element in enumerate(value):
            item(element, f"{place}[{at}]")

    return check


def any_map(value: object, place: str) -> None:
    """Accept a map with any keys."""
    if not isinstance(value, dict):
        raise malformed(place, brief(value), "a map")


def map_of(fields: Mapping[str, Validator]) -> Validator:
    """Return a validator of maps with exactly these keys."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise malformed(place, brief(value), "a map")
        start = f"{place}." if place else ""
        for key, item in fields.items():
            if key not in value:
                raise malformed(f"{start}{key}", "nothing", "this key")
            item(value[key], f"{start}{key}")
        for key in value:
            if key not in fields:
                raise malformed(f"{start}{brief(key)[1:-1]}", "this key", "no such key")

    return check


def map_with(fields: Mapping[str, Validator]) -> Validator:
    """Return a validator of maps with at least these keys."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise malformed(place, brief(value), "a map")
        for key, item in fields.items():
            where = f"{place}.{key}" if place else key
            if key not in value:
                raise malformed(where, "nothing", "this key")
            item(value[key], where)

    return check


def _shuffle(value: object, place: str) -> None:
    if not isinstance(value, list) or len(value) != 2:
        raise malformed(place, brief(value), "two arrays, the labels and the cards")
    array(integer(0, U32))(value[0], f"{place}[0]")
    array(integer(0))(value[1], f"{place}[1]")


def _action(value: object, place: str) -> None:
    if not isinstance(value, list) or not value:
        raise malformed(place, brief(value), "an array that starts with a verb")


def _notes(value: object, place: str) -> None:
    if not isinstance(value, dict):
        raise malformed(place, brief(value), "a map")
    for key, note in value.items():
        if not _DECISION.fullmatch(key):
            raise malformed(place, f"a note at {brief(key)}", "the numbers of decisions as keys")
        if not isinstance(note, str) or not 1 <= len(note.encode()) <= LONGEST_NOTE_BYTES:
            wanted = f"1 to {LONGEST_NOTE_BYTES} bytes of UTF-8"
            raise malformed(f"{place}.{key}", brief(note), wanted)


RECORD = map_of(
    {
        "number": integer(0),
        "game": name,
        "version": text,
        "rules": any_map,
        "deal": map_of(
            {
                "ladder": text,
                "block": integer(0, U64),
                "rotation": integer(0, U32),
                "attempt": integer(0, U32),
                "secret_sha256": sha256_text,
            }
        ),
        "bots": array(map_of({"name": name, "version": text, "digest": sha256_text})),
        "time": map_of({"decision": integer(0), "bank": integer(0), "start": integer(0)}),
        "sandbox": text,
        "shuffles": array(_shuffle),
        "actions": array(_action),
        "notes": _notes,
        "faults": array(
            map_of(
                {
                    "seat": integer(0),
                    "decision": integer(0),
                    "verdict": _choice({v: m for v, m in MEANINGS.items() if v != FINISHED}),
                    "text": text,
                }
            )
        ),
        "scores": array(integer(-U64, U64)),
        "places": array(integer(1)),
        "verdicts": array(_choice(MEANINGS)),
        "previous": sha256_text,
        "hash": sha256_text,
        "format": integer(FORMAT),
    }
)

_TIMINGS = map_of(
    {
        "number": integer(0),
        "micros": array(integer(0)),
        "waits": any_map,
        "evidence": array(any_map),
        "attempts": array(any_map),
    }
)

_PLAYED = map_with(
    {
        "deal": map_with({"block": integer(0, U64)}),
        "bots": array(map_with({"digest": text})),
        "scores": array(integer(-U64, U64)),
        "places": array(integer(1)),
        "verdicts": array(_choice(MEANINGS)),
    }
)


def check_played(record: object) -> int:
    """Return the number of seats; raise `Difference` if results cannot be counted from a record."""
    _PLAYED(record, "")
    assert isinstance(record, dict)
    seats = len(record["bots"])
    for key in ("scores", "places", "verdicts"):
        if len(record[key]) != seats or not seats:
            raise malformed(key, f"{len(record[key])} of them", f"one for each of {seats} bots")
    return seats
