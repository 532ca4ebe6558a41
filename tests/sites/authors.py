"""Scripted authors: what they hand in, by which way, and what they do with it then."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from typing import Any, Final

from command import arena

from .hostile import KINDS, ON_IT, Draft, Hostile
from .onlookers import PATIENCE, Seen, Witness
from .served import Reply, Served, token_of

OPEN: Final = frozenset({"queued", "examined", "waiting", "leaving"})
"""The states of a submission in which something is still to come."""
FAIR: Final = Hostile(Draft.fair, ON_IT | {"withdrawn", "ready"})
"""What may become of a bot that keeps to the rules."""
LONGEST: Final = 1800.0
"""Seconds beyond the week for which somebody waits for what another does."""
ANYBODY: Final = re.compile(
    r"the ladder did not let it in: .*(entries are closed|first stage has ended|ladder is closed"
    r"|plays already)|you can have \d bots at once|takes no more bots"
)
"""Why anybody may be refused, whatever he hands in."""


@dataclass
class Handed:
    """Something that was handed in, or that somebody tried to."""

    author: str
    ladder: str
    kind: str
    way: str
    hopes: Hostile
    """What may become of it."""
    hostile: bool = False
    trial: bool = False
    number: int = 0
    """0 if it was not taken in."""
    refusal: str = ""
    """Why it was not taken in, as its author was told."""
    state: str = ""
    """What became of it, as soon as that was looked at."""
    reason: str = ""


@dataclass
class Week:
    """What all who take part in a trial share."""

    site: Served
    folder: Path
    seconds: float
    limits: Mapping[str, int]
    bundled: list[str]
    """The bots of the host's definitions."""
    began: float = 0.0
    deadline: float = 0.0
    """When entries to the cup are closed, as a share of the week."""
    seen: Seen = field(default_factory=Seen)
    handed: list[Handed] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    """Set when nobody is to begin anything any more."""
    flags: dict[str, Event] = field(default_factory=dict)
    """What some wait for that others do."""
    digests: dict[str, str] = field(default_factory=dict)
    """Of bots that others wait for."""
    left_out: list[str] = field(default_factory=list)
    """What was not tried, and why: the machine was too slow for it."""
    logins: int = 0
    commands: int = 0
    matches: int = 0
    passed: set[str] = field(default_factory=set)
    """The digests of all that has passed, as its authors were told in the end."""
    tricks: dict[str, str] = field(default_factory=dict)
    """What came of hostile acts that hand nothing in."""
    lock: Lock = field(default_factory=Lock)

    @property
    def now(self) -> float:
        """The share of the week that is over."""
        return (time.monotonic() - self.began) / self.seconds

    def flag(self, name: str) -> Event:
        """The flag of this name."""
        with self.lock:
            return self.flags.setdefault(name, Event())

    def awaits(self, name: str) -> bool:
        """Whether a flag is set before the week is over."""
        flag = self.flag(name)
        while not flag.wait(0.5):
            if self.over.is_set() or time.monotonic() > self.began + self.seconds + LONGEST:
                self.leave_out(f"what needs: {name}")
                return False
        return True

    def told(self, what: str) -> str:
        """The digest that somebody has told of."""
        with self.lock:
            return self.digests.get(what, "")

    def tell(self, what: str, digest: str) -> None:
        """Tell others of a digest; "" if what they wait for has not come."""
        with self.lock:
            self.digests[what] = digest
        self.flag(what).set()

    def leave_out(self, what: str) -> None:
        """Note what was not tried."""
        with self.lock:
            self.left_out.append(what)

    def command(self, author: Author, *words: str) -> Any:
        """Run `arena` as an author at his own machine."""
        with self.lock:
            self.commands += 1
        done = arena(*words, env={"XDG_DATA_HOME": str(author.home)}, limit=1200)
        if "Traceback" in done.err or done.code not in (0, 1, 2):
            self.seen.say(f"arena {' '.join(words)}: {done.code}: {done.err[-400:]}")
        return done


Act = Callable[["Author"], object]


class Author(Thread):
    """Hands in bots, one act after the other, each at its time or as soon as he comes to it."""

    def __init__(self, week: Week, number: int, person: Witness, language: str = "") -> None:
        super().__init__(name=person.name)
        self.week = week
        self.number = number
        self.person = person
        self.random = Random(f"author {number}")
        self.home = week.folder / "homes" / person.name
        self.token = token_of(person)
        self.command = number % 5 == 0 or bool(language)
        """Whether he hands in by the command line."""
        self.language = language
        self.acts: list[tuple[float, Act]] = []
        self._versions: dict[str, int] = {}

    def run(self) -> None:
        """Do all that is to be done."""
        try:
            if self.command:
                self.log_in()
            for at, act in sorted(self.acts, key=lambda each: each[0]):
                while self.week.now < at:
                    time.sleep(0.1)
                act(self)
        except Exception as error:  # noqa: BLE001 - all is a finding
            self.week.seen.say(f"{self.name}: {type(error).__name__}: {error}"[:600])

    # What is handed in

    def draft(self, ladder: str, of: str = "") -> Draft:
        """Another version of his bot for a ladder; each `of` is a bot of its own."""
        key = f"{ladder} {of}"
        version = self._versions[key] = self._versions.get(key, 0) + 1
        token = f"zz{Random(f'{self.name} {key}').randrange(1 << 32):08x}"
        self.person.tokens.add(token)
        name = f"{of or 'bot'}-{token}"
        return Draft(name, str(version), self.person.mark, self.random.randrange(1 << 30))

    def hand_in(
        self,
        ladder: str,
        draft: Draft,
        hopes: Hostile = FAIR,
        kind: str = "fair",
        *,
        trial: bool = False,
        hostile: bool = False,
        way: str = "",
    ) -> Handed:
        """Hand something in; what becomes of it is looked at in the end."""
        way = way or ("command" if self.command and not hostile else "")
        way = way or self.random.choice(["form", "interface"])
        way = "interface" if trial and way == "form" else way
        handed = Handed(self.name, ladder, kind, way, hopes, hostile, trial)
        if way == "command":
            self._by_command(handed, draft)
        else:
            self.over_http(handed, hopes.make(draft))
        with self.week.lock:
            self.week.handed.append(handed)
        return handed

    def over_http(self, handed: Handed, data: bytes) -> None:
        if handed.way == "form":
            reply = self.person.hand_in(handed.ladder, data)
            if reply.status == 303:
                handed.number = int(reply.where.rpartition("/")[2])
            else:
                text = unescape(re.sub(r"<[^>]+>", " ", reply.text.partition("</header>")[2]))
                handed.refusal = f"{reply.status}: {' '.join(text.split())}"
        else:
            path = f"/ladders/{handed.ladder}/submissions?try={str(handed.trial).lower()}"
            self._acknowledge(handed, self.person.call("POST", path, self.token, data))

    @staticmethod
    def _acknowledge(handed: Handed, reply: Reply) -> None:
        if reply.status == 202:
            handed.number = reply.json["number"]
        else:
            handed.refusal = f"{reply.status}: {reply.json['error']}"

    def _by_command(self, handed: Handed, draft: Draft) -> None:
        folder = self.write(draft)
        words = ["submit", str(folder), "--ladder", handed.ladder, "--json"]
        words += ["--site", self.person.address]
        waits = self.random.random() < 0.5
        words += ["--try"] if handed.trial else []
        done = self.week.command(self, *words, *([] if waits else ["--no-wait"]))
        if done.code == 2:
            handed.refusal = f"exit code 2: {done.err.strip()}"
            return
        handed.number = done.json["number"]
        wanted = done.json["state"] == ("ready" if handed.trial else "playing") or not waits
        if (done.code == 0) is not wanted:
            self.week.seen.say(f"arena submit ended with {done.code}: {done.out}")

    def write(self, draft: Draft) -> Path:
        """Write a bot's folder, in the author's language."""
        folder = self.week.folder / "bots" / f"{draft.name}-{draft.version}"
        if not self.language:
            folder.mkdir(parents=True)
            for name, text in draft.files().items():
                (folder / name).write_text(str(text))
            return folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = arena("bot", "new", str(folder), "--language", self.language, "--game", "gargon")
        assert made.code == 0, made.err
        manifest = folder / "bot.toml"
        text = re.sub(r'(?m)^name = ".*"', f'name = "{draft.name}"', manifest.read_text(), count=1)
        text = re.sub(r'(?m)^version = ".*"', f'version = "{draft.version}"', text, count=1)
        manifest.write_text(text)
        return folder

    # What he does with it

    def form(self, handed: Handed) -> Any:
        """A submission as the interface shows it."""
        return self.person.call("GET", f"/submissions/{handed.number}", self.token).json

    def decided(self, handed: Handed, among: frozenset[str] = OPEN) -> Any:
        """A submission as soon as it is in none of these states, or at last as it is."""
        while True:
            found = self.form(handed)
            if found["state"] not in among or self.week.over.is_set():
                return found
            time.sleep(1)

    def fair(self, ladder: str) -> Handed:
        """Hand in another version of his bot."""
        return self.hand_in(ladder, self.draft(ladder))

    def watch(self, ladder: str) -> None:
        """Hand in, and hold the stream of what is found."""
        handed = self.fair(ladder)
        if handed.number:
            told = self.person.stream(f"/submissions/{handed.number}/events", until="event: end")
            if "event: told" not in told:
                self.week.seen.say(f"submission {handed.number}: nothing was told: {told}")

    def withdraw_early(self, ladder: str) -> None:
        """Hand in, and take it back at once."""
        handed = self.hand_in(ladder, self.draft(ladder, "early"), way="interface")
        if handed.number:
            self.person.call("POST", f"/submissions/{handed.number}/withdraw", self.token)

    def come_back(self, ladder: str) -> None:
        """Hand in, withdraw it when it plays, and enter the same again."""
        handed = self.fair(ladder)
        if not handed.number or self.decided(handed)["state"] != "playing":
            return
        where = f"/submissions/{handed.number}"
        self.person.call("POST", f"{where}/withdraw", self.token)
        if self.decided(handed)["state"] == "retired":
            self.enter_again(handed)

    def enter_again(self, handed: Handed, hopes: Hostile = FAIR, kind: str = "again") -> Handed:
        """Enter an old version once more."""
        again = Handed(self.name, handed.ladder, kind, "again", hopes, kind != "again")
        path = f"/submissions/{handed.number}/enter-again"
        self._acknowledge(again, self.person.call("POST", path, self.token))
        with self.week.lock:
            self.week.handed.append(again)
        return again

    def same_twice(self, ladder: str) -> None:
        """Hand in the same archive twice, one right after the other."""
        draft = self.draft(ladder, "twice")
        for _ in range(2):
            self.hand_in(ladder, draft, kind="the same twice", way="interface")

    def try_out(self, ladder: str) -> None:
        """Try a bot, let it play test games, and enter it, or take it back."""
        handed = self.hand_in(ladder, self.draft(ladder, "tried"), trial=True)
        if not handed.number or self.decided(handed)["state"] != "ready":
            return
        where = f"/submissions/{handed.number}"
        body = {"opponents": ["random", "gargon-hand"]}
        self.play(f"{where}/matches", body)
        last = self.random.choice(["enter", "withdraw", ""])
        if last:
            reply = self.person.call("POST", f"{where}/{last}", self.token)
            if reply.status not in (200, 202) and not ANYBODY.search(reply.text):
                self.week.seen.say(f"{where}/{last}: {reply.text}")

    def challenge(self, ladder: str) -> None:
        """Start a match of any bots that play."""
        bots = self.person.call("GET", f"/ladders/{ladder}/bots").json["bots"]
        chosen = [each["digest"] for each in self.random.sample(bots, min(3, len(bots)))]
        self.play(f"/ladders/{ladder}/matches", {"bots": chosen})

    def play(self, where: str, body: object) -> None:
        """Start a match, and wait until it is over."""
        reply = self.person.call("POST", where, self.token, body)
        if reply.status != 202:
            if reply.status not in (404, 409, 429):
                self.week.seen.say(f"{where}: {reply.status}: {reply.text[:200]}")
            return
        with self.week.lock:
            self.week.matches += 1
        path = f"/matches/{reply.json['number']}"
        while self.person.call("GET", path, self.token).json["match"]["open"]:
            if self.week.over.is_set():
                return
            time.sleep(1)

    def hostile(self, kind: str, ladder: str) -> None:
        """Hand in something hostile."""
        draft = self.draft(ladder, "bad")
        self.hand_in(ladder, draft, KINDS[kind], kind, hostile=True)

    # How he is known

    def log_in(self) -> None:
        """Let this author's machine act for him, as `arena login` asks for it in a browser."""
        with subprocess.Popen(
            [sys.executable, "-m", "arena", "login", self.person.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_DATA_HOME": str(self.home)},
        ) as login:
            assert login.stderr is not None
            said = ""
            while not (line := login.stderr.readline()).startswith("  code"):
                assert line, said
                said += line
            link = re.findall(r"http\S+", said)[0]
            assert line.split()[-1] in link
            assert self.person.post(link).status == 200
            _, err = login.communicate(timeout=PATIENCE)
        assert login.returncode == 0, err
        with self.week.lock:
            self.week.logins += 1
