"""One msgpack map a frame, of the protocol's types and within its limits.

`ormsgpack` writes. What comes from bots is read here, byte by byte: libraries differ in what
they take besides (keys that are not texts or stand twice, bytes after the map), and none of
them limits how many values are made of a frame.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

import ormsgpack

from arena.wording import brief

DEEPEST: Final = 16
"""How many levels maps and arrays have at most; the body itself is the first one."""
MOST_VALUES: Final = 1 << 16
"""How many values a body has at most, itself and the keys of maps counted.

A value takes up to 100 times as much memory as its bytes, if it is a small map.
"""
NOT_MSGPACK: Final = "expected one msgpack map, got bytes that are not msgpack"
_float32: Final = Struct(">f").unpack
_float64: Final = Struct(">d").unpack

encode: Callable[[dict[str, Any]], bytes] = ormsgpack.packb
"""Return a message as msgpack."""


class CodecError(ValueError):
    """Bytes that are not one map as the protocol allows it."""


def decode(data: bytes, start: int = 0) -> dict[str, Any]:
    """The map in these bytes from `start` on, or `CodecError`."""
    body = _Body(data, start)
    value = body.value(DEEPEST)
    if body.at < body.end:
        raise CodecError(f"expected one msgpack map, got {body.end - body.at} bytes more")
    if type(value) is not dict:
        raise CodecError(f"expected one msgpack map, got {_kind(data[start])}")
    return value


def last_value(data: bytes, start: int, keys: int) -> Any:
    """The value of the last key of a body with so many keys, or `CodecError`."""
    body = _Body(data, start)
    body.left = MOST_VALUES - 1 - 2 * keys
    value = body.value(DEEPEST - 1)
    if body.at < body.end:
        raise CodecError(f"expected one msgpack map, got {body.end - body.at} bytes more")
    return value


def map_size(data: bytes) -> int:
    """Return how many bytes the map at the start of these bytes takes; 0 if there is none.

    More may follow it. A map that is cut off, or breaks a rule of the protocol, counts as none.
    """
    body = _Body(data, 0)
    try:
        value = body.value(DEEPEST)
    except CodecError:
        return 0
    return body.at if type(value) is dict else 0


class _Body:
    """A body that is read once, from its first byte to its last or to the first wrong one."""

    __slots__ = ("at", "data", "end", "left")

    def __init__(self, data: bytes, start: int) -> None:
        self.data = data
        self.at = start
        self.end = len(data)
        self.left = MOST_VALUES - 1

    def value(self, levels: int) -> Any:
        """The next value; maps and arrays in it have so many levels at most."""
        head = self._head()
        if head < 0x80:
            return head
        if head < 0x90:
            return self._map(head & 0x0F, levels)
        if head < 0xA0:
            return self._array(head & 0x0F, levels)
        if head < 0xC0:
            return self._text(head & 0x1F)
        if head >= 0xE0:
            return head - 0x100
        if head == 0xC0:
            return None
        if head in (0xC2, 0xC3):
            return head == 0xC3
        if head == 0xCA:
            return _float32(self._take(4))[0]
        if head == 0xCB:
            return _float64(self._take(8))[0]
        if 0xCC <= head <= 0xCF:
            return self._number(1 << (head - 0xCC))
        if 0xD0 <= head <= 0xD3:
            return int.from_bytes(self._take(1 << (head - 0xD0)), "big", signed=True)
        if 0xD9 <= head <= 0xDB:
            return self._text(self._number(1 << (head - 0xD9)))
        if head in (0xDC, 0xDD):
            return self._array(self._number(2 << (head - 0xDC)), levels)
        if head in (0xDE, 0xDF):
            return self._map(self._number(2 << (head - 0xDE)), levels)
        raise CodecError(
            f"expected nil, booleans, numbers, texts, arrays and maps, got {_kind(head)}"
        )

    def _map(self, length: int, levels: int) -> dict[str, Any]:
        self._enter(2 * length, levels)
        found: dict[str, Any] = {}
        for _ in range(length):
            key = self._key()
            if key in found:
                raise CodecError(f"expected every key of a map once, got {brief(key)} twice")
            found[key] = self.value(levels - 1)
        return found

    def _array(self, length: int, levels: int) -> list[Any]:
        self._enter(length, levels)
        return [self.value(levels - 1) for _ in range(length)]

    def _enter(self, values: int, levels: int) -> None:
        """Begin a map or an array that says that so many values are in it."""
        if levels == 0:
            raise CodecError(f"expected at most {DEEPEST} levels of nesting, got more")
        self.left -= values
        if self.left < 0:
            raise CodecError(f"expected at most {MOST_VALUES} values, got more")
        if values > self.end - self.at:
            raise CodecError(NOT_MSGPACK)

    def _key(self) -> str:
        """The next value if it is a text; anything else is refused before it is made."""
        head = self._head()
        if 0xA0 <= head < 0xC0:
            return self._text(head & 0x1F)
        if 0xD9 <= head <= 0xDB:
            return self._text(self._number(1 << (head - 0xD9)))
        raise CodecError(f"expected texts as keys of maps, got {_kind(head)}")

    def _text(self, length: int) -> str:
        try:
            return self._take(length).decode()
        except UnicodeDecodeError:
            raise CodecError("expected texts in UTF-8, got other bytes") from None

    def _number(self, width: int) -> int:
        at = self.at
        end = at + width
        if end > self.end:
            raise CodecError(NOT_MSGPACK)
        self.at = end
        number = 0
        while at < end:
            number = number << 8 | self.data[at]
            at += 1
        return number

    def _head(self) -> int:
        """The byte that a value begins with."""
        at = self.at
        if at == self.end:
            raise CodecError(NOT_MSGPACK)
        self.at = at + 1
        head = self.data[at]
        if head == 0xC1:
            raise CodecError(NOT_MSGPACK)
        return head

    def _take(self, length: int) -> bytes:
        """So many bytes."""
        at = self.at
        end = at + length
        if end > self.end:
            raise CodecError(NOT_MSGPACK)
        self.at = end
        return self.data[at:end]


def _kind(head: int) -> str:
    """What begins with this byte, in the words of the protocol."""
    if head < 0x80 or head >= 0xE0 or 0xCC <= head <= 0xD3:
        return "an integer"
    if head < 0x90 or head >= 0xDE:
        return "a map"
    if head < 0xA0 or head >= 0xDC:
        return "an array"
    if head < 0xC0 or head >= 0xD9:
        return "a text"
    if head == 0xC0:
        return "nil"
    if head in (0xC2, 0xC3):
        return "a boolean"
    if head in (0xCA, 0xCB):
        return "a float"
    return "binary data" if 0xC4 <= head <= 0xC6 else "an extension type"
