"""Frames: a 4-byte big-endian length, then that many bytes."""

from __future__ import annotations

import json
import re
from struct import Struct
from typing import Any, Final

from arena.wire.codec import CodecError, decode, encode

HEADER: Final = 4
_TEXT = re.compile(rb"[\t\n\r -~]+")
_length = Struct(">I").pack
LARGEST: Final = 1 << 20
"""The largest frame in bytes, without its header."""
SHOWN: Final = 80


class FrameError(ValueError):
    """Bytes that cannot be frames of the protocol; `figures` shows more of them."""

    def __init__(self, text: str, figures: str = "") -> None:
        super().__init__(text)
        self.figures = figures


def frame(message: dict[str, Any]) -> bytes:
    """Return a message as a frame."""
    body = encode(message)
    return _length(len(body)) + body


class FrameReader:
    """Reassembles frames from bytes as they arrive."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add bytes that have arrived."""
        self._buffer += data

    def take(self, data: bytes) -> dict[str, Any] | None:
        """Do `feed`, then `next`; fast if the bytes are one whole frame, as they mostly are."""
        if not self._buffer and is_whole(data):
            return _decode(data, HEADER)
        self._buffer += data
        return self.next()

    def next(self) -> dict[str, Any] | None:
        """Return the next message, None if it is incomplete; raise `FrameError` if it is wrong."""
        buffer = self._buffer
        if len(buffer) < HEADER:
            return None
        length = int.from_bytes(buffer[:HEADER], "big")
        if length > LARGEST:
            raise _too_long(bytes(buffer[:SHOWN]))
        end = HEADER + length
        if len(buffer) < end:
            return None
        body = bytes(buffer[HEADER:end])
        del buffer[:end]
        return _decode(body)

    @property
    def pending(self) -> int:
        """How many bytes are left over, waiting for the rest of their frame."""
        return len(self._buffer)


def is_whole(data: bytes) -> bool:
    """Whether these bytes are one frame, and a body is in it."""
    length = len(data) - HEADER
    return (
        0 < length <= LARGEST and data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3] == length
    )


def _decode(data: bytes, start: int = 0) -> dict[str, Any]:
    try:
        return decode(data, start)
    except CodecError as error:
        raise FrameError(str(error)) from None


def _too_long(start: bytes) -> FrameError:
    """Return the error for a length that is too large; a length that is text is a stray print.

    The message depends on the first four bytes alone, so that it is the same however the
    bytes were split up on their way; the rest goes into the figures.
    """
    head = start[:HEADER]
    text = _TEXT.match(head)
    if text:
        return FrameError(
            f"expected a frame, got text on stdout that begins with {text[0].decode()!r} "
            "(stdout belongs to the protocol; print to stderr)",
            f"stdout: {start.decode(errors='replace')!r}",
        )
    length = int.from_bytes(head, "big")
    return FrameError(f"expected a frame of at most {LARGEST} bytes, got a length of {length}")


def render(data: bytes, limit: int = 2000, *, reason: bool = True) -> str:
    """Show frames to a person: as JSON if they can be decoded, else as bytes, with the reason."""
    reader = FrameReader()
    reader.feed(data)
    texts = []
    try:
        while (message := reader.next()) is not None:
            texts.append(json.dumps(message, ensure_ascii=False))
    except FrameError as error:
        said = f" ({error})" if reason else ""
        texts.append(f"{bytes(data[:SHOWN])!r}{said}")
    else:
        if reader.pending:
            texts.append(f"{reader.pending} bytes of a frame that is not complete")
    text = " ".join(texts)
    return text if len(text) <= limit else text[: limit - 3] + "..."
