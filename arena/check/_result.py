"""The result of a step: passed, with a warning, failed, or not run."""

from __future__ import annotations

from dataclasses import dataclass

PASS = "pass"
WARN = "warn"
FAIL = "fail"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Result:
    """One step: its name, its result, and after a failure what the author needs.

    `detail` says in a line what was seen. After a failure or a warning `expected` and `got`
    say what differs, `remedy` what to do about it, `sent` and `received` are the last
    messages to the bot and from it, and `stderr` is the end of what it wrote there.
    """

    name: str
    status: str
    detail: str = ""
    expected: str = ""
    got: str = ""
    remedy: str = ""
    sent: str = ""
    received: str = ""
    stderr: str = ""


class Failure(Exception):
    """A step that did not pass.

    `step` is the step to which the failure belongs, "" for the one in which it came up. For
    example, a stray print comes up in a game, but does not concern how the bot plays.
    """

    status = FAIL

    def __init__(
        self,
        expected: str,
        got: str,
        remedy: str,
        *,
        step: str = "",
        sent: str = "",
        received: str = "",
        stderr: str = "",
    ) -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.expected = expected
        self.got = got
        self.remedy = remedy
        self.step = step
        self.sent = sent
        self.received = received
        self.stderr = stderr
        self.frames = b""
        """All that the program had been sent when it failed, to be sent to it again."""

    def result(self, name: str) -> Result:
        """Return this failure as the result of the step of this name."""
        return Result(
            name,
            self.status,
            expected=self.expected,
            got=self.got,
            remedy=self.remedy,
            sent=self.sent,
            received=self.received,
            stderr=self.stderr,
        )


class Caution(Failure):
    """Something that is allowed, but that the author should know."""

    status = WARN
