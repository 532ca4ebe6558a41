"""Opponents of the checked bot: players without a process that choose at random."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

from arena.records.entries import TimeControl
from arena.referee.player import Player, Wait
from arena.version import VERSION
from arena.wire import messages
from arena.wire.codec import decode
from arena.wire.frames import HEADER, frame


class Opponent:
    """A transport that answers by itself, with verbs in `avoided` only if it has no others."""

    stderr_tail = ""
    ending = None
    held = False

    def __init__(self, avoided: frozenset[str]) -> None:
        self._avoided = avoided
        self._random = Random(0)
        self._answers: deque[bytes] = deque()

    def suspend_others(self) -> None:
        """Do nothing, as there is no process to suspend."""

    def cpu_seconds(self) -> None:
        """Return None, as it has no CPU time of its own."""
        return

    def write(self, data: bytes, timeout: float) -> float | None:
        """Take a message, and prepare the answer to it."""
        message = decode(data[HEADER:])
        kind = message["t"]
        if kind == "hello":
            hello = {"t": "hello", "protocol": list(messages.VERSION), "name": "opponent"}
            self._answers.append(frame({**hello, "actions": True, "events": False}))
        elif kind == "start":
            self._random = Random(message["seed"])
        elif kind == "act":
            answer = {"t": "action", "id": message["id"], "i": self._choose(message["actions"])}
            self._answers.append(frame(answer))
        return 0.0

    def read(self, timeout: float) -> bytes | None:
        """Return the answer."""
        return self._answers.popleft() if self._answers else None

    def watch(self) -> Wait:
        """Return a wait of zero, as it never waits for a core."""
        return NoWait()

    def wait_for_ending(self) -> None:
        """Return None, as it never ends."""
        return

    def close(self) -> None:
        """Do nothing, as there is no process to end."""

    def _choose(self, actions: list[list[Any]]) -> int:
        welcome = [i for i, action in enumerate(actions) if action[0] not in self._avoided]
        return self._random.choice(welcome or range(len(actions)))


class NoWait:
    """A `Wait` that measures nothing."""

    stopped = 0.0

    def seconds(self) -> float:
        """Return 0."""
        return 0.0


def opponent(avoided: frozenset[str]) -> Player:
    """Return an opponent that has exchanged hellos."""
    player = Player(Opponent(avoided), TimeControl(decision=600_000))
    player.greet(VERSION, {}, {})
    return player
