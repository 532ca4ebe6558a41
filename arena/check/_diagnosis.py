"""Diagnoses: what an author is told when the checked bot has done something wrong."""

from __future__ import annotations

import shlex

from arena.check._languages import Words, words_for
from arena.check._program_failures import cannot_run, crashed, ended_early
from arena.check._program_file import ProgramFile
from arena.check._result import Failure
from arena.check._shapes import odd_place, shape, stray_text
from arena.check._silence import silence
from arena.check._symptoms import Experiment, Finding, Symptoms
from arena.programs.spec import BotSpec
from arena.records.entries import SeatFault, TimeControl
from arena.records.times import Evidence
from arena.records.verdicts import CRASHED, ILLEGAL, PROTOCOL, TIMEOUT
from arena.referee.faults import (
    CLOSED,
    GAVE_UP,
    NO_ANSWER,
    NOT_A_FRAME,
    NOT_A_MESSAGE,
    NOT_AN_ANSWER,
    NOT_READING,
    Fault,
)
from arena.wire.frames import render

STARTS = "starts"
HELLO = "says hello"
STDOUT = "keeps stdout for the protocol"
IN_TIME = "answers in time"

SHOWN_MESSAGE = 700
"""Longer messages are cut to this many characters."""
GOOD_HELLO = '{"t": "hello", "protocol": [1, 0], "name": "...", "actions": true, "events": true}'
GOOD_ACTION = (
    'one answer to every act, {"t": "action", "id": its id, "a": an action} or with "i", the index '
    'of one, in place of "a"; and nothing without being asked'
)


def not_started(spec: BotSpec, fault: Fault, file: ProgramFile) -> Failure:
    """Return the failure of a program that could not be run."""
    found = cannot_run(file)
    if found is None:
        remedy = (
            f"Look whether {file.path!r} is there and executable; words with a slash are taken "
            f"relative to {spec.folder}, others are looked up in /usr/local/bin, /usr/bin, /bin "
            "and beside the arena's own Python. `arena bot show` shows what is run"
        )
        found = Finding(fault.text, remedy)
    else:
        found = Finding(f"{fault.text}: {found.got}", found.remedy)
    remedy = found.remedy
    if spec.build and not file.is_file:
        remedy += f". If it has to be built first, do so: {shlex.join(spec.build)}"
    return Failure(
        f"a program that can be run: {shlex.join(spec.run)}", found.got, remedy, step=STARTS
    )


def no_hello(
    spec: BotSpec,
    fault: Fault,
    seen: Symptoms,
    file: ProgramFile,
    control: TimeControl,
    stderr: str,
) -> Failure:
    """Return the failure of a bot that did not say hello as it should."""
    words = words_for(spec)
    ending = seen.ending
    malformed = shape(seen.came, words)
    if malformed is None and (text := stray_text(seen.rest)):
        return printed(text, "before its hello", stderr, words)
    step = HELLO
    expected = f"an answer to the referee's hello: {GOOD_HELLO}"
    if malformed is not None:
        found = malformed
    elif seen.answered_to is Experiment.LITTLE_ENDIAN:
        found = silence(seen, words)
    elif fault.code in (GAVE_UP, NOT_A_FRAME, NOT_A_MESSAGE, NOT_AN_ANSWER):
        found = _wrong_hello(fault, seen, words)
    elif ending is not None:
        if ending.number != 0:
            step, expected = STARTS, "a program that waits for the referee's hello, and answers it"
        found = ended_early("it ended before its hello", ending, stderr, file, spec)
    elif fault.code in (NO_ANSWER, NOT_READING):
        why = silence(seen, words)
        found = Finding(f"no answer within {control.start} ms: {why.got}", why.remedy)
    else:
        found = _wrong_hello(fault, seen, words)
    return Failure(
        expected,
        found.got,
        found.remedy if ending is not None else found.remedy + words.with_sdk,
        step=step,
        received=shown(render(seen.came, reason=malformed is None)) if seen.came else "",
        stderr=stderr,
    )


def failed_in_game(
    where: str,
    spec: BotSpec,
    fault: SeatFault,
    evidence: Evidence,
    seen: Symptoms,
    game: str,
    control: TimeControl,
) -> Failure:
    """Return the failure of a bot during a game."""
    words = words_for(spec)
    step = ""
    place = f"{where}, decision {fault.decision}"
    stderr = tail(evidence.stderr)
    broken = evidence.code == NOT_A_FRAME
    malformed = shape(seen.came, words) if broken else None
    if malformed is None and (text := stray_text(seen.rest)):
        return printed(text, f"in {place}", stderr, words)
    expected = "a program that plays to the end"
    found = Finding(fault.text, "See what is named here")
    if malformed is not None:
        expected, found = GOOD_ACTION, malformed
        step = STDOUT if malformed.between_frames else ""
    elif fault.verdict == ILLEGAL:
        expected = "a legal action at every question"
        found = Finding(
            fault.text,
            f"`arena game show {game}` lists the actions of every kind of question. The easiest "
            'way: say "actions": true in the hello, and answer with "i", an index into the '
            "question's actions",
        )
    elif fault.verdict == TIMEOUT:
        step = IN_TIME
        expected = (
            f"an answer to every question within {control.decision} ms, and in all of a game "
            f"at most {control.bank} ms more"
        )
        found = silence(seen, words)
        figures = evidence.figures or "it did not read"
        found = Finding(f"{fault.text}: {found.got}; {figures}", found.remedy)
    elif fault.verdict == CRASHED:
        expected = "a program that plays until the referee says bye"
        found = crashed(fault.text, seen.ending, stderr)
        if evidence.code == GAVE_UP:
            found = Finding(fault.text, "The bot sent an error with this text, and no answer")
    elif fault.verdict == PROTOCOL:
        expected = GOOD_ACTION
        found = _wrong_answer(fault, evidence.code, seen, words)
    return Failure(
        expected,
        f"{found.got} ({place})",
        found.remedy,
        step=step,
        sent=shown(evidence.sent),
        received=shown(evidence.received),
        stderr=stderr,
    )


def unasked(where: str, seen: bytes, spec: BotSpec, stderr: str) -> Failure:
    """Return the failure of a bot that sent these bytes although nothing was due."""
    words = words_for(spec)
    found = shape(seen, words)
    if found is None and (text := stray_text(seen)):
        return printed(text, where, stderr, words)
    if found is None:
        found = Finding(
            f"a message {where} that nobody had asked for",
            "Answer only hello and act, and each once; other messages need no answer",
        )
    else:
        found = Finding(f"{found.got} ({where})", found.remedy)
    return Failure(
        "an answer to every question, and nothing without being asked",
        found.got,
        found.remedy,
        received=shown(render(seen)),
        stderr=stderr,
    )


def printed(text: str, when: str, stderr: str, words: Words) -> Failure:
    """Return the failure of a bot that sent text where a frame should be."""
    remedy = (
        "Something prints to stdout, which belongs to the protocol: print to stderr instead, "
        f"{words.log}. Libraries may do it, too"
    )
    if words.sdk:
        remedy += (
            f". The SDK takes stdin and stdout over ({words.sdk}): from then on prints go to "
            "stderr by themselves"
        )
    return Failure(
        "nothing but frames on stdout", f"text {when}: {text!r}", remedy, step=STDOUT, stderr=stderr
    )


def _wrong_hello(fault: Fault, seen: Symptoms, words: Words) -> Finding:
    """Return what is wrong with a hello that came."""
    if fault.code == GAVE_UP:
        return Finding(fault.text, "The bot sent an error in place of a hello, with this text")
    if fault.code == CLOSED:
        return _closed(fault.text)
    if fault.code == NOT_A_FRAME:
        return _not_a_frame(fault.text, seen, words)
    if fault.text.startswith("t:"):
        return Finding(fault.text, 'A hello has the key "t" with the text "hello"')
    if fault.text.startswith("hello.protocol"):
        return Finding(
            fault.text,
            "protocol is the version of the protocol for which the bot was written, not that of "
            'the bot or of the arena: an array of two integers, "protocol": [1, 0]',
        )
    return Finding(
        fault.text,
        "Send a map with these keys: protocol is the version, a pair of integers; actions and "
        "events say whether the bot wants the list of legal actions and the events with every "
        "question",
    )


def _wrong_answer(fault: SeatFault, code: str, seen: Symptoms, words: Words) -> Finding:
    """Return what is wrong with an answer that came."""
    got = fault.text
    remedy = "Put right what is named here; places are written as in action.a[1]"
    if code == CLOSED:
        return _closed(got)
    if code == NOT_A_FRAME:
        return _not_a_frame(got, seen, words)
    if code == NOT_AN_ANSWER and seen.answers > seen.questions and seen.repeated is not None:
        return Finding(
            f"{got}: it answered the question {seen.repeated} twice",
            "Send one answer to each act. Look for a second send, such as in a function that the "
            "caller's result is sent by, too",
        )
    if code == NOT_AN_ANSWER and seen.answers > seen.questions:
        return Finding(
            f"{got}: it sent {seen.answers} messages, and {seen.questions} were due",
            "Answer only hello and act, each once; start, end, fault and what is unknown need no "
            "answer",
        )
    if code == NOT_AN_ANSWER and got.startswith("action.id"):
        return Finding(
            f"{got}: one answer came to each question, but with an id of its own or of an earlier "
            "one",
            "Copy id from the act that is answered. It counts the questions of the process, not "
            "those of a game, and is not the number in start",
        )
    if code == NOT_A_MESSAGE and got.startswith("t:"):
        remedy = 'An answer to act has the key "t" with the text "action"'
    return Finding(got, remedy)


def _closed(text: str) -> Finding:
    return Finding(
        text,
        "Keep stdin and stdout open until bye: look for what closes them, such as the end of a "
        "block that has opened them, or a child that was given them",
    )


def _not_a_frame(text: str, seen: Symptoms, words: Words) -> Finding:
    """Return what is wrong with bytes that are no frame, and where in the message."""
    place = odd_place(seen.came)
    return Finding(f"{text}: {place}" if place else text, _codec_remedy(text, words))


def _codec_remedy(text: str, words: Words) -> str:
    """Return what to do about bytes that are no body, by what the codec says of them."""
    if "as keys of maps" in text:
        return (
            'All keys of maps are texts, such as "t": neither numbers nor binary data; msgpack '
            "calls them str"
        )
    if "binary data" in text:
        return "Send texts as msgpack's str, not as bin: texts, not bytes"
    if "extension type" in text:
        return "Send neither timestamps nor other extensions of msgpack"
    if "bytes, got a length" in text:
        return (
            "A frame has at most 1 MiB: look for a text or a note that is far too long. If the "
            "frame is shorter, the bytes where its length should be are something else: "
            f"{words.length}"
        )
    if "bytes more" in text:
        return f"A frame holds one map and nothing after it: {words.length}"
    return f"Send four bytes with the length and one msgpack map: {words.length}; {words.pack}"


def tail(stderr: str) -> str:
    """Return the end of stderr."""
    return stderr[-SHOWN_MESSAGE:].strip()


def shown(text: str) -> str:
    """Return a message, cut if it is too long to be read."""
    return text if len(text) <= SHOWN_MESSAGE else text[: SHOWN_MESSAGE - 3] + "..."
