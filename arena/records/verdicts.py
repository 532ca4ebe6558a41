"""Verdicts: how a game ended for a seat, as records say it."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class SeatFault:
    """A fault in a game: its seat, and the number of the decision at which it came up."""

    seat: int
    decision: int
    verdict: str
    text: str
