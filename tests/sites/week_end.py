"""The end of a trial of a site: ladders are closed, logs downloaded and verified."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.programs.vault import Vault
from command import arena

from .authors import OPEN, Author, Week
from .ordering import Host
from .reckoning import LogFacts
from .week_table import Outcome

MARK: Final = "ARENA_WEEK"
"""An environment variable that the processes of a trial have."""


def until_settled(week: Week, host: Host, patience: float) -> None:
    """Wait until nothing is to be looked at, enters or leaves, and no match is to be played."""
    while time.monotonic() < patience:
        coming = [
            each
            for ladder in ("cup", "open")
            for each in host.person.call("GET", f"/ladders/{ladder}/status", host.token).json[
                "handed_in"
            ]
        ]
        if not coming:
            return
        time.sleep(2)
    week.seen.say(f"{len(coming)} submissions were still on their way: {coming[:3]}")


def after_the_end(week: Week, host: Host, authors: Sequence[Author]) -> None:
    """Close the ladders while somebody hands in; what comes too late is refused, and said so."""
    late = authors[0]
    late.hand_in("open", late.draft("open", "last"), way="interface")
    time.sleep(1)
    host.close()
    late.hand_in("open", late.draft("open", "later"), way="interface")
    there = [
        each
        for author in authors
        for each in author.person.call("GET", "/submissions", author.token).json["submissions"]
        if each["state"] == "playing"
    ]
    by_number = {each.number: each for each in week.handed}
    for each in there[:2]:  # withdrawn from a ladder that is closed
        author = next(it for it in authors if it.name == by_number[each["number"]].author)
        path = f"/submissions/{each['number']}/withdraw"
        author.person.call("POST", path, author.token)
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        states = [
            each["state"]
            for author in authors
            for each in author.person.call("GET", "/submissions", author.token).json["submissions"]
        ]
        if not OPEN & set(states):
            return
        time.sleep(1)


def download(week: Week, outcome: Outcome) -> None:
    """Download the logs as a stranger, and verify them."""
    for ladder in ("cup", "open"):
        log = week.folder / f"{ladder}.jsonl"
        words = ("remote", "log", ladder, "--site", week.site.address, "--output", str(log))
        home = {"XDG_DATA_HOME": str(week.folder / "homes" / "stranger")}
        done = arena(*words, env=home, limit=600)
        if done.code:
            week.seen.say(f"arena {' '.join(words)}: {done.code}: {done.err}")
            continue
        verified = arena("ladder", "verify", str(log), limit=3000)
        said = verified.out.strip().splitlines()
        outcome.verified[ladder] = said[-1] if said else verified.err.strip()
        (week.folder / f"{ladder}.verified").write_text(verified.out + verified.err)
        if verified.code:
            week.seen.say(f"arena ladder verify {log.name}: {verified.code}: {said[-3:]}")
        outcome.logs[ladder] = LogFacts.read(log)
        shown = arena(
            "remote", "standings", ladder, "--site", week.site.address, "--json", env=home
        )
        outcome.overviews[ladder] = shown.json


def look_behind(week: Week, outcome: Outcome) -> None:
    """End the site, and look for what it has left, and for mistakes in what it has written."""
    site = week.site
    code = site.stop()
    if code:
        week.seen.say(f"arena serve ended with {code}")
    logs = {"the site": site.log}
    for each in ("cup", "open"):
        logs[each] = (site.folder / "ladders" / f"{each}.log").read_text("utf-8", "replace")
    for name, text in logs.items():
        for line in text.splitlines():
            if re.search(r"Traceback|\bERROR\b|its run has ended|Error:", line):
                week.seen.say(f"the log of {name}: {line[:300]}")
    if left := marked(str(week.folder)):
        week.seen.say(f"{len(left)} processes are left: {left}")
    if left := [path.name for path in (site.folder / "work").iterdir()]:
        week.seen.say(f"left in work: {left}")
    sealed = {each.digest for each in Vault(site.folder / "vault").all()}
    if sealed - week.passed:
        week.seen.say(f"the vault has what did not pass: {sorted(sealed - week.passed)}")
    kept = {int(path.name) for path in (site.folder / "uploads").iterdir() if path.name.isdigit()}
    parts = [path.name for path in (site.folder / "uploads").iterdir() if not path.name.isdigit()]
    acknowledged = {each.number for each in week.handed if each.number}
    if kept != acknowledged or parts:
        week.seen.say(f"uploads that are not submissions: {sorted(kept ^ acknowledged)} {parts}")


def marked(mark: str) -> list[str]:
    """The processes of a trial that still run, after some seconds."""
    for _ in range(100):
        found = []
        for each in Path("/proc").iterdir():
            if each.name.isdigit() and int(each.name) != os.getpid():
                with suppress(OSError):
                    environment = (each / "environ").read_bytes().split(b"\0")
                    words = (each / "cmdline").read_bytes()
                    if f"{MARK}={mark}".encode() in environment or f"{mark}/site".encode() in words:
                        found.append(f"{each.name}: {words.replace(bytes(1), b' ')[:200]!r}")
        if not found:
            return []
        time.sleep(0.1)
    return found
