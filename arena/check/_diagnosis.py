"""Diagnoses: what an author is told when the checked bot has done something wrong."""

from __future__ import annotations

import shlex

from arena.check._recording_transport import RecordingTransport
from arena.check._result import Failure
from arena.programs.spec import BotSpec
from arena.records.entries import SeatFault, TimeControl
from arena.records.times import Evidence
from arena.records.verdicts import CRASHED, ILLEGAL, PROTOCOL, TIMEOUT
from arena.referee.faults import (
    NO_ANSWER,
    NOT_A_MESSAGE,
    NOT_AN_ANSWER,
    NOT_READING,
    Fault,
)
from arena.wire.frames import SHOWN, render

STARTS = "starts"
HELLO = "says hello"
STDOUT = "keeps stdout for the protocol"
IN_TIME = "answers in time"

SHOWN_MESSAGE = 700
"""Longer messages are cut to this many characters."""
GOOD_HELLO = '{"t": "hello", "protocol": [1, 0], "name": "...", "actions": true, "events": true}'
READING = (
    "Read exactly as many bytes as the four bytes before a message say (most significant "
    "first), until all are there; flush stdout after every message"
)


def not_started(spec: BotSpec, fault: Fault) -> Failure:
    """Return the failure of a program that could not be run."""
    program = spec.run[0]
    remedy = (
        f"Look whether {program!r} is there and executable; words with a slash are taken "
        f"relative to {spec.folder}, others are looked up in /usr/local/bin, /usr/bin, /bin "
        "and beside the arena's own Python. `arena bot show` shows what is run"
    )
    if spec.build:
        remedy += f". If it has to be built first, do so: {shlex.join(spec.build)}"
    return Failure(
        f"a program that can be run: {shlex.join(spec.run)}",
        fault.text,
        remedy,
        step=STARTS,
    )


def no_hello(
    spec: BotSpec, fault: Fault, transport: RecordingTransport, control: TimeControl
) -> Failure:
    """Return the failure of a bot that did not say hello as it should."""
    stderr = tail(transport)
    if text := stray_text(transport.rest):
        return printed(text, "before its hello", stderr)
    ending = transport.ending
    if ending is not None and ending.number != 0:
        return Failure(
            "a program that waits for the referee's hello, and answers it",
            f"it ended before that: {ending}",
            "The end of stderr says why, if the program wrote anything there. Run it by hand in "
            f"{spec.folder} to see: {shlex.join(spec.run)}. In the arena its environment is "
            "empty but for PATH, HOME, LANG and PYTHONHASHSEED",
            step=STARTS,
            stderr=stderr,
        )
    if ending is not None:
        got = f"it ended before that: {ending}"
        remedy = f"Answer the message hello, and stay until bye. {READING}"
    elif fault.code in (NO_ANSWER, NOT_READING):
        got = f"no answer within {control.start} ms"
        remedy = f"Send a hello when one has come, at once: load what takes long before. {READING}"
    else:
        got = fault.text
        remedy = (
            "Send a map with these keys: protocol is the version, a pair of integers; "
            "actions and events say whether the bot wants the list of legal actions and the "
            "events with every question"
        )
    return Failure(
        f"an answer to the referee's hello: {GOOD_HELLO}",
        got,
        remedy,
        step=HELLO,
        received=shown(render(transport.last + transport.rest))
        if transport.last or transport.rest
        else "",
        stderr=stderr,
    )


def failed_in_game(
    where: str,
    fault: SeatFault,
    evidence: Evidence,
    transport: RecordingTransport,
    game: str,
    control: TimeControl,
) -> Failure:
    """Return the failure of a bot during a game."""
    step = ""
    place = f"{where}, decision {fault.decision}"
    stderr = evidence.stderr[-SHOWN_MESSAGE:].strip()
    if text := stray_text(transport.rest):
        return printed(text, f"in {place}", stderr)
    got = f"{fault.text} ({place})"
    if fault.verdict == ILLEGAL:
        expected = "a legal action at every question"
        remedy = (
            f"`arena game show {game}` lists the actions of every kind of question. The easiest "
            'way: say "actions": true in the hello, and answer with "i", an index into the '
            "question's actions"
        )
    elif fault.verdict == TIMEOUT:
        step = IN_TIME
        expected = (
            f"an answer to every question within {control.decision} ms, and in all of a game "
            f"at most {control.bank} ms more"
        )
        got = f"{fault.text}: {evidence.figures or 'it did not read'} ({place})"
        remedy = (
            "If it thinks for so long: start.clock and act.bank say how much time there is. "
            f"If it hangs: it may wait for more than was sent. {READING}"
        )
    elif fault.verdict == CRASHED:
        expected = "a program that plays until the referee says bye"
        remedy = (
            "The end of stderr says why, if the program wrote anything there. Below is the last "
            "message that it was sent; it may have failed at one before, such as start or end"
        )
    elif fault.verdict == PROTOCOL:
        expected = (
            'one answer to every act, {"t": "action", "id": its id, "a": an action} or with '
            '"i", the index of one, in place of "a"; and nothing without being asked'
        )
        remedy = "Put right what is named here; places are written as in action.a[1]"
        if evidence.code not in (NOT_A_MESSAGE, NOT_AN_ANSWER):
            remedy = f"Send four bytes with the length and one msgpack map. {READING}"
    else:
        expected = "a program that plays to the end"
        remedy = "See what is named here"
    return Failure(
        expected,
        got,
        remedy,
        step=step,
        sent=shown(evidence.sent),
        received=shown(evidence.received),
        stderr=stderr,
    )


def printed(text: str, when: str, stderr: str) -> Failure:
    """Return the failure of a bot that sent text where a frame should be."""
    return Failure(
        "nothing but frames on stdout",
        f"text {when}: {text!r}",
        "Something prints to stdout, which belongs to the protocol: print to stderr instead. "
        "Libraries may do it, too. In Python let `arena_sdk.run` take stdin and stdout over "
        "before anything is printed: from then on prints go to stderr by themselves",
        step=STDOUT,
        stderr=stderr,
    )


def stray_text(rest: bytes) -> str:
    """Return the text at the start of these bytes, or "" if they start like a frame.

    The first byte of a frame is always 0, as no frame is longer; text has no such byte.
    """
    if not rest or not (32 <= rest[0] < 127 or rest[0] in b"\t\r\n"):
        return ""
    text = rest.split(b"\0")[0][:SHOWN].decode(errors="replace")
    return "".join(c if c.isprintable() or c in "\t\r\n" else "." for c in text)


def tail(transport: RecordingTransport) -> str:
    """Return the end of stderr; it is complete if the program has ended."""
    if transport.ending is not None:
        transport.close()
    return transport.stderr_tail[-SHOWN_MESSAGE:].strip()


def shown(text: str) -> str:
    """Return a message, cut if it is too long to be read."""
    return text if len(text) <= SHOWN_MESSAGE else text[: SHOWN_MESSAGE - 3] + "..."
