"""A copy of a site that is served: whatever is acknowledged before is in it, and goes on."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from arena.site.backup import copy_site
from arena.site.database.database import Database
from arena.site.folder import SiteFolder
from arena.site.rules.submissions import State
from command import arena, assert_refused
from languages.toolchains import need

from .conftest import Serve
from .served import LADDER, Visitor, token_of
from .still import StillSite
from .test_handing_in import bot

pytestmark = pytest.mark.source_only
SECONDS = 600
STEPS = ("before", "the database", "the ladder test", "what was handed in, reports, sealed bots")


@pytest.mark.parametrize("step", STEPS)
def test_whatever_happens_between_its_steps_a_copy_loses_nothing(step: str, tmp_path: Path) -> None:
    """A bot passes and enters while the site is copied: in the copy each plays once or waits."""
    site = StillSite.new(tmp_path / "own")
    for _ in range(4):
        site.hand_in()
    playing = site.examine("old")
    site.settle()
    wished = site.examine("old")
    site.serve_door()  # its wish waits for the run
    waiting = site.examine("old")
    acknowledged = [each.number for each in site.submissions.of(site.person)]

    def happen(now: str) -> None:
        if now == step:
            site.play()
            site.hand_in()
            site.examine("old")
            site.examine("old")
            site.settle()

    happen("before")
    copy_site(site.folder, tmp_path / "copy", happen)
    site.database.close()
    copy = StillSite(tmp_path / "copy")
    copy.folder.make()
    while copy.submissions.in_state(State.QUEUED):
        copy.examine("old")
    copy.settle()
    copy.hand_in()
    copy.examine("new")
    copy.settle()
    found = {each.number: each for each in copy.submissions.of(copy.person)}
    assert {playing.number, wished.number, waiting.number} < set(acknowledged) <= set(found)
    assert {each.state for each in found.values()} == {State.PLAYING}
    assert all(copy.folder.upload(number).exists() for number in acknowledged)
    assert copy.entered() == Counter(each.bot for each in found.values())
    copy.database.close()


def test_a_copy_of_a_site_with_a_queue_goes_on_elsewhere(serve: Serve, tmp_path: Path) -> None:
    """Copied by the command while it is served, it plays on, with all people and submissions."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    served = serve(settings="[limits]\nbots = 5\n")
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER.replace("= 6", "= 3000"))
    author = served.invited(host, "ada")
    token = token_of(author)

    def hand_in(name: str) -> int:
        reply = author.call("POST", "/ladders/friday/submissions", token, bot(name))
        assert reply.status == 202, reply.text
        return int(reply.json["number"])

    numbers = [hand_in("one")]
    assert decided(author, token) == {"one": "playing"}
    numbers += [hand_in(name) for name in ("two", "three")]
    to = tmp_path / "copy"
    done = arena("serve", str(served.folder), "--backup", str(to))
    assert done.code == 0, done.err
    assert done.out.startswith(f"{to}: friday: ")
    assert to.stat().st_mode & 0o777 == 0o700
    assert served.stop() == 0
    log = (to / "ladders" / "friday.ladder" / "log").read_bytes()
    assert (served.folder / "ladders" / "friday.ladder" / "log").read_bytes().startswith(log)
    copied = serve(to)
    author.address = host.address = copied.address
    assert author.get("/account").status == host.get("/people").status == 200
    names = ("one", "two", "three")
    assert decided(author, token) == dict.fromkeys(names, "playing")
    assert {each["number"] for each in found(author, token)} == set(numbers)
    assert copied.stop() == 0
    now = (to / "ladders" / "friday.ladder" / "log").read_bytes()
    assert now.startswith(log)
    assert now.count(b'"entry":"block"') > log.count(b'"entry":"block"')
    bots = [bot["name"] for bot in entered(now)]
    assert Counter(bots) & Counter(names) == Counter(names)
    assert len(set(bots)) == len(bots)
    verified = arena("ladder", "verify", str(to / "ladders" / "friday.ladder"))
    assert verified.code == 0, verified.out


def found(author: Visitor, token: str) -> list[dict[str, object]]:
    """What somebody has handed in."""
    return list(author.call("GET", "/submissions", token).json["submissions"])


def decided(author: Visitor, token: str) -> dict[object, object]:
    """The states of somebody's bots by name, when nothing is to come any more."""
    deadline = time.monotonic() + SECONDS
    while any(each["open"] for each in found(author, token)):
        assert time.monotonic() < deadline, found(author, token)
        time.sleep(0.3)
    return {each["bot"]: each["state"] for each in found(author, token)}


def entered(log: bytes) -> list[dict[str, str]]:
    """All bots that have entered by a log."""
    entries = [json.loads(line[33:]) for line in log.splitlines()]
    return [bot for each in entries if each["entry"] == "enter" for bot in each["contestants"]]


def test_a_copy_is_made_of_a_site_and_replaces_nothing(tmp_path: Path) -> None:
    """No other folder is copied, nothing is written over, and a damaged site has no copy."""
    own = tmp_path / "own"
    SiteFolder(own).make()
    (tmp_path / "there").mkdir()
    refused = arena("serve", "own", "--backup", "copy", cwd=tmp_path)
    assert_refused(refused, "was never served")
    Database(own / "site.db").close()
    for words, says in (
        (("there", "--backup", "copy"), "is no site; arena serve makes one"),
        (("own", "--backup", "there"), "there is something by this name"),
        (("own", "--backup", "own/copy"), "lies in the site's own folder"),
    ):
        assert_refused(arena("serve", *words, cwd=tmp_path), says)
    (own / "site.db").write_bytes(b"SQLite format 3\0" + b"?" * 5000)
    damaged = arena("serve", "own", "--backup", "copy", cwd=tmp_path)
    assert damaged.code == 2, damaged.err
    assert "site.db: damaged: file is not a database" in damaged.err.splitlines()[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own", "there"]
