"""A site's folder with what it has after some months: ladders in every state, people, bots.

The ladders are played; who has handed in what goes through the site's own database.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.ladder.store import Store
from arena.records.entries import Contestant
from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.matches import Matches
from arena.site.database.passkeys import Passkeys
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.rules.limits import AuthorLimits
from arena.site.rules.people import Person, Role, Scope
from arena.site.rules.submissions import State
from command import arena

from .served import write_bot

LONG: Final = 900
"""Seconds that anything may take on a machine that does much else."""
DAY: Final = 86_400
SETTINGS: Final = """\
title = "Cards on Friday"
sign-up = "open"
play = {play}

[limits]
build-seconds = 3600

[mail]
server = "localhost"
from = "arena@example.org"
"""
PEOPLE: Final = (
    "ada", "grace-hopper", "edsger", "barbara.liskov", "donald", "margaret-h", "alan", "katherine",
    "leslie", "frances-allen", "tony", "radia", "niklaus", "shafi", "silvio", "adele",
    "a-person-whose-name-is-as-long-as-names-of-people-may-well-be",
)  # fmt: skip
BOTS: Final = (
    "lantern", "night-owl", "brute", "magpie", "second-thought", "sparrow", "quiet-river",
    "tortoise", "hare", "old-fox", "three-of-a-kind", "bluff", "no-bluff", "paper-tiger", "domino",
    "cold-deck", "deep-stack", "card-counter", "the-house", "sleepwalker", "juniper", "saffron",
    "mistral", "sirocco", "harmattan", "zephyr", "monte-carlo", "las-vegas-2", "greedy",
    "greedy.minimax", "alpha", "beta", "alpha-beta", "tabula-rasa", "perceptron", "self-play_v3",
    "q-learner", "ensemble-of-nine", "x",
    "a-bot-with-a-name-that-is-exactly-as-long-as-a-name-here-can-be",
)  # fmt: skip
BRITTLE: Final = """\
import sys
from arena_sdk import run

def choose(question):
    if question.random.random() < 0.01:
        print("no such card in", sorted(range(40)), file=sys.stderr)
        raise ValueError("the hand is empty")
    return question.random.choice(question.actions)

run(choose, name="brittle")
"""


def write_settings(folder: Path, *, play: bool) -> None:
    """Write the settings, with or without runs of ladders."""
    (folder / "site.toml").write_text(SETTINGS.format(play="true" if play else "false"))


def write_ladders(folder: Path, bots: int, games: int) -> None:
    """Make ladders in every state, and play some games of them."""
    ladders = folder / "ladders"
    brittle = write_bot(folder.with_name(f"{folder.name}-brittle"), "brittle", "0.9", BRITTLE)
    friday = [
        "gargon-hand", "gargon-backs", "gargon-majority", "random",
        {"bot": str(brittle), "name": "brittle"},
        {"bot": "random", "name": BOTS[-1]},
    ]  # fmt: skip
    _ladder(ladders, "friday", friday, tables=[3, 4], more='publish = "at-once"')
    run(folder, "friday", "--games", str(min(games, 36)))
    many = [{"bot": "random", "name": name} for name in BOTS[:bots]]
    _ladder(ladders, "everybody", many, tables=[4], more='publish = "at-once"')
    run(folder, "everybody", "--games", str(max(games, 2 * bots)))
    few: Sequence[object] = ["castors-hasty", "castors-thresholds", "castors-odds", "random"]
    stages = (
        '[[stages]]\nname = "qualification"\neach = 6\n'
        '[[stages]]\nname = "final"\nbest = 3\ntables = [3]\neach = 6\n'
    )
    _ladder(ladders, "autumn-cup", few, game="castors", tables=[3], more=stages, budget="")
    run(folder, "autumn-cup")
    _ladder(ladders, "stages-now", few, game="castors", tables=[3], more=stages, budget="")
    run(folder, "stages-now", "--games", "15")
    _ladder(ladders, "winter", few, game="castors", tables=[3])
    run(folder, "winter", "--games", "6")
    _ladder_command(
        folder, "pause", "winter.ladder", "--reason", "the machine moves to another room"
    )
    run(folder, "winter", "--games", "9")
    _ladder_command(folder, "close", "autumn-cup.ladder", "--yes")
    _ladder(ladders, "spring", few, game="castors", tables=[3, 4])
    _ladder(ladders, "at-home", few, game="castors", tables=[3], more='sandbox = "none"')
    name = "a-ladder-whose-name-is-as-long-as-names-of-ladders-may-ever-be"
    _ladder(ladders, name, few, game="castors", tables=[3, 4])
    (ladders / "broken.toml").write_text('game = "gargone"\ntables = [3\n')


def _ladder(
    folder: Path,
    name: str,
    contestants: Sequence[object],
    *,
    tables: Sequence[int],
    game: str = "gargon",
    more: str = "",
    budget: str = "[budget]\neach = 1000\n",
) -> None:
    listed = ", ".join(
        f"{{ bot = {json.dumps(each['bot'])}, name = {json.dumps(each['name'])} }}"
        if isinstance(each, dict)
        else json.dumps(each)
        for each in contestants
    )
    lines = (f'game = "{game}"', f"tables = {list(tables)}", f"contestants = [{listed}]")
    rest = f"{budget}{more}" if more.startswith("[[") else f"{more}\n{budget}"
    (folder / f"{name}.toml").write_text("\n".join((*lines, 'seed = "practice"', rest)))


def run(folder: Path, ladder: str, *words: str) -> None:
    """Let a ladder be played, with these words for the command."""
    _ladder_command(folder, "run", f"{ladder}.toml", *words)


def _ladder_command(folder: Path, *words: str) -> None:
    done = arena(
        "ladder",
        *words,
        cwd=folder / "ladders",
        env={"ARENA_VAULT": str(folder / "vault")},
        limit=LONG,
    )
    assert done.code in (0, 1), (words, done.out[-500:], done.err)


def contestants_of(folder: Path, ladder: str) -> list[Contestant]:
    """Return all that have entered a ladder."""
    with Store.open(folder / "ladders" / f"{ladder}.ladder") as store:
        return list(store.ledger.contestants)


class SetClock:
    """A clock that is set, for what is to have happened long ago."""

    def __init__(self) -> None:
        self.now = int(time.time())

    def __call__(self) -> int:
        return self.now


@dataclass
class Tables:
    """The tables of a database, by a clock that is set."""

    database: Database
    clock: SetClock

    def __post_init__(self) -> None:
        limits = AuthorLimits(matches_a_day=1000, matches_waiting=100)
        self.accounts = Accounts(self.database, self.clock)
        self.passkeys = Passkeys(self.database, self.clock)
        self.submissions = Submissions(self.database, self.clock)
        self.matches = Matches(self.database, self.clock, limits)


def fill_database(folder: Path) -> Mapping[str, str]:
    """Fill in people and what they had handed in long ago; return the sessions of some."""
    now = int(time.time())
    with closing(Database(SiteFolder(folder).database)) as database:
        tables = Tables(database, SetClock())
        accounts = tables.accounts
        tables.clock.now = now - 120 * DAY
        host = accounts.join("hosty", Role.HOST)
        people = []
        for place, name in enumerate(PEOPLE):
            tables.clock.now = now - (110 - 6 * place) * DAY
            people.append(accounts.join(name, Role.AUTHOR))
        tables.clock.now = now - 2 * DAY
        watcher = accounts.join("watcher", Role.SPECTATOR)
        _enter_bots(folder, tables, people, now)
        _old_submissions(tables, people[0], now)
        tables.clock.now = now - 3 * DAY
        accounts.invite(Role.AUTHOR, "Jean, from the club; she writes Rust")
        accounts.invite(Role.SPECTATOR, "")
        tables.passkeys.add(people[0], b"one", b"key", 0)
        tables.passkeys.add(people[0], b"two", b"key", 0)
        accounts.make_token(people[0], "CI of my bots, on the small server", frozenset(Scope))
        accounts.make_token(people[0], "laptop", frozenset({Scope.READ, Scope.SUBMIT}))
        agents = ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl")
        for agent in agents:
            accounts.sign_in(people[0], agent, None)
        tables.clock.now = now
        everybody = {"host": host, "author": people[0], "spectator": watcher, "other": people[1]}
        agent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0.0.0 Safari/537.36"
        return {who: accounts.sign_in(person, agent, None) for who, person in everybody.items()}


def _enter_bots(folder: Path, tables: Tables, people: Sequence[Person], now: int) -> None:
    """Say who has handed in the bots that play."""
    for ladder in ("everybody", "winter", "autumn-cup"):
        with Store.open(folder / "ladders" / f"{ladder}.ladder") as store:
            contestants = list(store.ledger.contestants)
        for place, each in enumerate(contestants):
            tables.clock.now = now - (100 - 2 * place) * DAY + 4711 * place
            owner = people[place % len(people)]
            number = _taken(tables, owner, ladder)
            described = (each.name, each.version, each.digest)
            tables.submissions.step(number, State.WAITING, "", described)
            block = place // 4
            tables.submissions.step(number, State.PLAYING, f"on the ladder from block {block}")
            tables.submissions.claim(ladder, each.name, owner.number)


def _taken(tables: Tables, owner: Person, ladder: str) -> int:
    """Hand something in; it is looked at when this returns."""
    number = tables.submissions.next_number()
    tables.submissions.add(number, owner, ladder, 48_213 + 977 * number, "0" * 64)
    taken = tables.submissions.take_next()
    assert taken is not None
    return taken.number


def _old_submissions(tables: Tables, author: Person, now: int) -> None:
    """What an author has behind him: replaced, taken out, withdrawn."""
    submissions = tables.submissions
    for place, (state, reason) in enumerate(
        (
            (State.RETIRED, "version 2 of it has taken its place"),
            (State.RETIRED, "the host has taken it out: it crashes in every other game"),
            (State.WITHDRAWN, "you have withdrawn it"),
        )
    ):
        tables.clock.now = now - (20 - place) * DAY
        number = _taken(tables, author, "friday")
        digest = f"{number:064x}"
        if state is State.WITHDRAWN:
            submissions.step(number, State.READY, "", ("juniper", "0.2", digest))
        else:
            submissions.step(number, State.WAITING, "", (f"old-{place}", "1", digest))
            submissions.step(number, State.PLAYING)
        submissions.step(number, state, reason)
