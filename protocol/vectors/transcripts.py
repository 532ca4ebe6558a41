"""Whole games between rule bots: every frame in both directions, as the referee plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from arena.games.castors.game import Castors
from arena.games.game import Game
from arena.games.gargon.game import Gargon
from arena.records.entries import TimeControl
from arena.referee.deals import Deals
from arena.referee.player import Player
from arena.referee.roster import LIMITS
from arena.referee.table import Table
from arena.referee.terms import Terms
from arena.wire.codec import decode
from arena.wire.frames import HEADER, frame
from arena.wire.messages import BYE

ARENA = "1.0.0"
"""What the arena calls itself in the vectors; they do not change with its version."""
DEALS = Deals.of(b"vectors", "vectors")
WORD = 0xFFFFFFFF
HELLO = {
    "t": "hello",
    "protocol": [1, 0],
    "name": "rule",
    "version": "1",
    "actions": True,
    "events": True,
}


@dataclass(frozen=True)
class Transcript:
    """What a file says about its games, and their frames in the order of the table."""

    head: dict[str, Any]
    frames: list[dict[str, Any]]


def xorshift32(state: int) -> int:
    """The number after this one."""
    state ^= state << 13 & WORD
    state ^= state >> 17
    return state ^ state << 5 & WORD


class RuleBot:
    """The rule bot as a transport that answers at once: what it gets and says is logged."""

    stderr_tail = ""
    ending = None
    stopped = 0.0
    held = False

    def __init__(self, seat: int, log: list[dict[str, Any]]) -> None:
        self._seat = seat
        self._log = log
        self._answers: list[bytes] = []
        self._stream = 1
        self._questions = 0
        self._written = 0.0

    def suspend_others(self) -> None:
        """There is nobody to be suspended."""

    def cpu_seconds(self) -> None:
        """It has no CPU time of its own."""

    def write(self, data: bytes, timeout: float) -> bool:
        """Take a message, and have the answer ready."""
        self._written = perf_counter()
        message = decode(data[HEADER:])
        self._note("referee", message, data)
        answer = self._answer(message)
        if answer is not None:
            data = frame(answer)
            self._note("bot", answer, data)
            self._answers.append(data)
        return True

    def read(self, timeout: float) -> bytes | None:
        """The answer."""
        return self._answers.pop(0) if self._answers else None

    def watch(self) -> RuleBot:
        """All time is the host's, so that a slow host leaves the bank as it is."""
        return self

    def seconds(self) -> float:
        """Time since the question."""
        return perf_counter() - self._written

    def wait_for_ending(self) -> None:
        """It never ends."""

    def close(self) -> None:
        """Nothing to end."""

    def _answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        kind = message["t"]
        if kind == "hello":
            return HELLO
        if kind == "start":
            self._stream = message["seed"] or 1
            self._questions = 0
        if kind != "act":
            return None
        self._stream = xorshift32(self._stream)
        index = self._stream % len(message["actions"])
        self._questions += 1
        answer = {"t": "action", "id": message["id"]}
        if self._questions % 2:
            return {**answer, "i": index}
        return {**answer, "a": message["actions"][index]}

    def _note(self, source: str, message: dict[str, Any], data: bytes) -> None:
        entry = {"seat": self._seat, "from": source, "t": message["t"], "hex": data.hex()}
        self._log.append(entry)


def transcript(game: Game, seats: int, games: int, **options: int) -> Transcript:
    """Games between rule bots that keep their seats and their processes."""
    rules = game.rules(options)
    control = TimeControl()
    log: list[dict[str, Any]] = []
    players = [Player(RuleBot(seat, log), control) for seat in range(seats)]
    for player in players:
        player.greet(ARENA, {game.name: game.version}, LIMITS)
    results = []
    for number in range(games):
        deal = DEALS.block(number).deal(0)
        played = Table(Terms(game, rules, control), deal, players).play(number)
        seeds = [deal.seed(seat) for seat in range(seats)]
        results.append({"seeds": seeds, "scores": played.scores, "places": played.places})
    for player in players:
        player.tell(BYE)
    head = {"game": game.name, "version": game.version, "rules": rules, "seats": seats}
    return Transcript({**head, "results": results}, log)


TRANSCRIPTS: dict[str, Callable[[], Transcript]] = {
    "castors-2": partial(transcript, Castors(), 2, 1, laps=1),
    "castors-3": partial(transcript, Castors(), 3, 2),
    "castors-4": partial(transcript, Castors(), 4, 1),
    "castors-5": partial(transcript, Castors(), 5, 1),
    "gargon-3": partial(transcript, Gargon(), 3, 2),
    "gargon-4": partial(transcript, Gargon(), 4, 1),
    "gargon-5": partial(transcript, Gargon(), 5, 1),
}
