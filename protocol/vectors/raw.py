"""Msgpack by hand, in the widths and types that an encoder would not choose."""

from __future__ import annotations

import struct

from arena.wire.codec import encode
from arena.wire.frames import HEADER

ARRAY = {1: b"\xdc", 2: b"\xdd"}
"""The first byte of an array whose length has 2 to the power of so many bytes."""
MAP = {1: b"\xde", 2: b"\xdf"}
TEXT = {0: b"\xd9", 1: b"\xda", 2: b"\xdb"}
UINT = {0: b"\xcc", 1: b"\xcd", 2: b"\xce", 3: b"\xcf"}
INT = {0: b"\xd0", 1: b"\xd1", 2: b"\xd2", 3: b"\xd3"}

NIL = b"\xc0"
BINARY = b"\xc4\x02\x00\xff"
EXTENSION = b"\xd5\x05\x00\xff"
TIMESTAMP = b"\xd6\xff\x00\x00\x00\x05"


def framed(body: bytes) -> bytes:
    """A frame around any bytes."""
    return len(body).to_bytes(HEADER, "big") + body


def pack(value: object) -> bytes:
    """A value in the shortest form."""
    return encode({"": value})[2:]


def pairs(*items: tuple[str | bytes, bytes], head: bytes = b"") -> bytes:
    """A map of keys and values that are bytes already; `head` instead of the shortest one."""
    found = head or bytes([0x80 + len(items)])
    for key, value in items:
        found += (pack(key) if isinstance(key, str) else key) + value
    return found


def wide(heads: dict[int, bytes], width: int, number: int) -> bytes:
    """A number, or a length, in 2 to the power of `width` bytes."""
    return heads[width] + number.to_bytes(1 << width, "big", signed=number < 0)


def text(width: int, value: str) -> bytes:
    """A text whose length has 2 to the power of `width` bytes."""
    data = value.encode()
    return wide(TEXT, width, len(data)) + data


def float32(value: float) -> bytes:
    """A float of single precision."""
    return b"\xca" + struct.pack(">f", value)


def nested(levels: int) -> bytes:
    """Arrays in arrays, so many of them."""
    return b"\x91" * levels + b"\x07"
