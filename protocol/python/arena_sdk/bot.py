"""The base class of bots, the messages that they receive, and the loop that runs them."""

from __future__ import annotations

import sys

from arena_sdk.line import Line

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Any, NoReturn

VERSION = [1, 0]


class Start:
    """The start of a game: the game, its rules, and this bot's seat.

    `seed` is this bot's own seed for this game; `random` is a generator made from it.
    `clock` is in milliseconds: `decision` for each decision, `bank` for longer ones in a game.
    """

    __slots__ = ("_random", "clock", "game", "number", "rules", "seat", "seats", "seed")

    def __init__(self, message: dict[str, Any]) -> None:
        self.number: int = message["number"]
        self.game: str = message["game"]
        self.rules: dict[str, Any] = message["rules"]
        self.seat: int = message["seat"]
        self.seats: int = message["seats"]
        self.seed: int = message["seed"]
        self.clock: dict[str, int] = message["clock"]
        self._random: Random | None = None

    @property
    def random(self) -> Random:
        """The random generator of this game. The same seed gives the same numbers."""
        if self._random is None:
            from random import Random  # noqa: PLC0415 - most of this module's import time

            self._random = Random(self.seed)
        return self._random


class Question:
    """A decision to make.

    `kind` is the kind of decision. `view` is what this seat sees. `events` lists what happened
    since the bot was last asked; `first_event` is the number of the first of them. `actions`
    lists the legal actions, in canonical order, if the bot wants them. `bank` is the rest of
    the game's bank in milliseconds. Replays show the text that the bot assigns to `note`.
    """

    __slots__ = ("actions", "bank", "events", "first_event", "id", "kind", "note", "start", "view")

    def __init__(self, message: dict[str, Any], start: Start) -> None:
        self.id: int = message["id"]
        self.kind: str = message["kind"]
        self.view: dict[str, Any] = message["view"]
        self.events: list[dict[str, Any]] = message.get("events", [])
        self.first_event: int = message.get("first_event", 0)
        self.actions: list[list[Any]] = message.get("actions", [])
        self.bank: int = message["bank"]
        self.start = start
        self.note = ""

    @property
    def random(self) -> Random:
        """The random generator of this game."""
        return self.start.random


class End:
    """The end of a game: scores, places and verdicts by seat, and the last events."""

    __slots__ = ("events", "first_event", "places", "scores", "start", "verdicts")

    def __init__(self, message: dict[str, Any], start: Start) -> None:
        self.scores: list[int] = message["scores"]
        self.places: list[int] = message["places"]
        self.verdicts: list[str] = message["verdicts"]
        self.events: list[dict[str, Any]] = message.get("events", [])
        self.first_event: int = message.get("first_event", 0)
        self.start = start


class Bot:
    """The base class of bots. A bot can also be a function, see `run`.

    If `wants_actions` is true, every question has the list of legal actions; if `wants_events`
    is true, it has the events. The referee does not compute what a bot does not want.
    """

    name = ""
    version = ""
    wants_actions = True
    wants_events = True

    def start(self, start: Start) -> None:
        """Prepare for a game that begins."""

    def choose(self, question: Question) -> Any:
        """Return an action such as ["draw", 0], or its index in `question.actions`."""
        raise NotImplementedError

    def fault(self, message: dict[str, Any]) -> None:
        """Handle a failure: this bot is out of the game. `text` in the message is the reason."""
        print(f"fault: {message.get('verdict')}: {message.get('text')}", file=sys.stderr)

    def end(self, end: End) -> None:
        """Handle the end of a game. Nothing of it may influence the next game."""


class _Function(Bot):
    """A bot that consists of a function."""

    def __init__(self, choose: Callable[[Question], Any], *, actions: bool, events: bool) -> None:
        self._choose = choose
        self.wants_actions = actions
        self.wants_events = events

    def choose(self, question: Question) -> Any:
        return self._choose(question)


def run(
    bot: Bot | Callable[[Question], Any],
    name: str = "",
    version: str = "",
    *,
    actions: bool = True,
    events: bool = True,
    line: Line | None = None,
) -> None:
    """Play until the referee says goodbye or closes the connection.

    `actions` and `events` say what a function wants; a `Bot` has `wants_actions` and
    `wants_events` for this. By default the protocol uses stdin and stdout, and prints go to
    stderr. An exception in `choose` is printed, and reported to the referee; then the program ends.
    """
    if not isinstance(bot, Bot):
        name = name or getattr(bot, "__name__", "")
        bot = _Function(bot, actions=actions, events=events)
    line = Line.take_stdio() if line is None else line
    start: Start | None = None
    while (message := line.receive()) is not None:
        kind = message.get("t")
        if kind == "act" and start is not None:
            question = Question(message, start)
            try:
                choice = bot.choose(question)
            except Exception as error:  # noqa: BLE001 - whatever it is, the author has to learn it
                _fail(line, error)
            line.send(_answer(question, choice))
        elif kind == "start":
            start = Start(message)
            bot.start(start)
        elif kind == "end" and start is not None:
            bot.end(End(message, start))
        elif kind == "hello" and message["protocol"][0] != VERSION[0]:
            spoken = message["protocol"]
            line.send({"t": "error", "text": f"this bot speaks protocol {VERSION}, not {spoken}"})
            return
        elif kind == "hello":
            line.send(
                {
                    "t": "hello",
                    "protocol": VERSION,
                    "name": name or bot.name or type(bot).__name__,
                    "version": version or bot.version,
                    "actions": bot.wants_actions,
                    "events": bot.wants_events,
                }
            )
        elif kind == "fault":
            bot.fault(message)
        elif kind == "bye":
            return


def _fail(line: Line, error: Exception) -> NoReturn:
    """Report an error on stderr, and to the referee in place of an answer; end the program."""
    sys.excepthook(type(error), error, error.__traceback__)
    sys.stderr.flush()
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = ""
    if place is not None:
        file = place.tb_frame.f_code.co_filename.rpartition("/")[2]
        where = f" ({file}, line {place.tb_lineno})"
    said = str(error)
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    line.send({"t": "error", "text": text + where})
    raise SystemExit(1)


def _answer(question: Question, choice: Any) -> dict[str, Any]:
    answer: dict[str, Any] = {"t": "action", "id": question.id}
    if hasattr(choice, "__index__") and not isinstance(choice, bool):
        answer["i"] = choice.__index__()  # accepts numpy's integers, too
    else:
        answer["a"] = choice
    if question.note:
        answer["note"] = question.note
    return answer
