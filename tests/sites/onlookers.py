"""People on a site who notice what is none of their business, and those who only look on."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock, Thread
from typing import Final
from urllib.parse import urlsplit

from .served import Reply, Visitor

MARK: Final = re.compile(r"mark-[0-9a-f]{12}")
"""What an author's bots write to stderr, and nobody else may see."""
TOKEN: Final = re.compile(r"zz[0-9a-f]{8}")
"""What only the name of one bot has; others may see it once that bot has entered a ladder."""
PATIENCE: Final = 150.0
"""Seconds in which a busy machine answers."""


@dataclass
class Seen:
    """What all people together have seen."""

    statuses: Counter[int] = field(default_factory=Counter)
    tokens: dict[str, str] = field(default_factory=dict)
    """Names that others have seen, and where the first did."""
    wrong: list[str] = field(default_factory=list)
    events: int = 0
    """What came by streams."""
    refused_streams: int = 0
    _lock: Lock = field(default_factory=Lock)

    def note(self, who: Witness, where: str, reply: Reply) -> None:
        """Note an answer, and whether it tells of what is others'."""
        text = reply.body.decode("utf-8", "replace")
        with self._lock:
            self.statuses[reply.status] += 1
            if reply.status >= 500:
                self.wrong.append(f"{where}: answered with {reply.status}: {text[-300:]}")
            if foreign := set(MARK.findall(text)) - {who.mark}:
                self.wrong.append(f"{who.name} has seen {sorted(foreign)} at {where}")
            if not who.keeps_order:
                for token in set(TOKEN.findall(text)) - who.tokens:
                    self.tokens.setdefault(token, f"{who.name} at {where}")

    def say(self, wrong: str) -> None:
        """Note what is not as it should be."""
        with self._lock:
            self.wrong.append(wrong)


class Witness(Visitor):
    """Somebody who knows what is his."""

    def __init__(self, address: str, seen: Seen, name: str, mark: str = "") -> None:
        super().__init__(address)
        self.seen = seen
        self.name = name
        self.mark = mark
        self.tokens: set[str] = set()
        """Of the names of his bots."""
        self.keeps_order = False
        """Whether he is the host, who sees the names of all that was handed in."""

    def send(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request, and look at the answer."""
        reply = super().send(method, path, body, headers)
        self.seen.note(self, f"{method} {path}", reply)
        return reply


class Spectator(Thread):
    """Looks at one page after the other, at his own submissions' numbers as well as at others'."""

    def __init__(self, person: Witness, ladders: list[str], over: Event, seed: int) -> None:
        super().__init__(name=person.name)
        self._person = person
        self._ladders = ladders
        self._over = over
        self._random = Random(seed)

    def run(self) -> None:
        """Look until it is over."""
        while not self._over.wait(self._random.uniform(1, 5)):
            path, allowed = self._somewhere()
            with suppress(OSError, http.client.HTTPException):
                status = self._person.get(path).status
                if allowed and status not in allowed:
                    self._person.seen.say(f"{self._person.name}: GET {path}: {status}")

    def _somewhere(self) -> tuple[str, frozenset[int]]:
        number, pick = self._random.randint(1, 250), self._random.choice
        ladder = pick(self._ladders)
        others = frozenset({303, 401, 404})
        private = ("", "/events", "/archive", "/frames", "/state")
        return pick(
            [
                ("/", frozenset({200})),
                (f"/ladders/{ladder}", frozenset({200})),
                (f"/ladders/{ladder}/matches", frozenset({200})),
                (f"/ladders/{ladder}/pages/", frozenset({200, 404})),
                (f"/api/v1/ladders/{ladder}/standings", frozenset({200})),
                (f"/api/v1/ladders/{ladder}/bots", frozenset({200})),
                (f"/api/v1/ladders/{ladder}/games?faults=true", frozenset({200, 409})),
                (f"/api/v1/ladders/{ladder}/matches", frozenset({200})),
                (f"/api/v1/matches/{number % 40}", frozenset({200, 404})),
                (f"/matches/{number % 40}", frozenset({200, 404})),
                (f"/authors/author-{number % 40:02}", frozenset({200, 404})),
                (f"/submissions/{number}{pick(private)}", others),
                (f"/api/v1/submissions/{number}{pick(['', '/report', '/archive'])}", others),
                ("/people", frozenset({303, 403})),
                ("/queue", frozenset({303, 403})),
                (f"/ladders/{ladder}/host", frozenset({303, 403})),
                (f"/api/v1/ladders/{ladder}/status", frozenset({401, 403})),
            ]
        )


class Listener(Thread):
    """Holds a stream of standings, and opens another when it ends."""

    def __init__(self, address: str, ladder: str, seen: Seen, over: Event) -> None:
        super().__init__(name=f"listener of {ladder}")
        self._address = address
        self._path = f"/api/v1/ladders/{ladder}/standings/events"
        self._seen = seen
        self._over = over
        self._games = 0

    def run(self) -> None:
        """Listen until it is over."""
        while not self._over.is_set():
            with suppress(OSError, http.client.HTTPException):
                listen(self._address, self._path, self._told, self._over.is_set, self._seen)
            self._over.wait(2)

    def _told(self, data: str) -> None:
        overview = json.loads(data)["overview"]
        self._seen.events += 1
        if overview is not None:
            if overview["games"] < self._games:
                self._seen.say(f"{self._path}: {overview['games']} games after {self._games}")
            self._games = overview["games"]


def listen(
    address: str, path: str, told: Callable[[str], object], over: Callable[[], bool], seen: Seen
) -> None:
    """Read a stream until it ends, or it is over."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        seen.statuses[answer.status] += 1
        if answer.status != 200:
            seen.refused_streams += 1
            return
        for line in answer:
            if line.startswith(b"data: "):
                told(line.removeprefix(b"data: ").decode())
            if over():
                return
    finally:
        connection.close()


class Hog(Thread):
    """Opens more streams than one address may have, holds them for a while, and goes."""

    def __init__(self, address: str, ladder: str, streams: int, at: float, seen: Seen) -> None:
        super().__init__(name="hog")
        self._address = address
        self._path = f"/api/v1/ladders/{ladder}/standings/events"
        self._streams = streams
        self._at = at
        self._seen = seen
        self.refused = 0

    def run(self) -> None:
        """Wait for the time, and take all that there is."""
        time.sleep(max(0.0, self._at - time.monotonic()))
        held = []
        with suppress(OSError, http.client.HTTPException):
            for _ in range(self._streams):
                connection = http.client.HTTPConnection(urlsplit(self._address).netloc, timeout=30)
                held.append(connection)
                connection.request("GET", self._path)
                self.refused += connection.getresponse().status == 429
            time.sleep(5)
        for each in held:
            each.close()
        self._seen.refused_streams += self.refused
        if not self.refused:
            self._seen.say(f"{self._streams} streams of one address were open at once")
