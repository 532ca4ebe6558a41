"""A transport that records what the checked bot sends, and can alter what it is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from arena.process.ending import Ending
from arena.process.program import Program
from arena.referee.player import Wait
from arena.wire.codec import decode, encode
from arena.wire.frames import HEADER, LARGEST, frame
from arena.wire.messages import Message

Alter: TypeAlias = Callable[[Message], list[Message]]
"""Returns what to send to the bot in place of a message."""

UNKNOWN: Message = {
    "text": "for a later version",
    "numbers": [1, -2.5, None, True],
    "maps": [{"x": {}}],
}
LARGE_QUESTIONS = 3


class RecordingTransport:
    """A transport around a program.

    `last` is the last complete frame that came, `rest` the bytes after it, `frames` the number of
    frames, and `closed` whether the program has closed its stdout. `ended` is set once the
    program was ended from here.
    """

    def __init__(self, program: Program, alter: Alter | None = None) -> None:
        self.program = program
        self.alter = alter
        self.last = b""
        self.rest = b""
        self.frames = 0
        self.closed = False
        self.ended = False
        self.own_ending: Ending | None = None

    def suspend_others(self) -> None:
        """Suspend all other bots, where bots are suspended at all."""
        self.program.suspend_others()

    @property
    def held(self) -> bool:
        """Whether nothing of the program can run while it is not asked."""
        return self.program.held

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of all that the program has started."""
        return self.program.cpu_seconds()

    def write(self, data: bytes, timeout: float) -> float | None:
        """Send a message, altered."""
        if self.alter is not None:
            data = b"".join(map(frame, self.alter(decode(data[HEADER:]))))
        return self.program.write(data, timeout)

    def read(self, timeout: float) -> bytes | None:
        """Return what has come, or None if nothing came in time."""
        try:
            data = self.program.read(timeout)
        except OSError:
            self.closed = True
            raise
        if data:
            self._part(data)
        return data

    def drain(self, seconds: float = 0.0) -> None:
        """Let the bot run for this time, and take everything that has come."""
        try:
            while self.read(seconds):
                seconds = 0.0
        except OSError:
            pass  # there is no more

    def _part(self, data: bytes) -> None:
        """Separate complete frames from what follows them."""
        self.rest += data
        while len(self.rest) >= HEADER:
            end = HEADER + int.from_bytes(self.rest[:HEADER], "big")
            if not end <= len(self.rest) <= HEADER + LARGEST:
                return
            self.last, self.rest = self.rest[:end], self.rest[end:]
            self.frames += 1

    def watch(self) -> Wait:
        """Begin to measure how long the host keeps the bot from running."""
        return self.program.watch()

    def wait_for_ending(self) -> Ending | None:
        """Return how the program ended."""
        return self.program.wait_for_ending()

    def close(self) -> None:
        """End the program; how it had ended by itself before is kept."""
        if not self.ended:
            self.own_ending = self.program.await_ending(0)
            self.ended = True
        self.program.close()

    @property
    def ending(self) -> Ending | None:
        """How the program ended by itself; None if it did not, or still runs."""
        return self.own_ending if self.ended else self.program.await_ending(0)

    @property
    def stderr_tail(self) -> str:
        """The end of what the program wrote to stderr."""
        return self.program.stderr_tail


def with_unknown(message: Message) -> list[Message]:
    """Return the message with keys that no version has, after a message that no version has."""
    kind = message["t"]
    altered = {**message, "x-unknown": UNKNOWN}
    for key in ("view", "clock", "limits"):
        if key in altered:
            altered[key] = {**altered[key], "x-unknown": UNKNOWN}
    if kind == "hello":
        return [altered]
    return [{"t": "x-unknown", "about": kind, "data": UNKNOWN}, altered]


class Enlarge:
    """Enlarges the views of the first questions until their frames just fit."""

    def __init__(self) -> None:
        self.largest = 0
        self._left = LARGE_QUESTIONS

    def __call__(self, message: Message) -> list[Message]:
        if message["t"] != "act" or not self._left:
            return [message]
        self._left -= 1
        view = {**message["view"], "x-padding": ""}
        room = LARGEST - len(encode({**message, "view": view})) - HEADER
        view["x-padding"] = "x" * room
        large = {**message, "view": view}
        self.largest = max(self.largest, len(encode(large)))
        return [large]
