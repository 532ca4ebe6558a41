"""Experiments with a bot that has not answered: which other messages would it have answered?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

from arena.check._recording_transport import PATIENCE_MS, QUESTIONS, kind_of, settle
from arena.check._symptoms import Experiment, Symptoms
from arena.process.ending import PipeClosed
from arena.process.program import Program, StderrDrain
from arena.programs.spec import BotSpec
from arena.referee.terms import Terms
from arena.wire.frames import HEADER, LARGEST

MOST_MESSAGES = 12
"""A bot that fails after more messages of a game is not sent them again one by one."""
ROUND = 20
ROUNDS = 200
"""So many rounds of hellos are answered by more bytes than any usual buffer has."""
WRITE_SECONDS = 10.0
NEXT_LENGTH = LARGEST.to_bytes(HEADER, "big")
"""The start of a next message: who reads messages as they are waits for the rest of it."""


def experiment(spec: BotSpec, terms: Terms, messages: Sequence[bytes], seen: Symptoms) -> Symptoms:
    """Return the symptoms of a bot that failed after these messages, with an experiment's outcome.

    Only a bot that sent nothing when it should have is experimented with.
    """
    lab = _Lab(spec, terms)
    if seen.rest or seen.late or seen.last or not messages:
        return replace(seen, answered_to=lab.alone(messages, seen))
    hello = messages[0]
    if lab.answers(hello[:HEADER][::-1] + hello[HEADER:]):
        return replace(seen, answered_to=Experiment.LITTLE_ENDIAN)
    if seen.computes or seen.unread or seen.ending is not None:
        return seen
    if lab.goes_on(hello + b"\n") and not lab.goes_on(hello + b"\0"):
        return replace(seen, answered_to=Experiment.LINE_END)
    if lab.goes_on(hello + NEXT_LENGTH):
        return replace(seen, answered_to=Experiment.MORE)
    return replace(seen, answered_to=lab.many(hello)) if seen.at_close else seen


class _Lab:
    """Starts the bot anew for every experiment."""

    def __init__(self, spec: BotSpec, terms: Terms) -> None:
        self._spec = spec
        self._terms = terms

    def answers(self, data: bytes) -> bool:
        """Whether the bot sends something when this is all that comes."""
        with self._started() as program:
            return _send(program, data) and bool(settle(program, PATIENCE_MS, to_output=True)[1])

    def goes_on(self, data: bytes) -> bool:
        """Whether the bot sends something, or ends, when this is all that comes."""
        with self._started() as program:
            if not _send(program, data):
                return False
            came = settle(program, PATIENCE_MS, to_output=True)[1]
            return bool(came) or program.await_ending(0) is not None

    def many(self, hello: bytes) -> Experiment | None:
        """Whether the bot sends something when hellos come again and again."""
        with self._started() as program:
            for _ in range(ROUNDS):
                if not _send(program, hello * ROUND):
                    break
                if _came(program):
                    return Experiment.MANY
            return Experiment.MANY if settle(program, PATIENCE_MS, to_output=True)[1] else None

    def alone(self, messages: Sequence[bytes], seen: Symptoms) -> Experiment | None:
        """Whether the bot answers if each of several messages comes when the last was read."""
        messages = _of_its_last_game(messages)
        silent = not (seen.rest or seen.late or seen.at_close or seen.computes or seen.ending)
        if not silent or len(seen.asked) < 2 or len(messages) > MOST_MESSAGES:
            return None
        with self._started() as program:
            for message in messages:
                due = kind_of(message) in QUESTIONS
                if not _send(program, message):
                    return None
                if bool(settle(program, PATIENCE_MS, to_output=due)[1]) != due:
                    return None
        return Experiment.ALONE

    @contextmanager
    def _started(self) -> Iterator[Program]:
        with closing(StderrDrain()) as drain:
            launch = self._terms.sandbox.launch(self._spec, None, self._terms.limits)
            with closing(Program(launch, drain)) as program:
                yield program


def _of_its_last_game(messages: Sequence[bytes]) -> Sequence[bytes]:
    """Leave out the games before the one in which a bot failed: it began that one as any other."""
    starts = [at for at, message in enumerate(messages) if kind_of(message) == "start"]
    return [*messages[: starts[0]], *messages[starts[-1] :]] if starts else messages


def _send(program: Program, data: bytes) -> bool:
    """Send this; return whether the bot has taken it, or the pipe to it has."""
    try:
        return program.write(data, WRITE_SECONDS) is not None
    except PipeClosed:
        return False


def _came(program: Program) -> bool:
    try:
        return program.read(0) is not None
    except PipeClosed:
        return False
