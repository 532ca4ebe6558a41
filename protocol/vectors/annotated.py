"""A conversation as bytes, each group with what it means, for the specification."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from transcripts import Transcript

from arena.wire.codec import decode
from arena.wire.frames import HEADER

ROW = 12
"""Bytes a line."""
LONGEST = 50
"""Characters of a value that is explained on one line."""
FIXED_TEXT, FIXED_ARRAY, FIXED_MAP = 0xA0, 0x90, 0x80
NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
CONSTANTS = frozenset({0xC0, 0xC2, 0xC3})
TEXTS = {0xD9: 1, 0xDA: 2}
ARRAYS = {0xDC: 2}
MAPS = {0xDE: 2}

OPENING = """\
What passes between the referee and one rule bot in a game of Gang de Castors for two, with the
rule `laps` = 1. It is seat {seat} in `vectors/transcripts/castors-2.json`. Of its {acts} questions
the first is shown. Each line has bytes of a frame, and what they mean; a line without a meaning
goes on with the one above it.
"""


def conversation(transcript: Transcript) -> str:
    """The beginning and the end of a game for the seat that is asked first."""
    frames = transcript.frames
    seat = next(entry["seat"] for entry in frames if entry["t"] == "act")
    own = [entry for entry in frames if entry["seat"] == seat]
    parts = [OPENING.format(seat=seat, acts=sum(entry["t"] == "act" for entry in own))]
    seen = set()
    for entry in own:
        key = (entry["from"], entry["t"])
        if key not in seen:
            seen.add(key)
            parts.append(_frame(entry))
    return "\n".join(parts)


def _frame(entry: dict[str, Any]) -> str:
    data = bytes.fromhex(entry["hex"])
    names = {"referee": "The referee to the bot", "bot": "The bot to the referee"}
    lines = [f"{names[entry['from']]}: `{entry['t']}`", "", "```"]
    lines += _group(data[:HEADER], 0, f"a body of {len(data) - HEADER} bytes")
    lines += _value(data, HEADER, 0, b"", "")
    return "\n".join([*lines, "```", ""])


def _value(data: bytes, at: int, depth: int, key: bytes, name: str) -> Iterator[str]:
    """The lines of the value at this place, after its key if it has one."""
    end = _end(data, at)
    whole = data[at:end]
    value = decode(b"\x81\xa0" + whole)[""]
    text = json.dumps(value, ensure_ascii=False)
    size, count, is_map = _head(data, at)
    if depth and (not count or len(text) <= LONGEST):
        yield from _group(key + whole, depth, name + text)
        return
    shown = f"a map of {count}" if is_map else f"an array of {count}"
    yield from _group(key + data[at : at + size], depth, name + shown)
    at += size
    for _ in range(count):
        inner, title = b"", ""
        if is_map:
            after = _end(data, at)
            inner = data[at:after]
            title = json.dumps(decode(b"\x81" + inner + b"\xc0").popitem()[0]) + ": "
            at = after
        yield from _value(data, at, depth + 1, inner, title)
        at = _end(data, at)


def _head(data: bytes, at: int) -> tuple[int, int, bool]:
    """Of an array or a map: the bytes of its head, its length, whether it is a map."""
    first = data[at]
    if first & 0xF0 in (FIXED_ARRAY, FIXED_MAP):
        return 1, first & 0x0F, first & 0xF0 == FIXED_MAP
    for heads in (ARRAYS, MAPS):
        if first in heads:
            width = heads[first]
            return 1 + width, int.from_bytes(data[at + 1 : at + 1 + width], "big"), heads is MAPS
    return 0, 0, False


def _end(data: bytes, at: int) -> int:
    """Where the value at this place ends."""
    first = data[at]
    if first < FIXED_MAP or first >= 0xE0 or first in CONSTANTS:
        return at + 1
    if first in NUMBERS:
        return at + 1 + NUMBERS[first]
    if first & 0xE0 == FIXED_TEXT:
        return at + 1 + (first & 0x1F)
    if first in TEXTS:
        width = TEXTS[first]
        return at + 1 + width + int.from_bytes(data[at + 1 : at + 1 + width], "big")
    size, count, is_map = _head(data, at)
    if not size:
        raise ValueError(f"no explanation for a value that starts with {first:#x}")
    at += size
    for _ in range(count * (1 + is_map)):
        at = _end(data, at)
    return at


def _group(data: bytes, depth: int, text: str) -> Iterator[str]:
    """Bytes with their meaning, over several lines if they are many."""
    for start in range(0, len(data), ROW):
        row = data[start : start + ROW].hex(" ").ljust(3 * ROW)
        yield (row + "  " * depth + text if not start else row).rstrip()
