"""A site that is killed again and again, part by part, while authors hand in all the time.

    python tests/sites/kills.py --kills 100 --folder /tmp/killed

kills so often, and says what was found. A test does the same a few times. What is killed is the
server, which has the supervisor, the door and the queue in it, or one of its ladders' runs, of
what looks at submissions, of what plays matches, of what makes pages, or something below these:
a worker, a build, a bot; or all at once. Then nobody does anything any more, and in the end all
that was acknowledged has to be there, once, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    __package__ = "sites"

from arena.ladder.store import Store
from arena.programs.vault import GONE, NEW, Vault
from arena.records.entries import Changed, Entered
from command import arena
from ladder.following import left_behind

from .restless import Author, Host, people
from .served import Served
from .victims import MARK, Process, left, processes

LADDERS: Final = {"friday": [3], "sunday": [3, 4]}
"""The ladders, and at which tables is played on each."""
DEFINITION: Final = """\
game = "gargon"
tables = {tables}
contestants = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]
sandbox = "auto"
[budget]
each = 50000
"""
SETTINGS: Final = """\
[limits]
uploads-a-day = 100000
matches-a-day = 100000
bots = 2
"""
WEIGHTS: Final = {"server": 3.0, "run": 3.0, "examination": 4.0, "below a examination": 2.0}
"""How often each kind is killed, beside the others with 1."""
POWER_CUT: Final = "all at once"
AS_IT_STARTS: Final = "a server that starts"
CALM: Final = 0.3
CALM_ENDS: Final = 30.0
"""So often nothing is killed until a submission was looked at, or for so many seconds; else none
would ever come through on a busy machine."""
SETTLED: Final = 900.0
"""Seconds in which all has to be decided after the last kill; a run waits up to 300."""
STOPPED: Final = 300.0
"""Seconds that a server may take to end on a busy machine."""


@dataclass
class Found:
    """What was found in a trial."""

    kills: Counter[str] = field(default_factory=Counter)
    """By what was killed, and how."""
    submissions: int = 0
    """That were acknowledged."""
    states: Counter[str] = field(default_factory=Counter)
    given_up: int = 0
    """Submissions that failed as the site was killed three times while it looked at them."""
    matches: int = 0
    wishes: int = 0
    blocks: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    settled: float = 0.0
    """Seconds until all was decided."""
    ended: float = 0.0
    """Seconds that the server took to end."""
    verified: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """What is not as it should be."""

    def check(self, good: bool, words: str) -> None:
        """Note what is wrong, if it is."""
        if not good:
            self.wrong.append(words)


class Trial:
    """A site that is killed."""

    def __init__(self, folder: Path, authors: int, pause: float, seed: int) -> None:
        self.folder = folder
        self.site = folder / "site"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.site.mkdir(mode=0o700)
        (self.site / "site.toml").write_text(SETTINGS)
        self.found = Found()
        self.chance = random.Random(seed)
        self.env = {MARK: str(folder), "TMPDIR": str(self.temporary)}
        self.served = self._serve()
        try:
            self.host, self.authors = people(self.served, tuple(LADDERS), authors, pause, seed)
            for name, tables in LADDERS.items():
                text = DEFINITION.format(tables=tables)
                made = self.host.visitor.post("/new-ladder", name=name, definition=text)
                assert made.status == 303, made.text
        except BaseException:
            self.served.remove()
            raise

    def run(self, kills: int, most: float) -> None:
        """Kill so often, with up to so many seconds between two kills; let all be decided."""
        began = time.monotonic()
        everybody = (self.host, *self.authors)
        for each in everybody:
            each.start()
        try:
            while self.found.kills.total() < kills:
                time.sleep(self.chance.uniform(0.1, most))
                if self.chance.random() < CALM:
                    self.wait_for_more()
                self.kill()
                if self.found.kills.total() % 10 == 0:
                    print(f"{self.found.kills.total()} kills", file=sys.stderr, flush=True)
        finally:
            for each in everybody:
                each.stop()
        self.found.seconds = time.monotonic() - began
        self.settle()
        self.found.settled = time.monotonic() - began - self.found.seconds

    def wait_for_more(self) -> None:
        """Wait until one more submission was looked at to its end, or for some time."""
        deadline = time.monotonic() + CALM_ENDS
        before = self._looked_at()
        while self._looked_at() == before and time.monotonic() < deadline:
            time.sleep(0.1)

    def _looked_at(self) -> int:
        with closing(
            sqlite3.connect(f"{(self.site / 'site.db').as_uri()}?mode=ro", uri=True)
        ) as db:
            where = "attempt > 0 AND state NOT IN ('queued', 'examined')"
            return int(db.execute(f"SELECT count(*) FROM submissions WHERE {where}").fetchone()[0])

    def kill(self) -> None:
        """Kill something."""
        there: dict[str, list[Process]] = {}
        for each in processes(str(self.folder)):
            there.setdefault(each.kind, []).append(each)
        kinds = [*there, POWER_CUT, AS_IT_STARTS]
        kind = self.chance.choices(kinds, [WEIGHTS.get(each, 1.0) for each in kinds])[0]
        sign = self.chance.choice([signal.SIGKILL] * 4 + [signal.SIGTERM])
        if kind in (POWER_CUT, AS_IT_STARTS) or (kind == "server" and sign is signal.SIGKILL):
            sign = signal.SIGKILL
            if kind == POWER_CUT:
                for each in processes(str(self.folder)):
                    _send(each.pid, sign)
            self._server_killed(early=kind == AS_IT_STARTS)
        elif kind == "server":
            self._end_server()
            self._go_on()
        else:
            _send(self.chance.choice(there[kind]).pid, sign)
        self.found.kills[f"{kind} {sign.name}"] += 1

    def _server_killed(self, *, early: bool) -> None:
        self.served.kill()
        if early:  # and the next one as it starts
            with self.served.errors.open("ab") as errors:
                words = ["-m", "arena", "serve", str(self.site), "--port", "0"]
                next_one = subprocess.Popen(
                    [sys.executable, *words],
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env={**os.environ, **self.env},
                )
            time.sleep(self.chance.uniform(0, 2))
            next_one.kill()
            next_one.wait()
        self._go_on()

    def _end_server(self) -> None:
        began = time.monotonic()
        self.served.process.send_signal(signal.SIGTERM)
        try:
            code = self.served.process.wait(STOPPED)
        except subprocess.TimeoutExpired:
            self.found.wrong.append(f"the server has not ended {STOPPED:.0f} s after SIGTERM")
            self.served.kill()
            return
        assert self.served.process.stdout is not None
        self.served.process.stdout.close()
        self.found.ended = max(self.found.ended, time.monotonic() - began)
        self.found.check(code == 0, f"the server ended with {code} after SIGTERM")

    def _go_on(self) -> None:
        self.served = self._serve()
        for each in (self.host, *self.authors):
            each.visitor.address = self.served.address

    def _serve(self) -> Served:
        return Served(self.site, env=self.env)

    def settle(self) -> None:
        """Wait until nothing is still to come."""
        deadline = time.monotonic() + SETTLED
        while still := self._open():
            if time.monotonic() > deadline:
                self.found.wrong += [f"still {each}" for each in still]
                return
            time.sleep(1)

    def _open(self) -> list[str]:
        found = []
        for author in self.authors:
            for what in ("submissions", "matches"):
                found += [f"{what}: {each}" for each in author.all(what) if each["open"]]
        return found + [f"wish: {each}" for each in self._wishes() if each["state"] == "waiting"]

    def _wishes(self) -> list[dict[str, Any]]:
        found = []
        for ladder in LADDERS:
            found += self.host.call("GET", f"/ladders/{ladder}/wishes").json["wishes"]
        return found

    def end(self) -> None:
        """Close the ladders, end the server, and compare what is left with what was said."""
        submissions = {author.name: author.all("submissions") for author in self.authors}
        matches = {author.name: author.all("matches") for author in self.authors}
        numbers: dict[str, set[int]] = {"submissions": set(), "matches": set()}
        for author in self.authors:
            self._compare_author(author, submissions[author.name], matches[author.name])
            numbers["submissions"] |= {each["number"] for each in submissions[author.name]}
            numbers["matches"] |= {each["number"] for each in matches[author.name]}
        answers = {(each["ladder"], each["number"]): each["state"] for each in self._wishes()}
        for ladder in LADDERS:
            self._close(ladder)
        self.settle()
        self._end_server()
        every = [each for found in submissions.values() for each in found]
        for ladder in LADDERS:
            self._compare_ladder(ladder, [each for each in every if each["ladder"] == ladder])
            self._compare_wishes(ladder, self.host, answers)
            self._verify(ladder)
        self._look_for_leftovers(numbers, every)

    def _close(self, ladder: str) -> None:
        """Close a ladder, as soon as it has begun."""
        wish, deadline = {"wish": "close", "reason": "host"}, time.monotonic() + SETTLED
        while (reply := self.host.call("POST", f"/ladders/{ladder}/wishes", wish)).status != 202:
            assert time.monotonic() < deadline, reply.text
            time.sleep(0.5)

    def _compare_author(
        self, author: Author, there: list[dict[str, Any]], matches: list[dict[str, Any]]
    ) -> None:
        found = self.found
        known = {each["number"]: each for each in there}
        found.submissions += len(author.handed_in)
        for number, content in author.handed_in.items():
            found.check(number in known, f"submission {number} is lost")
            if number in known:
                upload = self.site / "uploads" / str(number)
                now = sha256(upload.read_bytes()).hexdigest() if upload.exists() else "nothing"
                found.check(now == content, f"the archive of submission {number} is {now}")
        for number in author.withdrawn & set(known):
            state = known[number]["state"]
            found.check(state in ("withdrawn", "retired"), f"{number} was withdrawn: {state}")
        for number in author.entered & set(known):
            state = known[number]["state"]
            found.check(state != "ready", f"{number} was entered: {state}")
        for each in there:
            found.states[each["state"]] += 1
            found.given_up += "the site" in each["reason"] and each["state"] == "failed"
            found.check(each["state"] != "failed" or each["reason"], f"no reason: {each}")
        played = {each["number"]: each for each in matches}
        found.matches += len(author.matches)
        found.check(author.matches <= set(played), f"matches lost: {author.matches - set(played)}")
        for each in matches:
            found.check(each["state"] == "played" or each["reason"], f"no reason: {each}")

    def _compare_ladder(self, ladder: str, there: list[dict[str, Any]]) -> None:
        """Every submission that plays, or has played, has entered once, and no other has."""
        wanted = Counter(
            (each["bot"], each["version"])
            for each in there
            if each["state"] in ("playing", "retired")
        )
        entered: Counter[tuple[str, str]] = Counter()
        with Store.open(self.site / "ladders" / f"{ladder}.ladder") as store:
            for entry in store.entries():
                if isinstance(entry, Entered):
                    entered.update((each.name, each.version) for each in entry.contestants)
            ledger = store.ledger
            playing = {ledger.contestants[number].digest for number in ledger.playing}
            self.found.blocks[ladder] = ledger.blocks
        handed = Counter({bot: count for bot, count in entered.items() if bot[0][-2:] in "-a-b"})
        for bot in sorted(wanted.keys() | handed.keys()):
            now, should = handed[bot], wanted[bot]
            self.found.check(
                now == should, f"{ladder}: {bot} has entered {now} times, not {should}"
            )
        plays = {each["digest"] for each in there if each["state"] == "playing"}
        self.found.check(plays <= playing, f"{ladder}: do not play: {plays - playing}")
        others = {each["digest"] for each in there if each["digest"]} - plays
        self.found.check(not others & playing, f"{ladder}: still play: {others & playing}")

    def _compare_wishes(self, ladder: str, host: Host, answers: dict[tuple[str, int], str]) -> None:
        """Every wish that was granted stands in the log once."""
        with Store.open(self.site / "ladders" / f"{ladder}.ladder") as store:
            said = Counter(each.reason for each in store.entries() if isinstance(each, Changed))
        for (where, number), reason in host.wishes.items():
            if where == ladder:
                self.found.wishes += 1
                state = answers.get((where, number), "granted")  # an old one is not told any more
                times, should = said[reason], state == "granted"
                self.found.check(times == should, f"{reason}: {times} times in the log: {state}")
        twice = [reason for reason, count in said.items() if reason and count > 1]
        self.found.check(not twice, f"{ladder}: granted twice: {twice}")

    def _verify(self, ladder: str) -> None:
        store = self.site / "ladders" / f"{ladder}.ladder"
        env = {"ARENA_VAULT": str(self.site / "vault")}
        for words in (("check",), ("verify", "--json", "--workers", "1")):
            done = arena("ladder", words[0], str(store), *words[1:], env=env, limit=3600)
            self.found.check(done.code == 0, f"{ladder}: {words[0]}: {done.err or done.out}")
        with suppress(ValueError, KeyError, TypeError):
            self.found.verified[ladder] = str(
                dict(Counter(each["state"] for each in json.loads(done.out)["claims"]))
            )

    def _look_for_leftovers(
        self, numbers: dict[str, set[int]], submissions: list[dict[str, Any]]
    ) -> None:
        """No process, no temporary folder, no file of what is not known."""
        found = self.found
        for each in left(str(self.folder), self.site):
            found.wrong.append(f"still runs: {each}")
        for name in ("work", "../tmp"):
            there = os.listdir(self.site / name)
            found.check(not there, f"left in {name}: {there}")
        for name in ("uploads", "reports", "frames", "matches"):
            of = numbers["matches" if name == "matches" else "submissions"]
            there = sorted(set(os.listdir(self.site / name)) - {str(number) for number in of})
            found.check(not there, f"left in {name}: {there}")
        # In `public` the next publication goes on from what one that was killed has left.
        parts = [
            name for name in os.listdir(self.site / "ladders") if name.endswith((".part", ".lock"))
        ]
        found.check(not parts, f"left in ladders: {parts}")
        vault = self.site / "vault"
        halves = [each for each in os.listdir(vault) if each.startswith((NEW, GONE))]
        found.check(not halves, f"left in the vault: {halves}")
        passed = {each["digest"] for each in submissions if each["digest"]}
        failed = [
            f"{each.spec.name} {each.spec.version}"
            for each in Vault(vault).all()
            if each.digest not in passed and each.spec.name.startswith("author-")
        ]
        found.check(not failed, f"in the vault, although they have not passed: {failed}")
        for line in self.served.log.splitlines():
            if "Traceback" in line or "has failed" in line:
                found.wrong.append(f"the server's log: {line}")


def _send(pid: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, sign)


def trial(
    folder: Path,
    kills: int,
    *,
    seed: int = 1,
    authors: int = 6,
    pause: float = 2.0,
    most: float = 5,
) -> Found:
    """Kill a site so often, and say what was found."""
    tried = Trial(folder, authors, pause, seed)
    try:
        tried.run(kills, most)
        tried.end()
    finally:
        tried.served.remove()
        for each in processes(str(folder)):
            _send(each.pid, signal.SIGKILL)
    return tried.found


def main() -> None:
    """Kill as often as is said."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing is left of it then, either
    folder = given.folder or Path(tempfile.mkdtemp(prefix="killed-")) / "trial"
    before = left_behind()
    found = trial(folder.absolute(), given.kills, seed=given.seed)
    # Others may mount something on this machine meanwhile.
    more = [each for each in left_behind() - before if str(folder) in each or "arena-" in each]
    found.check(not more, f"left behind: {more}")
    for name, value in vars(found).items():
        print(f"{name}: {dict(value) if isinstance(value, Counter) else value}")
    if not found.wrong and given.folder is None:
        shutil.rmtree(folder.parent)
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
