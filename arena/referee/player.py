"""A player: the referee's conversation with one bot, from hello to bye, over any transport."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final, Protocol

from arena.games.game import Action, State
from arena.games.illegal import IllegalAction
from arena.process.ending import BY_ITSELF, CPU, FILE, LOG, MEMORY, RAN_ON, Ending
from arena.records.entries import TimeControl
from arena.records.verdicts import (
    CRASHED,
    ILLEGAL,
    OUT_OF_MEMORY,
    OUTPUT_LIMIT,
    PROTOCOL,
    START_FAILED,
    TIMEOUT,
    FaultVerdict,
)
from arena.referee.clock import Clock
from arena.referee.faults import (
    CLOSED,
    ENDED,
    GAVE_UP,
    NO_ANSWER,
    NOT_A_FRAME,
    NOT_A_MESSAGE,
    NOT_AN_ANSWER,
    NOT_LEGAL,
    NOT_READING,
    OVER_LIMIT,
    STALLED,
    Fault,
    HostStalled,
)
from arena.wire import messages
from arena.wire.frames import FrameError, FrameReader, frame, render
from arena.wire.messages import BYE, Answer, BotError, Hello, MessageError
from arena.wording import brief

FIRST_LOOK: Final = 0.02
"""Seconds into a decision after which the time that the host takes away is measured."""
INTERVAL: Final = 0.02
"""Seconds between two looks at what the host takes away; the shorter, the more exact."""
HOST_PATIENCE: Final = 10.0
"""If the host takes more than this many seconds of one decision, the game is played again."""
TELL_SECONDS: Final = 1.0
"""How long a bot may take to read a message that needs no answer; pipes hold much more."""
PARTING_SECONDS: Final = 0.1
"""How long a bot that has failed may take to log why."""
STARVED: Final = 2 * FIRST_LOOK
"""Seconds of a first look after which the host is so busy that the next is measured, too."""
NOTABLE: Final = 0.005
"""Likewise, if the host took more than this many seconds of a decision."""
LATE: Final = 0.5
"""If the referee itself wakes up more than this many seconds late, the host has stalled. For bots
whose CPU time is not counted, which could make it so late."""
UNASKED_SHARE: Final = 0.02
UNASKED_SECONDS: Final = 0.02
"""How much CPU time a process may use while it is not asked, as it takes a moment to stop: a share
of its time in a game, and some more in all games. What it uses beyond that is charged."""
LIMIT_VERDICTS: dict[int, FaultVerdict] = {
    MEMORY: OUT_OF_MEMORY,
    CPU: TIMEOUT,
    LOG: OUTPUT_LIMIT,
    FILE: OUTPUT_LIMIT,
    RAN_ON: TIMEOUT,
}
"""The verdict on a bot that was ended for going over a limit, by the ending's cause."""
TOO_OFTEN: Final = "kept the referee waiting, as if the host had stalled, time and again"
PIPE_FULL: Final = "did not read its stdin: the pipe to it stayed full"


_logger = logging.getLogger(__name__)


class Transport(Protocol):
    """The interface through which a player uses a running program."""

    def suspend_others(self) -> None:
        """Suspend all other bots."""

    @property
    def held(self) -> bool:
        """Whether nothing of the bot can run while it is not asked."""

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of all that the bot has ever started; None if it is not counted."""

    def write(self, data: bytes, timeout: float) -> float | None:
        """Send all of the data; return the seconds that the bot kept its pipe full.

        Return None if that took too long. Raise `OSError` if the pipe is closed.
        """

    def read(self, timeout: float) -> bytes | None:
        """Return what has come, None if nothing in time; raise `OSError` if the pipe is closed."""

    def watch(self) -> Wait:
        """Begin to measure how long the host keeps the bot from running."""

    def wait_for_ending(self) -> Ending | None:
        """Return how the program ended, None if it still runs; wait a moment for the report."""

    def close(self) -> None:
        """End the program."""

    @property
    def ending(self) -> Ending | None:
        """How the program ended, None if that is not known or it still runs."""

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""


class Wait(Protocol):
    """Measures the time that the host takes away from a bot."""

    @property
    def stopped(self) -> float:
        """The seconds of them in which the referee itself was stopped."""

    def seconds(self) -> float:
        """Return how long the bot could not run since the measurement began."""


class Player:
    """One bot at the table. Every failure raises a `Fault`; then it can only `part` and close."""

    def __init__(self, transport: Transport, control: TimeControl, name: str = "") -> None:
        self.transport = transport
        self.name = name
        self.seat = -1
        self.tolerated = True
        """Whether a stall of the host is the host's: else it is a fault of this bot."""
        self._traced = _logger.isEnabledFor(logging.DEBUG)
        self.hello: Hello | None = None
        self.wants_actions = False
        self.wants_events = False
        self._start_seconds = control.start / 1000
        self._reader = FrameReader()
        self._question = 0
        self._full = 0.0
        self._cpu: float | None = None
        """The CPU time of the bot when it was last looked up, None if it is not counted."""
        self._cpu_before: float | None = None
        """Likewise when the game began, less what it has yet to be charged for; None also if the
        bot may run while it is not asked."""
        self._charged = 0.0
        """The seconds of this game that it was charged, or that a decision may take anyway."""
        self._unasked = 0.0
        """The seconds in which it ran while it was not asked, and that are to be charged now."""
        self._starved = False
        """Whether others took the core at the last decision."""
        self._early: Wait | None = None
        """Measures from the question on, if the host was busy; else a first look comes before."""
        self._when = "while the game went on"
        self.sent = b""
        self.received: bytes | bytearray = b""
        """What came since the frame before the last began. Bytes that come one by one are added
        to an array, as adding them to bytes would take ever longer."""
        self.last_wait = 0.0

    def greet(self, arena: str, games: Mapping[str, str], limits: Mapping[str, int]) -> Hello:
        """Exchange hellos and return the bot's; any failure here is a failed start."""
        clock = Clock(TimeControl(decision=0, bank=0))
        clock.bank = self._start_seconds
        playing, self._when = self._when, "before it said hello"
        try:
            started = perf_counter()
            chunk = self._first_look(frame(messages.hello(arena, games, limits)), clock)
            reply, _ = self._hear(chunk, started, clock)
        except Fault as fault:
            text = f"no hello: {fault.text}" if fault.verdict == TIMEOUT else fault.text
            raise Fault(START_FAILED, text, fault.figures, code=fault.code) from None
        if isinstance(reply, BotError):
            raise Fault(START_FAILED, f"the bot says: {reply.text}", code=GAVE_UP)
        if not isinstance(reply, Hello):
            text = 't: expected "hello", got "action"'
            raise Fault(START_FAILED, text, code=NOT_AN_ANSWER)
        self._when = playing
        self.hello = reply
        self.wants_actions = reply.actions
        self.wants_events = reply.events
        return reply

    def begin(self, seat: int) -> None:
        """Sit down for a game; what the bot ran unasked since the last one will be charged."""
        self.seat = seat
        self._cpu = self.transport.cpu_seconds()
        if self._cpu is not None and self.transport.held:
            self._cpu_before = self._cpu - max(0.0, self._ran_unasked(self._cpu))
        self._charged = self._unasked = 0.0

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that needs no answer."""
        self._send(frame(message), TELL_SECONDS)

    def part(self, fault: dict[str, Any]) -> None:
        """Tell the bot of its fault and say bye; give it a moment to log that."""
        try:
            for data in (frame(fault), frame(BYE)):
                self.transport.write(data, TELL_SECONDS)
                if self._traced:
                    self._trace("->", data)
            self.transport.read(PARTING_SECONDS)  # ends early when the bot does
        except OSError:
            pass  # it has ended, or does not listen

    def ask(self, message: dict[str, Any], state: State, clock: Clock) -> tuple[Action, str, float]:
        """Ask for a decision; return the legal action, the bot's note and the seconds it took."""
        self._question = number = self._question + 1
        message["id"] = number
        data = frame(message)
        self.transport.suspend_others()
        if self._cpu_before is not None:
            self._cpu = self.transport.cpu_seconds()
            self._unasked = max(0.0, self._ran_unasked(self._cpu) - UNASKED_SECONDS)
        self._early = self.transport.watch() if self._starved else None
        # The bot may run before the write returns, as it shares the referee's core.
        started = perf_counter()
        chunk = self._first_look(data, clock)
        reply, seconds = self._hear(chunk, started, clock)
        if self._cpu_before is not None:
            self._charged += seconds - self.last_wait + self._unasked
        if type(reply) is not Answer:
            raise self._not_an_answer(reply)
        if reply.id != number:
            raise Fault(
                PROTOCOL,
                f"action.id: expected {number}, the id of the last question, got {reply.id}",
                code=NOT_AN_ANSWER,
            )
        if reply.index is None:
            try:
                return state.check(reply.action), reply.note, seconds
            except IllegalAction as illegal:
                raise Fault(ILLEGAL, illegal.describe("action.a"), code=NOT_LEGAL) from None
        actions: list[Action] = message.get("actions") or state.actions()
        if not 0 <= reply.index < len(actions):
            expected = f"0..{len(actions) - 1}, an index into the list of legal actions"
            text = f"action.i: expected {expected}, got {brief(reply.index)}"
            raise Fault(ILLEGAL, text, code=NOT_LEGAL)
        return actions[reply.index], reply.note, seconds

    @property
    def quiet(self) -> bool:
        """Whether the bot has sent nothing that was not asked for."""
        if self._reader.pending:
            return False
        try:
            return self.transport.read(0) is None
        except OSError:
            return False

    def close(self) -> None:
        """End the program."""
        self.transport.close()

    def _ran_unasked(self, cpu: float | None) -> float:
        """Return for how long it ran beyond what it was charged, or may run anyway."""
        if cpu is None or self._cpu_before is None:
            return 0.0
        return cpu - self._cpu_before - self._charged * (1 + UNASKED_SHARE)

    def _late(self, looked: float) -> float:
        """Return how much later than it wanted the referee woke up, less what the bot ran.

        The bot is charged for that, whether it answered or made the referee wait for the core.
        """
        before, self._cpu = self._cpu, self.transport.cpu_seconds()
        if before is None or self._cpu is None:
            return looked if looked > FIRST_LOOK + LATE else 0.0
        return max(0.0, looked - FIRST_LOOK - max(0.0, self._cpu - before))

    def _not_an_answer(self, reply: Hello | Answer | BotError) -> Fault:
        if isinstance(reply, BotError):
            return Fault(CRASHED, f"the bot says: {reply.text}", code=GAVE_UP)
        return Fault(PROTOCOL, 't: expected "action", got "hello"', code=NOT_AN_ANSWER)

    def _first_look(self, data: bytes, clock: Clock) -> bytes | None:
        """Send a question; return what comes back soon.

        Return None if nothing does, b"" if bytes of an earlier frame are still waiting.
        """
        self.sent = data
        if self._traced:
            self._trace("->", data)
        self.last_wait = 0.0
        limit = clock.decision + clock.bank
        pipe = "stdin"
        try:
            full = self.transport.write(data, limit)
            if full is None:
                raise Fault(TIMEOUT, PIPE_FULL, code=NOT_READING)
            self._full = full
            if self._reader.pending:
                return b""  # the bot may have answered too early, and send nothing more
            pipe = "stdout"
            return self.transport.read(FIRST_LOOK if limit > FIRST_LOOK else limit / 2)
        except OSError:
            raise self._closed(pipe) from None

    def _hear(
        self, chunk: bytes | None, started: float, clock: Clock
    ) -> tuple[Hello | Answer | BotError, float]:
        """Return the answer that begins with this chunk, within the clock's limit, and its time."""
        seconds = perf_counter() - started
        looked = seconds - self._full
        self._starved = looked > STARVED
        if chunk and not self._traced and seconds + self._unasked <= clock.decision:
            plain = messages.plain_answer(chunk, self._question)
            if plain is not None:
                self.received = chunk
                return plain, seconds
        message = None if chunk is None else self._message(chunk)
        if message is None or seconds + self._unasked > clock.decision:
            message, seconds = self._wait(message, started, clock, self._late(looked))
            self._starved |= self.last_wait > NOTABLE
        try:
            return messages.read(message), seconds
        except MessageError as error:
            raise Fault(PROTOCOL, str(error), code=NOT_A_MESSAGE) from None

    def _wait(
        self, message: dict[str, Any] | None, started: float, clock: Clock, late: float
    ) -> tuple[dict[str, Any], float]:
        """Wait for the rest of an answer; charge the bot, but not for the time that the host took.

        Return the message and the seconds since the question. `late` is the time in which the
        referee itself could not run.
        """
        watch = self._early
        if watch is None:
            watch = self.transport.watch()
        else:
            late = 0.0  # it has seen that, too
        limit = clock.limit
        while True:
            elapsed = perf_counter() - started
            self.last_wait = waited = late + watch.seconds()
            if waited > HOST_PATIENCE:
                stall = HostStalled(waited, late + watch.stopped)
                if self.tolerated or not stall.counts:
                    raise stall
                figures = f"{waited * 1000:.0f} ms of the host's in one decision"
                raise Fault(TIMEOUT, TOO_OFTEN, figures, code=STALLED)
            took = elapsed - waited + self._unasked
            left = limit - took
            if message is not None:
                if clock.charge(took):
                    self._cpu = self.transport.cpu_seconds()
                    return message, elapsed
                left = 0.0
            if left <= 0:
                unasked = f", {self._unasked * 1000:.0f} of them while it was not asked"
                raise Fault(
                    TIMEOUT,
                    "no answer within the time for the decision and what was left of the bank",
                    f"took {took * 1000:.0f} ms{unasked if self._unasked else ''}, allowed "
                    f"{limit * 1000:.0f} ms; {waited * 1000:.0f} ms of the host's not counted",
                    code=NO_ANSWER,
                )
            message = self._more(min(INTERVAL, left))

    def _message(self, chunk: bytes) -> dict[str, Any] | None:
        """Return the next message with these bytes, None if it is not complete."""
        pending = self._reader.pending
        if not pending:
            self.received = chunk
        else:
            received = self.received
            if not isinstance(received, bytearray):
                self.received = received = bytearray(received)
            del received[: len(received) - pending]  # drop what was read before
            received += chunk
        if self._traced:
            self._trace("<-", chunk)
        try:
            return self._reader.take(chunk)
        except FrameError as error:
            raise Fault(PROTOCOL, str(error), error.figures, code=NOT_A_FRAME) from None

    def _more(self, timeout: float) -> dict[str, Any] | None:
        """Return the next message with what comes in this time, None if it is not complete."""
        try:
            chunk = self.transport.read(timeout)
        except OSError:
            raise self._closed("stdout") from None
        return None if chunk is None else self._message(chunk)

    def _send(self, data: bytes, timeout: float) -> None:
        self.sent = data
        if self._traced:
            self._trace("->", data)
        try:
            taken = self.transport.write(data, timeout)
        except OSError:
            raise self._closed("stdin") from None
        if taken is None:
            raise Fault(TIMEOUT, PIPE_FULL, code=NOT_READING)

    def _trace(self, direction: str, data: bytes) -> None:
        """Log bytes that were sent to the bot or received from it."""
        where = "at hello" if self.seat < 0 else f"seat {self.seat}"
        _logger.debug("%s (%s) %s %s", where, self.name, direction, render(data))

    @property
    def expelled(self) -> Fault | None:
        """The fault of a bot that was ended because it ran on while others were to be asked."""
        ending = self.transport.ending
        return None if ending is None or ending.cause != RAN_ON else _over_limit(ending)

    def _closed(self, pipe: str) -> Fault:
        ending = self.transport.wait_for_ending()
        if ending is None:
            return Fault(PROTOCOL, f"closed its {pipe} {self._when}", code=CLOSED)
        if ending.cause != BY_ITSELF:
            return _over_limit(ending)
        return Fault(CRASHED, f"ended {self._when}: {ending}", ending.figures, code=ENDED)


def _over_limit(ending: Ending) -> Fault:
    verdict = LIMIT_VERDICTS[ending.cause]
    return Fault(verdict, str(ending), ending.figures, code=OVER_LIMIT)
