"""Authors with a trick: each tries to get more out of a site than is his, or is tricked."""

from __future__ import annotations

import socket
import time
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

from .authors import OPEN, Author, Handed
from .hostile import FAILED, KINDS, ON_IT, Draft, Hostile
from .onlookers import TOKEN
from .served import token_of

HANDED_IN: Final = 20
"""About how much the tricks hand in, beside what limits say."""


class Trickster(Author):
    """An author with a trick."""

    def greedy(self) -> None:
        """Hand in more often than the site allows in a day."""
        limit = self.week.limits["uploads-a-day"]
        hopes = KINDS["no description"]
        for _ in range(limit + 2):
            if len([each for each in self.week.handed if each.author == self.name]) < limit:
                self.hand_in("open", self.draft("open"), hopes, "greedy", way="interface")
        too_often = Hostile(hopes.make, frozenset(), "(?i)^429: .*you can hand in .*try tomorrow")
        for way in ("interface", "form"):
            kind = "more often than a day allows"
            self.hand_in("open", self.draft("open"), too_often, kind, hostile=True, way=way)

    def many_bots(self) -> None:
        """Let more bots play than the site allows."""
        hopes = Hostile(Draft.fair, FAILED | ON_IT)
        handed = [
            self.hand_in("open", self.draft("open", f"many{at}"), hopes, "more bots than allowed",
                         hostile=True, way="interface")
            for at in range(self.week.limits["bots"] + 2)
        ]  # fmt: skip
        found = [self.decided(each) for each in handed]
        playing = [each for each in found if each["state"] in ("playing", "waiting")]
        if len(playing) > self.week.limits["bots"]:
            self.week.seen.say(f"{self.name} has {len(playing)} bots on a ladder")

    def set_aside(self) -> None:
        """Enter a version again that the host has set aside, and then a newer one."""
        handed = self.hand_in("cup", self.draft("cup", "pebble"), way="interface")
        if not handed.number or self.decided(handed)["state"] != "playing":
            self.week.tell("pebble", "")
            return
        self.week.tell("pebble", self.form(handed)["digest"])
        if not self.week.awaits("set aside"):
            return
        self.decided(handed, OPEN | {"playing"})
        hopes = Hostile(Draft.fair, FAILED, "the host has taken it out: set aside")
        again = self.enter_again(handed, hopes, "a version again that was set aside")
        self.decided(again)
        self.hand_in("cup", self.draft("cup", "pebble"), way="interface")

    def gem(self) -> None:
        """Have a bot on both ladders that somebody copies."""
        for ladder in ("cup", "open"):
            handed = self.hand_in(ladder, self.draft(ladder, "gem"), way="interface")
            plays = handed.number and self.decided(handed)["state"] == "playing"
            self.week.tell(f"gem on {ladder}", self.form(handed)["digest"] if plays else "")

    def copy(self) -> None:
        """Copy another's bot, under a name that is its digest, and under its own name."""
        for ladder in ("cup", "open"):
            self.week.awaits(f"gem on {ladder}")
            bots = self.person.call("GET", f"/ladders/{ladder}/bots").json["bots"]
            gems = [each for each in bots if each["name"].startswith("gem-")]
            if not gems:
                self.week.leave_out(f"a copy on {ladder}: the bot does not play")
                self.week.tell(f"copy on {ladder}", "")
                continue
            found = Hostile(Draft.fair, ON_IT | FAILED)
            draft = Draft(gems[0]["digest"], mark=self.person.mark)
            kind = "a copy named like a digest"
            handed = self.hand_in(ladder, draft, found, kind, hostile=True, way="interface")
            taken = Hostile(Draft.fair, FAILED, "belongs to somebody else")
            draft = Draft(gems[0]["name"], "9", self.person.mark)
            self.person.tokens.update(TOKEN.findall(draft.name))
            self.hand_in(ladder, draft, taken, "another's name", hostile=True, way="interface")
            plays = handed.number and self.decided(handed)["state"] == "playing"
            self.week.tell(f"copy on {ladder}", self.form(handed)["digest"] if plays else "")

    def intrude(self) -> None:
        """Do to what is others' all that can be done to one's own, and hand in wrongly."""
        others = [each for each in self.week.handed if each.number and each.author != self.name]
        statuses = set()
        for each in self.random.sample(others, min(8, len(others))):
            where = f"/submissions/{each.number}"
            for act in ("withdraw", "enter", "enter-again", "matches"):
                body = {"opponents": ["random"] * 2} if act == "matches" else None
                reply = self.person.call("POST", f"{where}/{act}", self.token, body)
                statuses |= {reply.status, self.person.post(f"{where}/{act}").status}
            for part in ("", "/report", "/archive"):
                statuses.add(self.person.call("GET", where + part, self.token).status)
            for part in ("", "/events", "/archive", "/frames"):
                statuses.add(self.person.get(where + part).status)
        self._trick("others' submissions, by their numbers", statuses <= {404}, statuses)
        data = self.draft("open", "none").fair()
        path = "/ladders/open/submissions"
        tokens = {
            "a token that only reads": token_of(self.person, "read"),
            "a token that is none": "arena_wrong",
            "no token": None,
        }
        for what, token in tokens.items():
            status = self.person.call("POST", path, token, data).status
            self._trick(f"handed in with {what}", status in (401, 403), status)
        self._trick("half of an upload", self._half(data), "no answer")
        wish = {"wish": "close"}
        status = self.person.call("POST", "/ladders/cup/wishes", self.token, wish).status
        self._trick("a wish of somebody who is no host", status == 403, status)
        busy = [Handed(self.name, "open", "two at once", "interface",
                       Hostile(Draft.fair, ON_IT | FAILED | {"withdrawn"}, ""), True)
                for _ in range(4)]  # fmt: skip
        drafts = [self.draft("open", "once") for _ in busy]
        threads = [
            Thread(target=self.over_http, args=(each, draft.fair()))
            for each, draft in zip(busy, drafts, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with self.week.lock:
            self.week.handed += busy

    def _half(self, data: bytes) -> bool:
        """Send half of an archive, and break the connection; return whether nothing came of it."""
        before = self._numbers()
        where = urlsplit(self.person.address)
        head = (
            f"POST /api/v1/ladders/open/submissions HTTP/1.1\r\nHost: {where.netloc}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", where.port or 80), timeout=30) as connection:
            connection.sendall(head.encode() + data[: len(data) // 2])
        time.sleep(2)
        return self._numbers() == before

    def _numbers(self) -> list[int]:
        found = self.person.call("GET", "/submissions", self.token).json["submissions"]
        return [each["number"] for each in found]

    def _trick(self, what: str, held: bool, came: object) -> None:
        with self.week.lock:
            self.week.tricks[what] = f"{came}"
        if not held:
            self.week.seen.say(f"{self.name}: {what}: {came}")
