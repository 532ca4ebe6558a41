"""Faults: what a bot did wrong, and what its author is told."""

from __future__ import annotations

from arena.errors import HostError
from arena.records.verdicts import FaultVerdict

CANNOT_RUN = "cannot-run"
"""There is no such program, or it cannot be run."""
NO_ANSWER = "no-answer"
"""It did not answer in time."""
NOT_READING = "not-reading"
"""It did not read what was sent: the pipe to it stayed full."""
NOT_A_FRAME = "not-a-frame"
"""It sent bytes that are not a frame of the protocol."""
NOT_A_MESSAGE = "not-a-message"
"""It sent a frame that is not a message of the protocol."""
NOT_AN_ANSWER = "not-an-answer"
"""It sent a message, but not the one that was due."""
NOT_LEGAL = "not-legal"
"""It answered with an action that the rules do not allow."""
CLOSED = "closed"
"""It closed a pipe and went on running."""
ENDED = "ended"
"""The program ended."""
OVER_LIMIT = "over-limit"
"""The program was ended because it used more than it was allowed."""
STALLED = "stalled"
"""The host seemed to keep it from running, too often to be believed."""
GAVE_UP = "gave-up"
"""The bot said that it cannot go on."""


class Fault(Exception):
    """What a bot did wrong; it ends the bot's game, not the others'.

    `text` is the same in every run of the same deterministic bot and goes into the record.
    `figures` says more, and may differ from run to run. `code` is one of the constants above.
    """

    def __init__(self, verdict: FaultVerdict, text: str, figures: str = "", *, code: str) -> None:
        super().__init__(f"{verdict}: {text}")
        self.code = code
        self.verdict = verdict
        self.text = text
        self.figures = figures
        self.sent = ""
        """What the bot was last sent, if it never came to a table."""
        self.received = ""
        """What came from it then."""


class HostStalled(HostError):
    """The host kept a bot from running for so long that the game cannot be judged."""

    def __init__(self, seconds: float, stopped: float, text: str = "") -> None:
        super().__init__(
            text
            or f"the host kept a bot from running for {seconds:.1f} s in one decision; nothing was "
            "decided, run it again on a quieter machine"
        )
        self.seconds = seconds
        self.stopped = stopped
        """The seconds of them in which the referee itself was stopped."""
        self.seat = -1
        """Whose bot was kept from running, or from stopping; -1 if it sits nowhere."""
        self.decision = 0

    def __reduce__(self) -> tuple[type[HostStalled], tuple[float, float, str]]:
        return HostStalled, (
            self.seconds,
            self.stopped,
            str(self),
        )  # what a worker's error is made of again

    @property
    def counts(self) -> bool:
        """Whether the referee itself was running, so that the bot may have had a part in it."""
        return self.stopped < self.seconds / 2
