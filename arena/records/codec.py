"""The codec of entries: the one way from an entry to its line, and from a line to its entry.

A line that is read is written again, and must come out the same to the byte. So there is one
form of an entry only: no key twice, none in another order, no white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, TypeVar

import msgspec
from msgspec import inspect

from arena.records.canonical import canonical_bytes
from arena.records.difference import Difference, malformed
from arena.records.entries import Entry
from arena.wording import brief

LONGEST_LINE = 1 << 29
"""In bytes: more than the longest block with all notes that its seats may make."""

WHOLE = "a whole line; if its writer was killed, remove it, for example with `sed -i '$d'`"
"""What is said of a line that was not written to its end."""

T = TypeVar("T")

_entries: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)
_ENTRIES = inspect.type_info(Entry)

_REASONS: dict[type[Exception], str] = {
    RecursionError: "too deep",
    UnicodeDecodeError: "not UTF-8",
}
"""What is said where a message of Python's would not help."""

_PLACE = re.compile(r"(?P<text>.*) - at `(?:key in )?\$(?P<place>.*)`", re.DOTALL)
_STEP = re.compile(r"\.(?P<key>[^.\[]+)|(?P<index>\[[0-9.]+\])")


def entry_line(entry: Entry) -> bytes:
    """Return an entry as its line, without the end of line."""
    return canonical_bytes(entry)


def read_entry(line: bytes) -> Entry:
    """Return the entry on a line without its end; raise `Difference` if it is malformed.

    Whether it follows from what comes before it, and from the rules, is not checked.
    """
    return _read(line, _entries, _ENTRIES)


def read_form(line: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Return what lies on a line beside a log; raise `Difference` if it is malformed."""
    return _read(line, decoder, inspect.type_info(decoder.type))


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file without their ends; raise `Difference` if the last has none."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if not line.endswith(b"\n"):
            found = malformed("line", f"{len(line)} bytes without an end of line", WHOLE)
            found.line = number
            raise found
        yield line[:-1]


def _read(line: bytes, decoder: msgspec.json.Decoder[T], form: inspect.Type) -> T:
    try:
        value = decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _explained(str(error), form) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        reason = _REASONS.get(type(error), str(error))
        raise malformed("line", f"{brief(_text(line[:20]))} ({reason})", "JSON") from None
    again = canonical_bytes(value)
    if again != line:
        at = next(
            (i for i, (a, b) in enumerate(zip(line, again, strict=False)) if a != b),
            min(len(line), len(again)),
        )
        raise malformed(
            "line",
            f"{brief(_text(line[at : at + 20]))} at byte {at}",
            f"canonical JSON, which has {brief(_text(again[at : at + 20]))} there",
        )
    return value


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _explained(message: str, form: inspect.Type) -> Difference:
    """Return the difference for what msgspec says is wrong with a value."""
    found = _PLACE.fullmatch(message)
    text, place = (found["text"], found["place"].lstrip(".")) if found else (message, "")
    if missing := re.fullmatch("Object missing required field `(.*)`", text):
        return malformed(_inside(place, missing[1]), "nothing", "this key")
    if unknown := re.fullmatch("Object contains unknown field `(.*)`", text, re.DOTALL):
        return malformed(_inside(place, brief(unknown[1])[1:-1]), "this key", "no such key")
    if wrong := re.fullmatch("Invalid (?:enum )?value (.*)", text, re.DOTALL):
        choices = _choices(form, place)
        return malformed(place, wrong[1], f"one of {', '.join(map(str, choices))}")
    if wanted := re.fullmatch("Expected (.*), got (.*)", text, re.DOTALL):
        return malformed(place or "line", wanted[2].strip("`"), wanted[1].replace("`", ""))
    return malformed(
        place or "line", "another value", text.removeprefix("Expected ").replace("`", "")
    )


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _choices(form: inspect.Type, place: str) -> list[object]:
    """Return the values that the type allows at a place, which is one of few words."""
    for step in _STEP.finditer(f".{place}"):
        form = _under(form, step["key"])
    if isinstance(form, inspect.LiteralType):
        return list(form.values)
    return []


def _under(form: inspect.Type, key: str | None) -> inspect.Type:
    """Return the type of what lies in a value of this type, under a key or in an array."""
    while isinstance(form, inspect.Metadata):
        form = form.type
    if isinstance(form, inspect.UnionType):
        structs = [each for each in form.types if isinstance(each, inspect.StructType)]
        if key == structs[0].tag_field:
            return inspect.LiteralType(tuple(each.tag for each in structs))
        for each in structs:
            for field in each.fields:
                if field.encode_name == key:
                    return field.type
    if isinstance(form, inspect.StructType):
        return next(field.type for field in form.fields if field.encode_name == key)
    if isinstance(form, inspect.VarTupleType | inspect.CollectionType):
        return form.item_type
    return form
