"""The codec of entries: the one way from an entry to its line, and from a line to its entry.

A line that is read is written again, and must come out the same to the byte. So there is one
form of an entry only: no key twice, none in another order, no white space.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, TypeVar

import msgspec

from arena.records.canonical import canonical_bytes
from arena.records.difference import malformed
from arena.records.entries import Entry
from arena.wording import brief

LONGEST_LINE = 1 << 29
"""In bytes: more than the longest block with all notes that its seats may make."""

WHOLE = "a whole line"
REMEDY = "; if its writer was killed, remove it, for example with `sed -i '$d'`"
"""What is said of a line that was not written to its end, where others before it were."""

T = TypeVar("T")

_entries: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)

_REASONS: dict[type[Exception], str] = {
    RecursionError: "too deep",
    UnicodeDecodeError: "not UTF-8",
}
"""What is said where a message of Python's would not help."""


def entry_line(entry: Entry) -> bytes:
    """Return an entry as its line, without the end of line."""
    return canonical_bytes(entry)


def read_entry(line: bytes) -> Entry:
    """Return the entry on a line without its end; raise `Difference` if it is malformed.

    Whether it follows from what comes before it, and from the rules, is not checked.
    """
    return read_form(line, _entries)


def read_form(line: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Return what is on a line; raise `Difference` if it is malformed."""
    try:
        value = decoder.decode(line)
    except msgspec.ValidationError as error:
        from arena.records._reasons import explained  # noqa: PLC0415 - slow, and seldom needed

        raise explained(str(error), decoder.type) from None
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


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file without their ends; raise `Difference` if the last has none."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if not line.endswith(b"\n"):
            wanted = WHOLE + REMEDY if number > 1 else WHOLE
            found = malformed("line", f"{len(line)} bytes without an end of line", wanted)
            found.line = number
            raise found
        yield line[:-1]


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
