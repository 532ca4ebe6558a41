"""The schema of an export's first and last line: their exact keys, types and order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from arena.records.difference import malformed
from arena.records.record import canonical
from arena.records.record_schema import (
    U64,
    Validator,
    any_map,
    array,
    integer,
    map_of,
    name,
    sha256_text,
    text,
)
from arena.referee.clock import DAY
from arena.sandbox.limits import LEAST, LIMITS, MOST
from arena.wording import brief

MOST_CONTESTANTS = 500
"""The most contestants a ladder can ever have; counts of pairs grow with the square of it."""
MOST_SEATS = 256


def parse(line: bytes) -> Any:
    """Return the value of a line of canonical JSON; raise `ValueError` if it is not one."""
    said = line.decode()
    value = json.loads(said)
    if canonical(value) + "\n" != said:
        raise ValueError("not in canonical form")
    return value


def check_head(values: object) -> None:
    """Raise `Difference` unless the first line has the right form and its parts agree."""
    _HEAD(values, "")
    assert isinstance(values, Mapping)
    contestants, tables = values["contestants"], values["terms"]["tables"]
    if len(contestants) > MOST_CONTESTANTS:
        raise malformed("contestants", f"{len(contestants)} of them", f"{MOST_CONTESTANTS} at most")
    if len({each["digest"] for each in contestants}) < len(contestants):
        raise malformed("contestants", "a digest twice", "each contestant once")
    _ascending(tables, "terms.tables")
    _ascending([entry["block"] for entry in values["entries"]], "entries.block", first=0)
    for at, entry in enumerate(values["entries"]):
        place = f"entries[{at}].contestants"
        _ascending(entry["contestants"], place)
        if len(entry["contestants"]) < max(tables):
            got = f"{len(entry['contestants'])} of them"
            raise malformed(place, got, f"enough for a table of {max(tables)}")
        if entry["contestants"][-1] >= len(contestants):
            wanted = f"numbers below {len(contestants)}, as there are so many contestants"
            raise malformed(place, brief(entry["contestants"][-1]), wanted)


def check_terms(values: object) -> None:
    """Raise `Difference` unless these are the terms of a ladder."""
    _TERMS(values, "terms")


def check_entrants(values: object) -> None:
    """Raise `Difference` unless this is a list of contestants' numbers."""
    array(integer(0, U64))(values, "entry")


def check_timings(values: object, seats: int) -> None:
    """Raise `Difference` unless the timings beside a record have all figures that are counted."""
    any_map(values, "timings")
    assert isinstance(values, Mapping)
    for key in ("decisions", "micros", "slowest"):
        numbers = values.get(key)
        array(integer(0))(numbers, f"timings.{key}")
        assert isinstance(numbers, list)
        if len(numbers) != seats:
            raise malformed(f"timings.{key}", brief(numbers), f"{seats} of them")


def check_tail(values: object) -> None:
    """Raise `Difference` unless the last line has the right form; standings are compared later."""
    _TAIL(values, "")


def _ascending(numbers: Sequence[int], place: str, first: int | None = None) -> None:
    if any(a >= b for a, b in pairwise(numbers)):
        raise malformed(place, brief(numbers), "each once, in ascending order")
    if first is not None and numbers and numbers[0] != first:
        raise malformed(place, brief(numbers), f"{first} to be the first")


def _truth(value: object, place: str) -> None:
    if not isinstance(value, bool):
        raise malformed(place, brief(value), "true or false")


def _some(item: Validator) -> Validator:
    def check(value: object, place: str) -> None:
        array(item)(value, place)
        if not value:
            raise malformed(place, "none", "one at least")

    return check


def _or_null(item: Validator) -> Validator:
    def check(value: object, place: str) -> None:
        if value is not None:
            item(value, place)

    return check


def _constant(wanted: object) -> Validator:
    def check(value: object, place: str) -> None:
        if type(value) is not type(wanted) or value != wanted:
            raise malformed(place, brief(value), brief(wanted))

    return check


def _hexadecimal(value: object, place: str) -> None:
    text(value, place)
    assert isinstance(value, str)
    try:
        same = bytes.fromhex(value).hex() == value
    except ValueError:
        same = False
    if not same:
        raise malformed(place, brief(value), "lower-case hexadecimal digits in pairs")


FORMAT = 1
HEAD, TAIL = "ladder", "standings"
CHECKS: Mapping[str, Callable[[object], None]] = {HEAD: check_head, TAIL: check_tail}

_milliseconds = integer(0, DAY + 1)
_TERMS = map_of(
    {
        "name": name,
        "game": name,
        "version": text,
        "rules": any_map,
        "tables": _some(integer(1, MOST_SEATS)),
        "time": map_of(dict.fromkeys(("decision", "bank", "start"), _milliseconds)),
        "sandbox": text,
        "limits": map_of({key: integer(LEAST.get(key, 1), MOST + 1) for key in LIMITS}),
        "suspend": _truth,
        "fresh": _truth,
        "seed": _or_null(text),
        "anchor": _or_null(name),
    }
)
_HEAD = map_of(
    {
        "arena": _constant(HEAD),
        "format": _constant(FORMAT),
        "terms": _TERMS,
        "contestants": array(map_of({"name": name, "version": text, "digest": sha256_text})),
        "entries": array(map_of({"block": integer(0, U64), "contestants": _some(integer(0, U64))})),
        "secret_sha256": sha256_text,
        "secret": _or_null(_hexadecimal),
        "closed": _truth,
    }
)
_TAIL = map_of(
    {
        "arena": _constant(TAIL),
        "games": integer(0, U64),
        "last_hash": sha256_text,
        "standings": array(any_map),
    }
)
