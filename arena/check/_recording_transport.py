"""A transport that records what the checked bot is sent and sends, and can alter the former."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from arena.check._shapes import frames_in
from arena.check._symptoms import Symptoms
from arena.process.activity import Activity, look
from arena.process.ending import Ending
from arena.process.program import Program
from arena.records.verdicts import TIMEOUT
from arena.referee.player import Wait
from arena.wire.codec import CodecError, decode, encode
from arena.wire.frames import HEADER, LARGEST, frame
from arena.wire.messages import Message

Alter: TypeAlias = Callable[[Message], list[Message]]
"""Returns what to send to the bot in place of a message."""
Tell: TypeAlias = Callable[[str], None]
"""Called with what the check does or waits for, if that takes long."""

UNKNOWN: Message = {
    "text": "for a later version",
    "numbers": [1, -2.5, None, True],
    "maps": [{"x": {}}],
}
LARGE_QUESTIONS = 3
LOOK_SECONDS = 0.02
"""The time between two looks at a bot."""
ASLEEP_LOOKS = 25
"""A bot that sleeps in so many looks, one after the other, waits for something."""
PATIENCE_MS = 10_000
"""The CPU time in which a bot comes to rest after a message, if it ever does."""
BUSY_MS = 1_000
"""A bot that has used so much CPU time after its time was up is not just late."""
LONGEST_SECONDS = 60.0
"""The longest wait for a bot, however little of a core it gets."""
QUESTIONS = ("hello", "act")
"""The messages that a bot answers."""


class RecordingTransport:
    """A transport around a program.

    `last` is the last complete frame that came, `rest` the bytes after it, `frames` the number of
    frames, and `closed` whether the program has closed its stdout. `ended` is set once the
    program was ended from here. When it fails, `symptoms` gets what is seen of it then.
    """

    def __init__(self, program: Program, alter: Alter | None, tell: Tell) -> None:
        self.program = program
        self.alter = alter
        self._tell = tell
        self._began = time.monotonic()
        self._told = 0
        self.last = b""
        self.rest = b""
        self.frames = 0
        self.closed = False
        self.ended = False
        self.own_ending: Ending | None = None
        self.messages: list[bytes] = []
        """What it was sent until it failed, message by message."""
        self.greeted = False
        """Whether it has said hello as it should; if not, it has failed when it is closed."""
        self.symptoms: Symptoms | None = None
        self._asked: list[int] = []
        """The sizes of what it was sent since its last frame came."""
        self._full = False
        self._questions = 0
        self._answers: list[bytes] = []

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
        """Send a message, altered; before a bot is told of a fault, look at what it does."""
        kind = kind_of(data)
        if kind == "fault":
            silent = decode(data[HEADER:])["verdict"] == TIMEOUT
            self._examine(silent=silent and not self.rest)
        self._questions += kind in QUESTIONS
        if self.alter is not None:
            data = b"".join(map(frame, self.alter(decode(data[HEADER:]))))
        self._began, self._told = time.monotonic(), 0
        if self.symptoms is None:
            self.messages.append(data)
            self._asked.append(len(data))
        full = self.program.write(data, timeout)
        self._full = self._full or full is None
        return full

    def read(self, timeout: float) -> bytes | None:
        """Return what has come, or None if nothing came in time."""
        waited = int(time.monotonic() - self._began)
        if timeout and waited > self._told:
            self._told = waited
            self._tell(f"{waited} s without {'an answer' if self.greeted else 'a hello'}")
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
            self._asked.clear()
            self._answers.append(self.last)

    def _examine(self, *, silent: bool) -> None:
        """Look at what a bot that has failed does, and what it does next."""
        if self.symptoms is not None:
            return
        self._tell("looks for what is wrong")
        last, rest, asked = self.last, self.rest, tuple(self._asked)
        activity, late = settle(self.program, BUSY_MS)
        self._part(late)
        ending = self.program.await_ending(0)
        at_close, ended_at_close = b"", False
        asleep = ending is None and not activity.computes
        if silent and asleep and not late and not activity.unread:
            self.program.end_input()
            _, at_close = settle(self.program, PATIENCE_MS)
            ended_at_close = self.program.await_ending(0) is not None
        self.symptoms = Symptoms(
            asked=asked,
            unread=activity.unread,
            full=self._full,
            computes=activity.computes,
            cpu_ms=activity.cpu_ms,
            last=last if silent else self.last,
            rest=rest if silent else self.rest,
            late=late if silent else b"",
            at_close=at_close,
            ended_at_close=ended_at_close,
            questions=self._questions,
            answers=self.frames,
            repeated=_repeated(list(map(_id_in, self._answers))),
            ending=ending,
            on_stderr=frames_in(bytes(self.program.tail)),
        )

    def watch(self) -> Wait:
        """Begin to measure how long the host keeps the bot from running."""
        return self.program.watch()

    def wait_for_ending(self) -> Ending | None:
        """Return how the program ended."""
        return self.program.wait_for_ending()

    def close(self) -> None:
        """End the program; how it had ended by itself before is kept."""
        if not self.ended:
            if not self.greeted:
                self._examine(silent=not self.frames and not self.rest)
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


def settle(program: Program, most_ms: int, *, to_output: bool = False) -> tuple[Activity, bytes]:
    """Let a program run until it has ended, waits for something, or has used so much CPU time.

    With `to_output`, stop when something comes. Return what it does then, and what came from it.
    How fast the machine is makes no difference: who has no core wants to run, and uses no time.
    """
    came = b""
    asleep = 0
    deadline = time.monotonic() + LONGEST_SECONDS
    first = activity = look(program.keeper, program.stdin)
    while asleep <= ASLEEP_LOOKS and time.monotonic() < deadline:
        if activity.cpu_ms - first.cpu_ms > most_ms:
            break
        try:
            data = program.read(LOOK_SECONDS)
        except OSError:
            program.await_ending(LOOK_SECONDS)
            break
        came += data or b""
        if (data and to_output) or program.await_ending(0) is not None:
            break
        activity = look(program.keeper, program.stdin)
        asleep = 0 if data or activity.computes else asleep + 1
    return activity, came


def kind_of(data: bytes) -> str:
    """Return the `t` of a message of the referee, where it always comes first, undecoded."""
    at = HEADER + len(b"\x81\xa1t")
    return data[at + 1 : at + 1 + (data[at] & 0x1F)].decode()


def _id_in(data: bytes) -> object:
    """Return the id of the answer in a frame; None if there is none."""
    try:
        return decode(data[HEADER:]).get("id")
    except CodecError:
        return None


def _repeated(ids: list[object]) -> int | None:
    """Return the first number that occurs twice."""
    numbers = [number for number in ids if type(number) is int]
    return next((number for number in numbers if numbers.count(number) > 1), None)


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
