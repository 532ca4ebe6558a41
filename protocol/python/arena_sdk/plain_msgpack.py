"""msgpack in plain Python, for where the package `msgpack` is not installed.

It reads and writes what the protocol allows, and writes the same bytes as the package.
"""

from __future__ import annotations

from struct import pack as pack_struct
from struct import unpack as unpack_struct
from sys import intern

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Packer:
    """Writes values, as `msgpack.Packer` does."""

    def pack(self, value: object) -> bytes:
        """Return a value as msgpack; raise `TypeError` for one that the protocol does not allow."""
        out = bytearray()
        _write(value, out)
        return bytes(out)


def unpackb(data: bytes) -> Any:
    """Return the value that these bytes are; raise `ValueError` if they are not exactly one."""
    reader = _Reader(data)
    try:
        value = reader.value()
    except IndexError:
        raise ValueError("the data breaks off") from None
    except RecursionError:
        raise ValueError("the data nests too deeply") from None
    if reader.at < len(data):
        raise ValueError("there are bytes after the end of the data")
    return value


def _write(value: object, out: bytearray) -> None:
    if isinstance(value, str):
        data = value.encode()
        _head(out, len(data), (0xA0, 32), 0xD9)
        out += data
    elif value is None:
        out.append(0xC0)
    elif isinstance(value, bool):
        out.append(0xC3 if value else 0xC2)
    elif isinstance(value, int):
        _write_integer(value, out)
    elif isinstance(value, float):
        out.append(0xCB)
        out += pack_struct(">d", value)
    elif isinstance(value, (list, tuple)):
        _head(out, len(value), (0x90, 16), 0xDB)
        for each in value:
            _write(each, out)
    elif isinstance(value, dict):
        _head(out, len(value), (0x80, 16), 0xDD)
        for key, each in value.items():
            _write(key, out)
            _write(each, out)
    else:
        raise TypeError(f"can not serialize {type(value).__name__!r} object")


def _head(out: bytearray, length: int, short: tuple[int, int], marker: int) -> None:
    """Write the length of a text, array or map. `marker` is that of lengths of one byte.

    Arrays and maps have no such marker; the next two are those of two and of four bytes.
    """
    first, limit = short
    if length < limit:
        out.append(first + length)
    elif length < 1 << 8 and marker == 0xD9:
        out += bytes((marker, length))
    elif length < 1 << 16:
        out.append(marker + 1)
        out += length.to_bytes(2, "big")
    else:
        out.append(marker + 2)
        out += length.to_bytes(4, "big")


def _write_integer(value: int, out: bytearray) -> None:
    if -32 <= value < 128:
        out.append(value & 0xFF)
        return
    for power in range(4):
        bits = 8 << power
        if 0 <= value < 1 << bits:
            out.append(0xCC + power)
            out += value.to_bytes(1 << power, "big")
            return
        if -1 << bits - 1 <= value < 0:
            out.append(0xD0 + power)
            out += value.to_bytes(1 << power, "big", signed=True)
            return
    raise OverflowError("an integer of more than 64 bits")


class _Reader:
    """Reads values one after the other; an `IndexError` says that the data breaks off."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def value(self) -> Any:
        at = self.at
        byte = self.data[at]
        self.at = at + 1
        if byte < 0x80:
            return byte
        if byte >= 0xE0:
            return byte - 0x100
        if byte >= 0xC0:
            if byte in _CONSTANTS:
                return _CONSTANTS[byte]
            if byte not in _MARKED:
                raise ValueError(f"the byte {byte:#x} begins no value that the protocol allows")
            return _MARKED[byte](self)
        if byte >= 0xA0:
            return self.take(byte & 31).decode()
        return self.array(byte & 15) if byte >= 0x90 else self.map(byte & 15)

    def array(self, count: int) -> list[Any]:
        value = self.value
        return [value() for _ in range(count)]

    def map(self, count: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in range(count):
            key = self.value()
            if not isinstance(key, str):
                raise ValueError(f"expected texts as keys of maps, got {type(key).__name__}")
            found[intern(key)] = self.value()
        return found

    def take(self, count: int) -> bytes:
        at = self.at
        self.at = end = at + count
        if end > len(self.data):
            raise IndexError
        return self.data[at:end]

    def number(self, width: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(width), "big", signed=signed)


def _float(reader: _Reader, width: int, form: str) -> float:
    (value,) = unpack_struct(form, reader.take(width))
    return float(value)


_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_MARKED: dict[int, Callable[[_Reader], Any]] = {
    0xCA: lambda reader: _float(reader, 4, ">f"),
    0xCB: lambda reader: _float(reader, 8, ">d"),
    0xCC: lambda reader: reader.number(1),
    0xCD: lambda reader: reader.number(2),
    0xCE: lambda reader: reader.number(4),
    0xCF: lambda reader: reader.number(8),
    0xD0: lambda reader: reader.number(1, signed=True),
    0xD1: lambda reader: reader.number(2, signed=True),
    0xD2: lambda reader: reader.number(4, signed=True),
    0xD3: lambda reader: reader.number(8, signed=True),
    0xD9: lambda reader: reader.take(reader.number(1)).decode(),
    0xDA: lambda reader: reader.take(reader.number(2)).decode(),
    0xDB: lambda reader: reader.take(reader.number(4)).decode(),
    0xDC: lambda reader: reader.array(reader.number(2)),
    0xDD: lambda reader: reader.array(reader.number(4)),
    0xDE: lambda reader: reader.map(reader.number(2)),
    0xDF: lambda reader: reader.map(reader.number(4)),
}
"""What reads the value behind a marker; binary data and extensions are not allowed."""
