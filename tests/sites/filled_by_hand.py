"""Submissions and matches in every state on a site, handed in and started as people do it."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Final

from arena.site.database.database import Database
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.matches.results import EVENTS
from arena.site.rules.matches import MatchBot, MatchState
from arena.site.rules.submissions import State

from .filled import BOTS, LONG, SetClock, Tables, run
from .served import BOT, MANIFEST, Visitor
from .shown import Filled
from .test_handing_in import bot, zipped

TALKS: Final = """\
import sys

print("thinking about the first move ...")
print("warming up the tables of moves", file=sys.stderr)
for line in sys.stdin.buffer:
    pass
"""
FAILED_BUILD: Final = """\
echo "   Compiling magpie v0.3.1"
echo "error[E0308]: mismatched types" >&2
echo "  --> src/main.rs:118:31" >&2
echo "   |" >&2
echo "118|     let best: &Card = hand.iter().max();" >&2
echo "   |                        ^^^^^^^^^^^^^^^^^^ expected \\`&Card\\`" >&2
echo "error: could not compile \\`magpie\\` (bin \\"magpie\\") due to 1 previous error" >&2
exit 101
"""
SLOW_BUILD: Final = """\
for part in serde itoa memchr ryu proc-macro2 quote unicode-ident syn; do
    echo "   Compiling $part"
done
sleep 3000
"""


def hand_in(site: Filled) -> None:
    """Hand in bots as people do, wait for what is found, and let them play."""
    author = site.visitor("author")
    manifest = MANIFEST.format(name="magpie", version="0.3.1") + 'build = ["sh", "build.sh"]\n'
    builds = {"bot__toml": manifest, "bot__py": BOT, "build__sh": FAILED_BUILD}
    failed = {
        "failed-build": zipped(**builds),
        "failed-check": bot("second-thought", "2.0-beta", program=TALKS),
        "failed-archive": zipped(README__md="# My bot\n"),
    }
    for name, archive in failed.items():
        where = _decided(author, author.hand_in("friday", archive).where, State.FAILED)
        site.show(f"submission-{name}", where, "author")
    enters = author.hand_in("friday", bot("night-owl", "3")).where
    _decided(author, enters, State.WAITING)
    run(site.served.folder, "friday", "--games", "48")
    site.show("submission-playing", _decided(author, enters, State.PLAYING), "author")
    again = author.hand_in("friday", bot("night-owl", "4")).where
    site.show("submission-waiting", _decided(author, again, State.WAITING), "author")
    tried = _try(author, bot("lantern", "0.1"))
    _decided(author, tried, State.READY)
    test = author.post(f"{tried}/matches", bot=["gargon-hand", "random"], deals=1).where
    _played(author, test)
    site.show("match-test-played", test, "author")
    challenge = author.post("/ladders/friday/matches", bot=["brittle", "gargon-backs", "random"])
    _played(author, challenge.where)
    site.show("match-challenge-played", challenge.where)
    site.show("replay-of-match", f"{challenge.where}/games/0")
    site.show("submission-tried", tried, "author")
    leaving = _submission_of(site, author, "winter")
    author.post(f"{leaving}/withdraw")
    site.show("submission-leaving", leaving, "author")
    _block_the_queue(site)
    _matches_in_all_states(site, int(challenge.where.rpartition("/")[2]))


def _try(author: Visitor, archive: bytes) -> str:
    """Hand something in to be tried; return its page."""
    token = author.post("/account/tokens", label="handing in", scope=["read", "submit"]).secret
    made = author.call("POST", "/ladders/friday/submissions?try=true", token, archive).json
    return f"/submissions/{made['number']}"


def _decided(author: Visitor, where: str, state: State) -> str:
    """Wait until a submission is in a state; return its page."""
    deadline = time.monotonic() + LONG
    while f'class="state {state}"' not in (page := author.get(where).text):
        assert time.monotonic() < deadline, page
        time.sleep(0.2)
    return where


def _played(author: Visitor, where: str) -> None:
    deadline = time.monotonic() + LONG
    while 'class="state played"' not in (page := author.get(where).text):
        assert time.monotonic() < deadline, page
        time.sleep(0.2)


def _submission_of(site: Filled, author: Visitor, ladder: str) -> str:
    with closing(Database(SiteFolder(site.served.folder).database)) as database:
        found = Submissions(database, SetClock()).on_ladder(ladder)
    return f"/submissions/{next(each.number for each in found if each.author == 'ada')}"


def _block_the_queue(site: Filled) -> None:
    """Hand in what builds for ever: what comes after it waits, submissions and matches."""
    author, other = site.visitor("author"), site.visitor("other")
    manifest = MANIFEST.format(name="saffron", version="1") + 'build = ["sh", "build.sh"]\n'
    slow = zipped(bot__toml=manifest, bot__py=BOT, build__sh=SLOW_BUILD)
    building = author.hand_in("friday", slow).where
    deadline = time.monotonic() + LONG
    while "Compiling syn" not in author.get(building).text:
        assert time.monotonic() < deadline, author.get(building).text
        time.sleep(0.2)
    site.show("submission-building", building, "author")
    other.hand_in("friday", bot("zephyr"))
    queued = author.hand_in("everybody", bot("juniper", "0.3")).where
    site.show("submission-queued", queued, "author")
    bots = ["gargon-majority", "gargon-backs", "gargon-hand", "random"]
    for who in (other, author, author, author):
        waiting = who.post("/ladders/friday/matches", bot=bots, deals=2).where
    site.show("match-waiting", waiting, "author")


def _matches_in_all_states(site: Filled, played: int) -> None:
    """Matches as they are while they are played, and after they could not be."""
    folder = SiteFolder(site.served.folder)
    with closing(Database(folder.database)) as database:
        tables = Tables(database, SetClock())
        old = tables.matches.get(played)
        person = next(each for each in tables.accounts.people() if each.name == "ada")
        states = (
            (MatchState.RUNNING, ""),
            (MatchState.FAILED, "0 of 3 games could be played in its time"),
            (MatchState.WITHDRAWN, ""),
        )
        for state, reason in states:
            bots = [*old.bots[:1], MatchBot(BOTS[-1], "1", "f" * 64), *old.bots[1:]]
            used = old.bots if state is MatchState.RUNNING else bots
            made = tables.matches.add(person, "friday", used, 1, None)
            with database.write() as connection:  # whatever waits before it
                connection.execute(
                    "UPDATE matches SET state = ?, reason = ? WHERE number = ?",
                    (state, reason, made.number),
                )
            site.show(f"match-{state}", f"/matches/{made.number}", "author")
            if state is MatchState.RUNNING:
                to = folder.match(made.number)
                to.mkdir()
                first = (folder.match(played) / EVENTS).read_bytes().splitlines(keepends=True)[0]
                (to / EVENTS).write_bytes(first)


def until_published(site: Filled) -> None:
    """Wait until the site has made the pages of its ladders."""
    deadline = time.monotonic() + LONG
    for ladder in ("friday", "everybody", "autumn-cup", "stages-now"):
        while not (site.served.folder / "public" / ladder / "index.html").exists():
            assert time.monotonic() < deadline, site.served.log
            time.sleep(0.2)
