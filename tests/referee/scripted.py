"""Programs that do not run: what a player hears and says is written down beforehand."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.process.ending import Ending
from arena.wire.codec import decode
from arena.wire.frames import HEADER, frame

Message = dict[str, Any]
HELLO: Message = {"t": "hello", "protocol": [1, 0], "name": "scripted"}


@dataclass
class Hears:
    """The referee sends this message: these keys with these values, and maybe others."""

    t: str
    keys: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Says:
    """The bot writes these bytes in one piece, so many seconds after it is waited for."""

    data: bytes
    after: float = 0.0


@dataclass
class Stall:
    """The referee itself is woken so many seconds after the time that it wanted to wait."""

    seconds: float


@dataclass
class ClosesStdout:
    """The bot closes its stdout."""


@dataclass
class ClosesStdin:
    """The bot closes its stdin, so that the next message cannot be sent."""


@dataclass
class StopsReading:
    """The pipe to the bot is full, so that the next message cannot be sent."""


Step = Hears | Says | Stall | ClosesStdout | ClosesStdin | StopsReading


def hears(t: str, **keys: Any) -> Hears:
    """The referee sends this."""
    return Hears(t, keys)


def says(*messages: Message, after: float = 0.0) -> Says:
    """The bot answers with these messages at once."""
    return Says(b"".join(map(frame, messages)), after)


def chooses(number: int, after: float = 0.0, **keys: Any) -> Says:
    """The bot answers a question with the first action in the list, or as the keys say."""
    choice = {} if "a" in keys or "i" in keys else {"i": 0}
    return says({"t": "action", "id": number} | choice | keys, after=after)


class Scripted:
    """A transport that follows a script, and fails the test where the player does not.

    What it says of the host's time and of the program's end is invented. With `oversleep`
    everything that the bot says reaches the referee so much later than it should.
    """

    def __init__(
        self,
        *steps: Step,
        host: float = 0.0,
        ending: int | None = None,
        oversleep: float = 0.0,
    ) -> None:
        self._steps = list(steps)
        self._oversleep = oversleep
        self._host = host
        self._ending = None if ending is None else Ending(ending, 0, 0)
        self.stderr_tail = "the end of stderr"
        self.ending: Ending | None = None
        self.closed = False

    def suspend_others(self) -> None:
        """There is nobody to be suspended."""

    def cpu_seconds(self) -> float | None:
        """Its CPU time is not counted."""
        return None

    def write(self, data: bytes, timeout: float) -> float | None:
        """Compare a message with the one that the script expects."""
        assert int.from_bytes(data[:HEADER], "big") == len(data) - HEADER
        message = decode(data[HEADER:])
        step = self._next()
        if isinstance(step, ClosesStdin):
            raise BrokenPipeError
        if isinstance(step, StopsReading):
            return None
        assert isinstance(step, Hears), f"the script has {step}, the referee sent {message}"
        assert message["t"] == step.t
        assert {key: message[key] for key in step.keys} == step.keys
        return 0.0

    def read(self, timeout: float) -> bytes | None:
        """What the script says next, or nothing for so long."""
        step = self._steps[0] if self._steps else None
        if isinstance(step, Says) and step.after <= timeout:
            time.sleep(step.after + self._oversleep)
            self._next()
            return step.data
        time.sleep(timeout)
        if isinstance(step, Says):
            step.after -= timeout
        elif isinstance(step, Stall):
            self._next()
            time.sleep(step.seconds)
        elif isinstance(step, ClosesStdout):
            self._next()
            raise BrokenPipeError
        return None

    stopped = 0.0
    held = False

    def watch(self) -> Scripted:
        """The host's time is always the same."""
        return self

    def seconds(self) -> float:
        """The host's time."""
        return self._host

    def wait_for_ending(self) -> Ending | None:
        """How the program ended, if it did."""
        return self._ending

    def close(self) -> None:
        """Remember that the player has let go."""
        self.closed = True

    def assert_done(self) -> None:
        """All that was written down has happened."""
        assert not self._steps

    def _next(self) -> Step:
        assert self._steps, "the script is at its end"
        return self._steps.pop(0)


class Delivers:
    """A transport from which these pieces are read, one at a time, until it is closed.

    Where they are `late`, the first look finds nothing.
    """

    stderr_tail = ""

    def __init__(self, pieces: Iterable[bytes], *, late: bool = False) -> None:
        self._pieces: list[bytes | None] = [None] * late + [piece for piece in pieces if piece]

    def suspend_others(self) -> None:
        """There is nobody to be suspended."""

    def cpu_seconds(self) -> float | None:
        """Its CPU time is not counted."""
        return None

    def write(self, data: bytes, timeout: float) -> float | None:
        """Take whatever is said."""
        return 0.0

    def read(self, timeout: float) -> bytes | None:
        """The next piece."""
        if not self._pieces:
            raise BrokenPipeError
        return self._pieces.pop(0)

    stopped = 0.0
    held = False

    def watch(self) -> Delivers:
        """The host never stalls."""
        return self

    def seconds(self) -> float:
        """None of the time is the host's."""
        return 0.0

    def wait_for_ending(self) -> Ending | None:
        """It still runs."""
        return None

    def close(self) -> None:
        """There is nothing to end."""


class Obliging:
    """A transport that answers all questions with the first action, and keeps all it hears."""

    def __init__(self, instead: Mapping[int, bytes] | None = None, **hello: Any) -> None:
        self._instead = instead or {}
        self._hello = HELLO | hello
        self._answers: list[bytes] = []
        self.heard: list[Message] = []
        self.stderr_tail = ""
        self.ending: Ending | None = None
        self.closed = False

    def suspend_others(self) -> None:
        """There is nobody to be suspended."""

    def cpu_seconds(self) -> float | None:
        """Its CPU time is not counted."""
        return None

    def write(self, data: bytes, timeout: float) -> float | None:
        """Keep a message, and answer if it is a question."""
        assert not self.closed
        message = decode(data[HEADER:])
        self.heard.append(message)
        if message["t"] == "hello":
            self._answers.append(frame(self._hello))
        elif message["t"] == "act":
            answer = {"t": "action", "id": message["id"], "i": 0}
            self._answers.append(self._instead.get(message["id"]) or frame(answer))
        return 0.0

    def read(self, timeout: float) -> bytes | None:
        """The answer, if there is one."""
        return self._answers.pop(0) if self._answers else None

    stopped = 0.0
    held = False

    def watch(self) -> Obliging:
        """The host never stalls."""
        return self

    def seconds(self) -> float:
        """None of the time is the host's."""
        return 0.0

    def wait_for_ending(self) -> Ending | None:
        """It never ends."""
        return None

    def close(self) -> None:
        """Hear nothing more."""
        self.closed = True
