"""A site killed again and again while authors hand in: what was acknowledged is there, once."""

from __future__ import annotations

import http.client
import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from arena.ladder.store import Store
from arena.records.entries import Entered

from .conftest import Serve
from .served import LADDER, Served, Visitor, token_of
from .test_handing_in import bot

pytestmark = [pytest.mark.source_only, pytest.mark.wide]
KILLS = 25
AUTHORS = 4
SECONDS = 300


def processes(site: Served) -> list[int]:
    """What can be killed: the server, its runs, and what looks at submissions."""
    found = [site.process.pid]
    for lock in (site.folder / "ladders").glob("*.lock"):
        with suppress(OSError, ValueError):
            found.append(int(lock.read_text()))
    children = Path(f"/proc/{site.process.pid}/task/{site.process.pid}/children")
    with suppress(OSError):
        found += [int(text) for text in children.read_text().split()]
    return found


def hand_in(author: Visitor, token: str, number: int, kept: list[int], ending: Event) -> None:
    """Hand in version after version; keep the numbers of those that were acknowledged."""
    version = 0
    while not ending.is_set():
        version += 1
        with suppress(OSError, http.client.HTTPException):
            archive = bot(f"bot-{number}", str(version))
            reply = author.call("POST", "/ladders/friday/submissions", token, archive)
            if reply.status == 202:
                kept.append(reply.json["number"])
            body = {"bots": ["random"] * 3}
            author.call("POST", "/ladders/friday/matches", token, body)
        ending.wait(15)


def test_nothing_that_was_acknowledged_is_lost_or_done_twice(serve: Serve) -> None:
    """Server, runs, examinations and matches are killed at random; in the end all is decided."""
    chance = random.Random(1)
    served = serve(settings="[limits]\nuploads-a-day = 1000\nmatches-a-day = 1000\n")
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    authors = [served.invited(host, f"author-{number}") for number in range(AUTHORS)]
    tokens = [token_of(author) for author in authors]
    kept: list[list[int]] = [[] for _ in authors]
    ending = Event()
    threads = [
        Thread(target=hand_in, args=(author, token, number, kept[number], ending))
        for number, (author, token) in enumerate(zip(authors, tokens, strict=True))
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.2, 4))
            victim = chance.choice(processes(served))
            if victim != served.process.pid:
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
            else:
                served.kill()
                served = serve(served.folder)
                for author in authors:
                    author.address = served.address
    finally:
        ending.set()
        for thread in threads:
            thread.join()
    deadline = time.monotonic() + SECONDS
    for author, token, numbers in zip(authors, tokens, kept, strict=True):
        while True:
            found = author.call("GET", "/submissions", token).json["submissions"]
            matches = author.call("GET", "/matches", token).json["matches"]
            still = [each for each in (*found, *matches) if each["open"]]
            if not still:
                break
            assert time.monotonic() < deadline, still
            time.sleep(1)
        there = {each["number"]: each for each in found}
        assert set(numbers) <= set(there)
        for each in matches:
            assert each["state"] == "played" or each["reason"], each
        # What has failed was said to, and was killed three times with the server.
        for each in found:
            assert each["state"] in ("playing", "retired") or each["reason"], each
    served.stop()
    entered: Counter[str] = Counter()
    with Store.open(served.folder / "ladders" / "friday.ladder") as store:
        for entry in store.entries():
            if isinstance(entry, Entered):
                entered.update(each.digest for each in entry.contestants)
        playing = {store.ledger.contestants[number].digest for number in store.ledger.playing}
    assert max(entered.values()) == 1
    latest = {each["digest"] for each in found if each["state"] == "playing"}
    assert latest <= playing
    assert sum(map(len, kept)) >= AUTHORS
