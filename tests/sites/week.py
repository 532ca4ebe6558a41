"""A week of a site in an hour: forty authors, two hundred submissions, a cup with three stages.

    python tests/sites/week.py --minutes 60 --folder /tmp/week

serves a site in an empty folder for so long, lets scripted people do to it whatever they can, good
and bad, and compares in the end what everybody was told with the logs as they are published. It
prints a table, and exits with 1 if anything was wrong. A test does the same with six authors.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import cycle
from operator import methodcaller
from pathlib import Path
from random import Random
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sites.authors import Author, Week
from sites.hostile import LATER, chosen
from sites.onlookers import Hog, Listener, Spectator, Witness
from sites.ordering import Host
from sites.reckoning import settle, settle_wishes
from sites.served import Served
from sites.tricks import HANDED_IN, Trickster
from sites.week_end import MARK, after_the_end, download, look_behind, until_settled
from sites.week_table import Outcome, table

BUNDLED: Final = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]
TRICKS: Final = (
    (0.03, "gem"),
    (0.03, "set_aside"),
    (0.10, "copy"),
    (0.20, "many_bots"),
    (0.30, "intrude"),
    (0.50, "greedy"),
)
"""What the first authors do, and when."""
CUP: Final = """\
game = "gargon"
tables = [3, 4]
contestants = {bundled}
deadline = {deadline}
set_aside = {{ faults = 2, games = 6 }}

[[stages]]
name = "qualification"
each = {each}

[[stages]]
name = "semi-final"
best = {semi}
each = {semi_each}

[[stages]]
name = "final"
best = 4
tables = [3, 4]
each = {final_each}
certain = 0.95
prizes = 1
"""
OPEN: Final = """\
game = "gargon"
tables = [3]
contestants = {bundled}
set_aside = {{ faults = 2, games = 6 }}

[budget]
each = 6
"""
SETTINGS: Final = """\
title = "The week"

[limits]
{limits}

[spectators]
streams = 60
streams-of-one-address = {streams}
"""


@dataclass(frozen=True)
class Size:
    """How large a trial is."""

    seconds: float
    authors: int
    submissions: int
    spectators: int
    hostile: int | None
    """How many kinds of hostile submissions; None for all."""
    bots: int
    """How many of an author's may play at once on a ladder."""
    each: int
    """Games of everybody in the qualification; more of them in each later stage."""
    uploads: int
    build_seconds: int
    languages: tuple[str, ...]
    patient: bool = True
    """Whether the deadline for entries waits until the host has kept order."""

    @property
    def limits(self) -> dict[str, int]:
        """The limits of the site."""
        return {
            "upload-mb": 2,
            "unpacked-mb": 20,
            "files": 200,
            "ratio": 50,
            "uploads-a-day": self.uploads,
            "bots": self.bots,
            "build-seconds": self.build_seconds,
            "check-seconds": 300,
            "matches-a-day": 8,
            "matches-waiting": 2,
            "match-deals": 1,
            "match-seconds": 120,
        }


def sized(minutes: float) -> Size:
    """The size of a trial that takes so long: after an hour, all that there is."""
    whole = minutes >= 30
    share = min(1.0, minutes / 60)
    return Size(
        seconds=minutes * 60,
        authors=40 if whole else 14,
        submissions=max(50, round(200 * share)),
        spectators=12 if whole else 6,
        hostile=None if whole else 16,
        bots=3,
        each=max(4, round(40 * share)),
        uploads=14,
        build_seconds=150 if whole else 30,
        languages=("none", "python", "javascript", "cpp") if whole else ("none",),
        patient=not whole,
    )


SMALL: Final = Size(20, 6, 20, 2, 5, 2, 3, 7, 30, ("none",))
"""The size of the test."""


def begin(folder: Path, size: Size) -> Week:
    """A site with its settings, served."""
    place = folder / "site"
    place.mkdir(mode=0o700, parents=True)
    limits = "\n".join(f"{key} = {value}" for key, value in size.limits.items())
    (place / "site.toml").write_text(SETTINGS.format(limits=limits, streams=size.spectators + 24))
    site = Served(place, env={MARK: str(folder)})
    return Week(site, folder, size.seconds, size.limits, BUNDLED)


def people(week: Week, size: Size) -> tuple[Host, list[Author], list[Witness]]:
    """The host, with his two ladders, and all whom he has invited."""
    site = week.site
    hosty = Witness(site.address, week.seen, "hosty")
    hosty.keeps_order = True
    assert hosty.enter(site.link, "hosty").status == 303
    host = Host(week, hosty, stage_games=size.each * 10, patient=size.patient)
    seconds = 0.55 * size.seconds + size.authors / 2
    ends = datetime.now(UTC) + (timedelta(days=30) if size.patient else timedelta(seconds=seconds))
    fields = {"bundled": BUNDLED}
    cup = CUP.format(
        **fields, deadline=f"{ends:%Y-%m-%dT%H:%M:%SZ}", each=size.each, semi_each=size.each * 4,
        final_each=size.each * 8, semi=min(12, max(5, size.authors // 3)),
    )  # fmt: skip
    for name, text in (("cup", cup), ("open", OPEN.format(**fields))):
        body = {"name": name, "definition": text}
        made = hosty.call("POST", "/ladders", host.token, body)
        assert made.status == 201, made.text

    def invited(name: str, role: str) -> Witness:
        link = hosty.call("POST", "/invitations", host.token, {"role": role, "note": name}).json
        mark = "mark-" + sha256(f"{week.folder} {name}".encode()).hexdigest()[:12]
        somebody = Witness(site.address, week.seen, name, mark)
        assert somebody.enter(link["link"], name).status == 303
        return somebody

    authors: list[Author] = []
    languages = cycle(size.languages)
    for number in range(size.authors):
        language = next(languages) if number % 10 in (5, 9) and number >= len(TRICKS) else ""
        kind = Trickster if number < len(TRICKS) else Author
        authors.append(kind(week, number, invited(f"author-{number:02}", "author"), language))
    onlookers = [invited(f"spectator-{at}", "spectator") for at in range(size.spectators // 2)]
    onlookers += [
        Witness(site.address, week.seen, f"stranger {at}")
        for at in range(size.spectators - len(onlookers))
    ]
    return host, authors, onlookers


def plan(authors: Sequence[Author], size: Size, seed: int) -> None:
    """Give every author what he does, and when."""
    random = Random(seed)
    for author, (at, trick) in zip(authors, TRICKS, strict=False):
        author.acts.append((at, methodcaller(trick)))
    others = list(authors[len(TRICKS) :]) or [authors[0], authors[3], authors[4]]
    kinds = chosen(random, size.hostile)
    for at, kind in enumerate(kinds):
        late = kind in LATER
        moment = random.uniform(0.02, 0.4 if late else 0.95)
        ladder = "cup" if moment < 0.5 and random.random() < 0.7 else "open"
        act = (moment, methodcaller("hostile", kind, ladder))
        others[at % len(others)].acts.append(act)
    spent = size.uploads + size.bots + HANDED_IN
    fair = max(len(others), size.submissions - spent - len(kinds))
    for at in range(fair):
        author = others[at % len(others)]
        moment = random.uniform(0.01, 0.98)
        early = moment < 0.53
        ladder = "cup" if random.random() < (0.7 if early else 0.15) else "open"
        ways = ["fair"] * 8 + ["watch", "withdraw_early", "come_back", "same_twice"]
        ways += ["try_out", "try_out"]
        way = random.choice(ways)
        author.acts.append((moment, methodcaller(way, ladder)))
        if at % 4 == 0:
            where = (random.uniform(0.2, 0.95), random.choice(["cup", "open"]))
            author.acts.append((where[0], methodcaller("challenge", where[1])))


def trial(folder: Path, size: Size, seed: int) -> Outcome:
    """Serve a site for so long, and reckon up what came of it."""
    began = time.monotonic()
    outcome = Outcome(size.seconds, size.authors)
    week = begin(folder, size)
    try:
        host, authors, onlookers = people(week, size)
        outcome.week, outcome.host = week, host
        plan(authors, size, seed)
        _live(week, host, authors, onlookers, size, outcome)
        if not host.until_decided(max(600.0, size.seconds)):
            week.seen.say("the cup was not decided in its time")
        after_the_end(week, host, authors)
        download(week, outcome)
        settle(week, authors, outcome.logs)
        settle_wishes(week, host.ordered, outcome.logs)
        look_behind(week, outcome)
    finally:
        week.site.remove()
    outcome.wrong = week.seen.wrong
    outcome.took = time.monotonic() - began
    return outcome


def _live(
    week: Week,
    host: Host,
    authors: Sequence[Author],
    onlookers: Sequence[Witness],
    size: Size,
    outcome: Outcome,
) -> None:
    """Let everybody do what he does, until all of it is done."""
    while not all(
        host.person.call("GET", f"/ladders/{each}").json["begun"] for each in ("cup", "open")
    ):
        time.sleep(0.5)
    week.began = time.monotonic()
    ladders = ["cup", "open"]
    looking = [Spectator(each, ladders, week.over, at) for at, each in enumerate(onlookers)]
    listening = [
        Listener(week.site.address, ladders[at % 2], week.seen, week.over)
        for at in range(size.spectators)
    ]
    hog = Hog(
        week.site.address, "cup", size.spectators + 30, week.began + 0.6 * week.seconds, week.seen
    )
    people = [*looking, *listening, hog, host, *authors]
    for each in people:
        each.start()
    time.sleep(max(0.0, week.began + week.seconds - time.monotonic()))
    patience = time.monotonic() + max(900.0, week.seconds)
    for each in (host, hog, *authors):  # what was begun in time is waited for
        each.join(max(0.0, patience - time.monotonic()))
        if each.is_alive():
            week.seen.say(f"{each.name} is not done")
    until_settled(week, host, patience)
    outcome.streams = len(listening)
    week.over.set()
    for each in (*looking, *listening, *authors):
        each.join(300)


def main() -> None:
    """Do a trial, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="as the test does it")
    words = parser.parse_args()
    size = SMALL if words.small else sized(words.minutes)
    outcome = trial(words.folder.absolute(), size, words.seed)
    print(table(outcome))
    sys.exit(1 if outcome.wrong else 0)


if __name__ == "__main__":
    main()
