"""Symptoms: what was seen of a bot that failed, and of experiments with it. Facts, no reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from arena.process.ending import Ending
from arena.wire.codec import map_size
from arena.wire.frames import HEADER


@dataclass(frozen=True)
class Finding:
    """What is wrong, in words that tell it from other mistakes, and what to do about it."""

    got: str
    remedy: str
    between_frames: bool = False
    """Whether it is about what came between two frames, where nothing may be."""


class Experiment(Enum):
    """What a silent bot was sent in place of what it had been sent, in a process of its own."""

    LITTLE_ENDIAN = "lengths with the least significant byte first"
    LINE_END = "a line end after the message"
    MORE = "four bytes after the message"
    ALONE = "every message only when the last one had been read"
    MANY = "the same message again and again"


@dataclass(frozen=True)
class Symptoms:
    """What was seen of a bot at the moment at which it failed, and a little after."""

    asked: tuple[int, ...] = ()
    """The bytes of each message that it was sent since its last answer, or since its start."""
    unread: int = 0
    """How many of these it has left in the pipe."""
    full: bool = False
    """Whether the pipe to it was so full that not all of these could be sent."""
    computes: bool = False
    """Whether it computed when it was looked at."""
    cpu_ms: int = 0
    """The CPU time that it has used since its start."""
    last: bytes = b""
    """The last whole frame that came in time."""
    rest: bytes = b""
    """What came after that, and is no whole frame."""
    late: bytes = b""
    """What came only when the time was over."""
    at_close: bytes = b""
    """What came only when its stdin was closed."""
    ended_at_close: bool = False
    """Whether it ended when its stdin was closed."""
    questions: int = 0
    """How many frames were due: the answer to hello, and one to every act."""
    answers: int = 0
    """How many frames came."""
    repeated: int | None = None
    """The id that two of its answers had, or None."""
    ending: Ending | None = None
    """How it ended by itself, if it did."""
    on_stderr: int = 0
    """How many frames it wrote to stderr."""
    answered_to: Experiment | None = None
    """The experiment in which it went on."""

    @property
    def came(self) -> bytes:
        """What came, from the first frame on that is none."""
        whole = map_size(self.last[HEADER:]) == len(self.last) - HEADER
        return self.rest or self.last if whole else self.last + self.rest
