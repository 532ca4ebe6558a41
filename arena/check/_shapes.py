"""What bytes are that should have been a frame: the usual mistakes, told by the bytes alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import msgpack

from arena.check._languages import Words
from arena.check._symptoms import Finding
from arena.wire.codec import decode, map_size
from arena.wire.frames import HEADER, LARGEST

SHOWN = 80
"""Longer texts are cut to this many characters."""
_DIGITS = re.compile(rb"\s*\d{1,10}[\s:,]*")
_LINE_END = re.compile(rb"(\r\n|\n|\r)+")
_JSON = re.compile(rb"\s*[{\[]")
_WIDTHS = (1, 2, 8)
"""Sizes in bytes of lengths that are not the four of the protocol."""


def shape(data: bytes, words: Words) -> Finding | None:
    """Return what these bytes are, from the start of a frame on; None if that cannot be told."""
    if not data:
        return None
    return next((found for tell in _TELLERS if (found := tell(data, words))), None)


def stray_text(data: bytes) -> str:
    """Return the text at the start of these bytes, or "" if they start like a frame.

    The first byte of a frame is always 0, as no frame is longer; text has no such byte.
    """
    if not data or not (32 <= data[0] < 127 or data[0] in b"\t\r\n"):
        return ""
    text = data.split(b"\0")[0][:SHOWN].decode(errors="replace")
    return "".join(c if c.isprintable() or c in "\t\r\n" else "." for c in text)


def frames_in(data: bytes) -> int:
    """Return how many whole frames are somewhere in these bytes, whatever stands between them."""
    count = at = 0
    while (at := data.find(b"\0", at)) >= 0:
        size = _length(data[at:])
        if size and map_size(data[at + HEADER : at + HEADER + size]) == size:
            count += 1
            at += HEADER + size
        else:
            at += 1
    return count


def odd_place(data: bytes) -> str:
    """Return which key or value in a frame msgpack has, but not the protocol; "" if none is found.

    The library reads more than the arena does.
    """
    body = data[HEADER : HEADER + _length(data)]
    try:
        value = msgpack.unpackb(body, strict_map_key=False)
    except Exception:  # noqa: BLE001 - whatever it is, the bytes do not say more
        return ""
    return next(_odd(value, "the message"), "")


def _odd(value: object, place: str) -> Iterator[str]:
    """Yield where something stands that the protocol does not have."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _odd(inner, key if place == "the message" else f"{place}.{key}")
            else:
                yield f"the key {_cut_text(repr(key))} in {place}"
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _odd(inner, f"{place}[{number}]")
    elif isinstance(value, (bytes, msgpack.ExtType, msgpack.Timestamp)):
        yield f"{place} is {_cut_text(repr(value))}"


def _length(data: bytes) -> int:
    """Return the length that the first four bytes say."""
    return int.from_bytes(data[:HEADER], "big")


def _is_text(data: bytes) -> bool:
    return bool(data) and all(32 <= byte < 127 or byte in b"\t\r\n" or byte >= 128 for byte in data)


def _json(data: bytes, words: Words) -> Finding | None:
    """JSON, with a length before it or without."""
    remedy = f"The body of a frame is msgpack, not JSON: {words.pack}"
    if len(data) > HEADER and data[0] == 0 and _JSON.match(data[HEADER:]):
        text = data[HEADER : HEADER + _length(data)]
        if _is_text(text):
            return Finding(f"a frame whose body is JSON, not msgpack: {_cut(text)}", remedy)
    if _JSON.match(data) and _is_text(line := data.split(b"\n")[0]):
        remedy += f". Before it come the four bytes of its length: {words.length}"
        return Finding(f"JSON, not a frame: {_cut(line)}", remedy)
    return None


def _text_length(data: bytes, words: Words) -> Finding | None:
    """A length that is written in digits."""
    digits = _DIGITS.match(data)
    if digits is None or not map_size(data[digits.end() :]):
        return None
    return Finding(
        f"a length that is written as text: {_cut(digits[0])}",
        f"The length is four bytes, the most significant first, not digits: {words.length}",
    )


def _no_length(data: bytes, words: Words) -> Finding | None:
    """A map without a length before it."""
    if not (size := map_size(data)):
        return None
    return Finding(
        f"a msgpack map of {size} bytes without its length before it",
        f"Before every map come four bytes with its length: {words.length}",
    )


def _little_endian(data: bytes, words: Words) -> Finding | None:
    """A length with its least significant byte first."""
    little = int.from_bytes(data[:HEADER], "little")
    if little in (0, _length(data)) or little != map_size(data[HEADER:]):
        return None
    return Finding(
        f"a length that is little-endian: {data[:HEADER].hex(' ')}, which is {_length(data)}, "
        f"before a map of {little} bytes",
        f"The most significant byte of a length comes first: {words.length}",
    )


def _other_width(data: bytes, words: Words) -> Finding | None:
    """A length of more or fewer bytes than four."""
    for width in _WIDTHS:
        head = data[:width]
        size = map_size(data[width:])
        if size and size in (int.from_bytes(head, "big"), int.from_bytes(head, "little")):
            return Finding(
                f"a length of {width} byte{'s' * (width > 1)}, {head.hex(' ')}, before a map of "
                f"{size} bytes",
                f"A length has four bytes, the most significant first: {words.length}",
            )
    return None


def _as_characters(data: bytes, words: Words) -> Finding | None:
    """A frame that was written as text, so that bytes from 0x80 on became two."""
    try:
        meant = data.decode("utf-8").encode("latin-1")
    except UnicodeError:
        return None
    if meant == data or _length(meant) != map_size(meant[HEADER:]):
        return None
    return Finding(
        "a frame that was written as text: each of its bytes above 0x7f came as two, as UTF-8 "
        "writes it",
        f"Write bytes, not characters: {words.binary}. Then flush: {words.flush}",
    )


def _wrong_number(data: bytes, words: Words) -> Finding | None:
    """A length that is not that of the map after it."""
    length = _length(data)
    size = map_size(data[HEADER:])
    if not size or length == size or length > LARGEST:
        return None
    got = f"a length of {length} before a map of {size} bytes"
    remedy = "The length is that of the packed map alone, in bytes, with nothing after it"
    if length == size + HEADER:
        why = "it counts its own four bytes, too"
    elif length > size and _LINE_END.fullmatch(data[HEADER + size : HEADER + length]):
        why = "there is a line end in the body, after the map"
        remedy += ": take away what adds the line end"
    elif length > size:
        why = f"it says {length - size} more"
    else:
        why = f"it says {size - length} fewer"
        if not _has_plain_texts(data[HEADER : HEADER + size]):
            remedy += ". Of texts the bytes count, not the characters"
    return Finding(f"{got}: {why}", f"{remedy}: {words.length}")


def _has_plain_texts(body: bytes) -> bool:
    """Whether all texts of a map have as many bytes as characters."""
    return json.dumps(decode(body), ensure_ascii=False).isascii()


def _line_end(data: bytes, words: Words) -> Finding | None:
    """A line end after a frame."""
    end = _LINE_END.match(data)
    if end is None or data[end.end() : end.end() + 1] not in (b"", b"\0"):
        return None
    return Finding(
        f"a line end after a frame: {_cut(end[0])}",
        f"Nothing comes between two frames, so write without a line end: {words.binary}. Then "
        f"flush: {words.flush}",
        between_frames=True,
    )


def _cut(data: bytes) -> str:
    text = repr(data[:SHOWN].decode(errors="replace"))
    return text if len(data) <= SHOWN else f"{text}..."


def _cut_text(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


_TELLERS: tuple[Callable[[bytes, Words], Finding | None], ...] = (
    _json,
    _text_length,
    _no_length,
    _little_endian,
    _as_characters,
    _wrong_number,
    _other_width,
    _line_end,
)
