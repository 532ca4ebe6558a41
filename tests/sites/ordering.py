"""The host of a trial: what he wishes of his ladders while others hand in and look on."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Thread
from typing import Any

from command import arena

from .authors import Week
from .onlookers import Witness
from .served import Reply, token_of


@dataclass
class Ordered:
    """A wish of the host, and what became of it."""

    wish: str
    state: str
    answer: str
    ladder: str = ""
    reason: str = ""
    """What the log has to have for it once, if it was granted."""


@dataclass
class Host(Thread):
    """Keeps order on the ladders, each thing at its time."""

    week: Week
    person: Witness
    ordered: list[Ordered] = field(default_factory=list)
    stage_games: int = 30
    patient: bool = False
    """Whether he waits for what he wants to keep order on, and lets entries be open meanwhile."""
    token: str = ""

    def __post_init__(self) -> None:
        super().__init__(name="host")
        self.person.keeps_order = True
        self.token = token_of(self.person, "read", "submit", "host")

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Do all that is to be done."""
        plan: list[tuple[float, Callable[[], object]]] = [
            (0.12, self.pause),
            (0.18, self.mistakes),
            (0.22, self.annul),
            (0.26, self.budgets),
            (0.30, self.set_aside),
            (0.40, self.disqualify_copy),
            (0.45, self.change_stage),
            (0.50, self.copy_site),
            (0.52, self.withdraw_original),
            (0.55, self.end_entries),
            (0.56, self.disqualify_late),
        ]
        for at, order in plan:
            while self.week.now < at:
                time.sleep(0.1)
            try:
                order()
            except Exception as error:  # noqa: BLE001 - all is a finding
                name = getattr(order, "__name__", "")
                self.week.seen.say(f"host: {name}: {type(error).__name__}: {error}"[:600])

    # Wishes by the interface

    def leave(self, ladder: str, **wish: object) -> Reply:
        """Leave a wish."""
        return self.person.call("POST", f"/ladders/{ladder}/wishes", self.token, wish)

    def wish(self, ladder: str, **wish: object) -> str:
        """Leave a wish, wait for its answer, and return what it says."""
        reply = self.leave(ladder, **wish)
        what = f"{wish['wish']} on {ladder}"
        if reply.status != 202:
            self.ordered.append(Ordered(what, f"refused with {reply.status}", reply.json["error"]))
            return ""
        path = f"/ladders/{ladder}/wishes/{reply.json['number']}"
        while (found := self.person.call("GET", path, self.token).json)["state"] == "waiting":
            time.sleep(0.5)
        reason = str(wish.get("reason", ""))
        self.ordered.append(Ordered(what, found["state"], found["answer"], ladder, reason))
        return str(found["answer"]) if found["state"] == "granted" else ""

    def must(self, ladder: str, **wish: object) -> None:
        """Leave a wish that is to be granted."""
        if not self.wish(ladder, **wish):
            self.week.seen.say(f"host: {wish} on {ladder}: {self.ordered[-1].answer}")

    def rows(self, ladder: str) -> list[dict[str, Any]]:
        """The standings, as everybody sees them."""
        path = f"/ladders/{ladder}/standings"
        overview = self.person.call("GET", path).json["overview"]
        return list(overview["standings"]) if overview else []

    def pause(self) -> None:
        """Pause the cup: no game is played, whatever is handed in; then go on."""
        self.must("cup", wish="pause", reason="a power cut is announced")
        before = self._games("cup")
        time.sleep(min(20.0, self.week.seconds / 40))
        if self._games("cup") != before:
            self.week.seen.say("the cup was played while it was paused")
        self.must("cup", wish="go-on", reason="the power is back")

    def _games(self, ladder: str) -> int:
        status = self.person.call("GET", f"/ladders/{ladder}/status", self.token).json["status"]
        return int(status["games"])

    def mistakes(self) -> None:
        """Wish for what cannot be."""
        for wish in (
            {"wish": "go-on"},
            {"wish": "annul", "blocks": [999_999], "reason": "a slip"},
            {"wish": "disqualify", "bot": "nobody", "reason": "a slip"},
            {"wish": "budget", "budget": {"each": 5}, "reason": "stages have budgets"},
        ):
            reply = self.leave("cup", **wish)
            answer = reply.json.get("error", "")
            self.ordered.append(Ordered(f"{wish['wish']} on cup", f"{reply.status}", answer))
            if reply.status != 409:
                self.week.seen.say(f"host: {wish}: {reply.status}: {reply.text}")

    def annul(self) -> None:
        """Annul the first block of each ladder."""
        for ladder in ("cup", "open"):
            if self._games(ladder):
                self.must(ladder, wish="annul", blocks=[0], reason="the clock was wrong")
            else:
                self.week.leave_out(f"a block of {ladder} is annulled: none was played")

    def budgets(self) -> None:
        """Change where the ladder without stages ends."""
        self.must("open", wish="budget", budget={"each": 30}, reason="more bots than expected")

    def set_aside(self) -> None:
        """Set a version aside, which its author enters again."""
        found = self._flagged("pebble")
        if found:
            self.must("cup", wish="set-aside", bot=found, reason="it prints too much")
        else:
            self.week.leave_out("a version is set aside: it has not come in")
        self.week.flag("set aside").set()

    def disqualify_copy(self) -> None:
        """Disqualify a copy whose name is the digest of what it copies, by its own digest."""
        copy, gem = self._flagged("copy on cup"), self._flagged("gem on cup")
        if not copy:
            self.week.leave_out("a copy is disqualified: it has not come in")
            return
        self.must("cup", wish="disqualify", bot=copy, reason="another's bot under another name")
        rows = self._fresh("cup", copy)
        if rows[copy].get("left") != "disqualified" or rows[gem].get("left") == "disqualified":
            self.week.seen.say("the wrong one of a bot and its copy was disqualified")

    def withdraw_original(self) -> None:
        """Withdraw a bot by its digest, which is the name of its copy: the bot goes."""
        copy, gem = self._flagged("copy on open"), self._flagged("gem on open")
        if not copy:
            self.week.leave_out("a bot is withdrawn by a digest that is a name: no copy came in")
            return
        self.must("open", wish="withdraw", bots=[gem], reason="asked for by mail")
        rows = self._fresh("open", gem)
        if rows[gem].get("left") != "withdrawn" or rows[copy].get("left"):
            self.week.seen.say("a digest that is another's name took out the wrong bot")

    def _flagged(self, what: str) -> str:
        """The digest that somebody has told."""
        if self.patient:
            self.week.awaits(what)
        return self.week.told(what)

    def _fresh(self, ladder: str, gone: str) -> dict[str, dict[str, Any]]:
        """The standings by digest, as soon as they show that somebody has left."""
        while True:
            rows = {row["digest"]: row for row in self.rows(ladder)}
            if rows[gone].get("left"):
                return rows
            time.sleep(1)

    def change_stage(self) -> None:
        """Change the final by a command, at the shell of the site's machine."""
        store = str(self.week.site.folder / "ladders" / "cup.ladder")
        words = ("--each", str(self.stage_games), "--reason", "a longer final")
        done = arena("ladder", "stage", store, "final", *words, limit=600)
        self.ordered.append(Ordered("stage of cup", f"exit code {done.code}", done.out.strip()))
        if done.code:
            self.week.seen.say(f"arena ladder stage: {done.code}: {done.err}")

    def end_entries(self) -> None:
        """Move the deadline in the definition to now, if it was to be moved."""
        if self.patient:
            path = self.week.site.folder / "ladders" / "cup.toml"
            now = f"deadline = {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            made = path.with_suffix(".new")
            made.write_text(re.sub(r"(?m)^deadline = .*$", now, path.read_text()))
            made.rename(path)

    def copy_site(self) -> None:
        """Copy the site while it is served; what was acknowledged before is in the copy."""
        before = {each.number for each in list(self.week.handed) if each.number}
        place = self.week.folder / "copy"
        done = arena("serve", str(self.week.site.folder), "--backup", str(place), limit=1200)
        if done.code:
            self.week.seen.say(f"arena serve --backup: {done.code}: {done.err}")
            return
        with closing(sqlite3.connect(place / "site.db")) as database:
            there = {row[0] for row in database.execute("SELECT number FROM submissions")}
        if before - there:
            self.week.seen.say(f"the copy lacks submissions {sorted(before - there)}")
        self.ordered.append(Ordered("a copy of the site", "made", f"{len(there)} submissions"))

    def disqualify_late(self) -> None:
        """Disqualify somebody in a stage after the first, whom nobody replaces."""
        while "qualification" in (on := self._stages_on()) and not self.week.over.is_set():
            time.sleep(0.5)
        playing = [row for row in self.rows("cup") if row["active"]]
        spare = [row for row in playing if row["bot"] not in self.week.bundled]
        if not on or len(playing) < 4 or not spare:
            self.week.leave_out(f"somebody is disqualified after the qualification: {on} is on")
            return
        found = spare[-1]["digest"]
        if not self.wish("cup", wish="disqualify", bot=found, reason="two authors are one"):
            self.week.leave_out(f"a late disqualification: {self.ordered[-1].answer}")

    def _stages_on(self) -> list[str]:
        """The name of the stage that is on; none after the last."""
        overview = self.person.call("GET", "/ladders/cup/standings").json["overview"]
        return [each["stage"] for each in overview["stages"] if each["state"] == "on"]

    # The end

    def until_decided(self, seconds: float) -> bool:
        """Wait until the last stage of the cup has ended; return whether it has."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            overview = self.person.call("GET", "/ladders/cup/standings").json["overview"]
            if overview and all(each["state"] == "ended" for each in overview["stages"]):
                return True
            time.sleep(2)
        return False

    def close(self) -> None:
        """Close both ladders."""
        for ladder in ("cup", "open"):
            self.must(ladder, wish="close")
