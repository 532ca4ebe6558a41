"""Verdicts: how a game ended for a seat, and what its author is told."""

from __future__ import annotations

from dataclasses import dataclass

from arena.process.host import HostError

FINISHED = "finished"
TIMEOUT = "timeout"
CRASHED = "crashed"
OUT_OF_MEMORY = "out-of-memory"
PROTOCOL = "protocol"
ILLEGAL = "illegal"
OUTPUT_LIMIT = "output-limit"
START_FAILED = "start-failed"

MEANINGS = {
    FINISHED: "played to the end",
    TIMEOUT: "used up the time for a decision and the bank of the game",
    CRASHED: "ended, or said that it cannot go on, while the game went on",
    OUT_OF_MEMORY: "used more memory than it was allowed",
    PROTOCOL: "sent something that the protocol does not allow",
    ILLEGAL: "chose an action that the rules do not allow",
    OUTPUT_LIMIT: "wrote more than it was allowed",
    START_FAILED: "could not be started, or did not say hello",
}


class Fault(Exception):
    """What a bot did wrong; it ends the bot's game, not the others'.

    `text` is the same in every run of the same deterministic bot and stands in the record;
    `figures` says more, and may differ from run to run.
    """

    def __init__(self, verdict: str, text: str, figures: str = "") -> None:
        super().__init__(f"{verdict}: {text}")
        self.verdict = verdict
        self.text = text
        self.figures = figures


class HostStalled(HostError):
    """The host kept a bot from running for so long that the game cannot be judged."""


@dataclass(frozen=True)
class SeatFault:
    """A fault as it came up in a game: in which seat, before which decision."""

    seat: int
    decision: int
    verdict: str
    text: str


@dataclass(frozen=True)
class Evidence:
    """What is kept with a fault for the bot's author, beside the record."""

    seat: int
    figures: str
    stderr: str
    sent: str
    received: str
