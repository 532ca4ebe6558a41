"""The connection to the referee: frames over stdin and stdout. Prints go to stderr."""

from __future__ import annotations

import os
import sys

try:  # the package is several times as fast, where it is installed
    from msgpack import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
        Packer,
        unpackb,
    )
except ImportError:
    from arena_sdk.plain_msgpack import Packer, unpackb

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from typing import Any

HEADER = 4
LARGEST = 1 << 20
CHUNK = 1 << 16


class ProtocolError(Exception):
    """Raised for bytes or messages that are not a valid frame of the protocol."""


class Line:
    """Sends and receives messages over two file descriptors."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._buffer = b""
        self._pack = Packer().pack

    @classmethod
    def take_stdio(cls) -> Line:
        """Reserve stdin and stdout for the protocol, and redirect later prints to stderr."""
        line = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        return line

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        body = self._pack(message)
        if len(body) > LARGEST:
            raise ProtocolError(f"a message of {len(body)} bytes; at most {LARGEST} can be sent")
        data = len(body).to_bytes(HEADER, "big") + body
        sent = os.write(self._sink, data)
        while sent < len(data):
            sent += os.write(self._sink, data[sent:])

    def receive(self) -> dict[str, Any] | None:
        """Return the next message, or None if the referee has closed the connection."""
        buffer = self._buffer or os.read(self._source, CHUNK)
        while len(buffer) < HEADER:
            if not self._more(buffer):
                return None
            buffer = self._buffer
        end = HEADER + int.from_bytes(buffer[:HEADER], "big")
        if end > HEADER + LARGEST:
            raise ProtocolError(f"a frame of {end - HEADER} bytes; at most {LARGEST} are allowed")
        while len(buffer) < end:
            if not self._more(buffer):
                return None
            buffer = self._buffer
        self._buffer = buffer[end:]
        try:
            message = unpackb(buffer[HEADER:end])
        except ValueError as error:
            raise ProtocolError(f"a frame that is not msgpack: {error}") from None
        if not isinstance(message, dict):
            raise ProtocolError("a frame that does not hold a map")
        return message

    def _more(self, buffer: bytes) -> bool:
        data = os.read(self._source, CHUNK)
        self._buffer = buffer + data
        return bool(data)
