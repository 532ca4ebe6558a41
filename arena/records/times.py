"""What lies beside a log, proved by nothing: times, evidence of faults, and broken off attempts."""

from __future__ import annotations

from msgspec import json

from arena.records.codec import read_form
from arena.records.entries import Count, Form


class Pace(Form, frozen=True, kw_only=True, omit_defaults=False):
    """How long a seat took for its decisions, in microseconds."""

    decisions: Count = 0
    micros: Count = 0
    slowest: Count = 0


class Evidence(Form, frozen=True, kw_only=True):
    """What is kept of a fault for the bot's author."""

    seat: Count
    code: str
    figures: str
    stderr: str
    sent: str
    received: str


class BrokenOff(Form, frozen=True, kw_only=True):
    """An attempt at a block that a stall broke off: where, and what was measured."""

    attempt: Count
    rotation: Count
    seat: int
    """-1 if the bot sat nowhere."""
    bot: str
    decision: Count
    seconds: float
    """The seconds that were the host's in this decision."""
    stopped: float
    """The seconds of them in which the referee itself was stopped."""


class GameTimes(Form, frozen=True, kw_only=True):
    """The times of one game, and the evidence of its faults."""

    paces: tuple[Pace, ...]
    """By seat."""
    micros: tuple[Count, ...] = ()
    """Of every decision, 0 for those of a seat that had failed."""
    waits: tuple[tuple[Count, Count], ...] = ()
    """Decisions in which the host took time that was not charged, and how many microseconds."""
    evidence: tuple[Evidence, ...] = ()


class Comparison(Form, frozen=True, kw_only=True):
    """A block that was played on a second machine: which one, and what differed if anything."""

    machine: str
    differs: str = ""
    wrong: tuple[str, ...] = ()
    """The machines whose result was not that of the host, which has played it twice."""


class BlockTimes(Form, frozen=True, kw_only=True):
    """The times of a block's games."""

    first_game: Count
    """The number of its first game."""
    games: tuple[GameTimes, ...]
    attempts: tuple[BrokenOff, ...] = ()
    machine: str = ""
    """The machine that has played it; empty if that is the host."""
    starts: Count = 0
    """How many processes of bots that machine started for it, or for those it played with it."""
    compared: tuple[Comparison, ...] = ()


_decoder = json.Decoder(BlockTimes)


def read_times(line: bytes) -> BlockTimes:
    """Return the times on a line without its end; raise `Difference` if it is malformed."""
    return read_form(line, _decoder)
