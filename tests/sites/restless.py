"""People who do something on a site all the time, and remember what it has acknowledged.

The site may be gone at any moment. What it does not answer may have happened or not; what it has
acknowledged has to be there at the end.
"""

from __future__ import annotations

import http.client
import random
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Event, Thread
from typing import Any, Final

from .served import BOT, MANIFEST, Reply, Served, Visitor, token_of
from .test_handing_in import zipped

MOST_OPEN: Final = 3
"""Submissions of an author that wait for something; then he waits, too."""
BUILT: Final = "sleep 1\n"
BROKEN: Final = "raise SystemExit(3)\n"
"""A bot that does not pass."""
ACCEPTED: Final = 202


def archive(name: str, version: str, *, builds: bool, passes: bool) -> bytes:
    """A zip with a bot; building it takes a second."""
    manifest = MANIFEST.format(name=name, version=version)
    files = {"bot__py": BOT.replace("{name}", name) if passes else BROKEN}
    if builds:
        manifest += 'build = ["sh", "build.sh"]\n'
        files["build__sh"] = BUILT
    return zipped(bot__toml=manifest, **files)


@dataclass
class Restless:
    """Somebody who does something all the time, in a thread of his own."""

    visitor: Visitor
    token: str
    ladders: tuple[str, ...]
    chance: random.Random
    pause: float
    """Seconds between two things that he does, on average."""
    ending: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self._thread = Thread(target=self._work)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Do nothing any more."""
        self.ending.set()
        self._thread.join()

    def act(self) -> None:
        """Do one thing."""
        raise NotImplementedError

    def call(self, method: str, path: str, body: object = None) -> Reply:
        """Call the interface."""
        return self.visitor.call(method, path, self.token, body)

    def all(self, what: str) -> list[dict[str, Any]]:
        """All of one's submissions, or matches."""
        found: list[dict[str, Any]] = self.call("GET", f"/{what}").json[what]
        return found

    def _work(self) -> None:
        while not self.ending.is_set():
            with suppress(OSError, http.client.HTTPException, ValueError):  # it was killed
                self.act()
            self.ending.wait(self.chance.expovariate(1 / self.pause))


@dataclass
class Author(Restless):
    """Hands in version after version, tries, enters, withdraws, and asks for matches."""

    name: str = ""
    handed_in: dict[int, str] = field(default_factory=dict)
    """The hash of what was handed in, by the number of a submission that was acknowledged."""
    withdrawn: set[int] = field(default_factory=set)
    """Submissions of which the site has said that they are withdrawn, or leave."""
    entered: set[int] = field(default_factory=set)
    """Submissions that were tried first, and of which the site has said that they enter."""
    matches: set[int] = field(default_factory=set)
    _version: int = 0

    def act(self) -> None:
        found = self.all("submissions")
        kind = self.chance.random()
        if kind < 0.5 and sum(each["open"] for each in found) < MOST_OPEN:
            self._hand_in()
        elif kind < 0.6:
            self._step("enter", [each for each in found if each["state"] == "ready"])
        elif kind < 0.68:
            self._step("enter-again", [each for each in found if each["state"] == "retired"])
        elif kind < 0.74:
            self._step("withdraw", found[:6])
        elif kind < 0.87:
            body = {"bots": ["random"] * 3, "deals": 1}
            self._match(f"/ladders/{self.chance.choice(self.ladders)}/matches", body)
        else:
            for each in found[:1]:
                body = {"opponents": ["random"] * 2, "deals": 1}
                self._match(f"/submissions/{each['number']}/matches", body)

    def _hand_in(self) -> None:
        self._version += 1
        name = f"{self.name}-{self.chance.choice('ab')}"
        ladder = self.chance.choice(self.ladders)
        data = archive(
            name,
            str(self._version),
            builds=self.chance.random() < 0.4,
            passes=self.chance.random() < 0.8,
        )
        if self.chance.random() < 0.3:
            reply = self.visitor.hand_in(ladder, data)
            if reply.status == http.client.SEE_OTHER and "/submissions/" in reply.where:
                self.handed_in[int(reply.where.rpartition("/")[2])] = sha256(data).hexdigest()
            return
        trial = "?try=true" if self.chance.random() < 0.25 else ""
        reply = self.call("POST", f"/ladders/{ladder}/submissions{trial}", data)
        if reply.status == ACCEPTED:
            self.handed_in[reply.json["number"]] = sha256(data).hexdigest()

    def _step(self, step: str, among: list[dict[str, Any]]) -> None:
        if not among:
            return
        chosen = self.chance.choice(among)
        reply = self.call("POST", f"/submissions/{chosen['number']}/{step}")
        if reply.status not in (http.client.OK, ACCEPTED):
            return
        if step == "enter-again":
            self.handed_in[reply.json["number"]] = chosen["sha256"]
        else:
            (self.withdrawn if step == "withdraw" else self.entered).add(chosen["number"])

    def _match(self, path: str, body: object) -> None:
        reply = self.call("POST", path, body)
        if reply.status in (http.client.OK, http.client.CREATED, ACCEPTED):
            self.matches.add(reply.json["number"])


@dataclass
class Host(Restless):
    """Leaves wishes for ladders, each with a reason of its own."""

    wishes: dict[tuple[str, int], str] = field(default_factory=dict)
    """The reason of each wish that was acknowledged, by its ladder and its number."""
    _number: int = 0

    def act(self) -> None:
        self._number += 1
        ladder = self.chance.choice(self.ladders)
        reason = f"wish-{self._number:04}"
        budget = {"each": self.chance.randrange(50_000, 100_000)}
        wish = {"wish": "budget", "budget": budget, "reason": reason}
        reply = self.call("POST", f"/ladders/{ladder}/wishes", wish)
        if reply.status == ACCEPTED:
            self.wishes[ladder, reply.json["number"]] = reason


def people(
    served: Served, ladders: tuple[str, ...], authors: int, pause: float, seed: int
) -> tuple[Host, list[Author]]:
    """A host who has made these ladders, and authors who have joined; none has begun yet."""
    host = served.host()
    token = token_of(host, "read", "submit", "host")

    def chance(number: int) -> random.Random:
        return random.Random(seed * 1000 + number)

    found = []
    for number in range(1, authors + 1):
        name = f"author-{number}"
        author = served.invited(host, name)
        own = token_of(author)
        found.append(Author(author, own, ladders, chance(number), pause, name=name))
    return Host(host, token, ladders, chance(0), pause * 4), found
