"""Verdicts: how a game ended for a seat, as records say it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

FINISHED: Final = "finished"
TIMEOUT: Final = "timeout"
CRASHED: Final = "crashed"
OUT_OF_MEMORY: Final = "out-of-memory"
PROTOCOL: Final = "protocol"
ILLEGAL: Final = "illegal"
OUTPUT_LIMIT: Final = "output-limit"
START_FAILED: Final = "start-failed"

FaultVerdict: TypeAlias = Literal[
    "timeout",
    "crashed",
    "out-of-memory",
    "protocol",
    "illegal",
    "output-limit",
    "start-failed",
]
"""All but `finished`."""

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
