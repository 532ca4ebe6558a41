"""What a site keeps: steps from older databases, states, settings that hold."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.site.database.accounts import Accounts
from arena.site.database.database import Database, DatabaseError
from arena.site.database.schema import STEPS
from arena.site.database.submissions import Submissions
from arena.site.rules.people import (
    SESSION_IDLES,
    SESSION_LASTS,
    SIGN_IN_LINK_LASTS,
    NotNow,
    NotThere,
    Role,
)
from arena.site.rules.submissions import NEXT, OPEN, State, check_step

pytestmark = pytest.mark.source_only


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def test_a_database_is_brought_to_todays_form_and_no_further(tmp_path: Path) -> None:
    """An old database gets the steps that it lacks; one of a later arena is left as it is."""
    path = tmp_path / "site.db"
    Database(path).close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    connection.close()
    with pytest.raises(DatabaseError, match="later version of the arena"):
        Database(path)


def test_what_fails_halfway_has_not_happened(tmp_path: Path) -> None:
    """A change of several rows is made as a whole or not at all."""
    database = Database(tmp_path / "site.db")
    accounts = Accounts(database, Clock())
    with suppress(RuntimeError), database.write() as connection:
        connection.execute(
            "INSERT INTO people (name, role, handle, joined) VALUES ('a', 'host', x'00', 1)"
        )
        raise RuntimeError
    assert accounts.people() == []
    database.close()


def test_links_and_sessions_end_with_time(tmp_path: Path) -> None:
    """A link lasts minutes; a session ends when it is not used, and at the latest in a month."""
    database, clock = Database(tmp_path / "site.db"), Clock()
    accounts = Accounts(database, clock)
    person = accounts.join("ada", Role.AUTHOR)
    link = accounts.sign_in_link(person)
    clock.now += SIGN_IN_LINK_LASTS
    with pytest.raises(NotThere):
        accounts.use_link(link)
    session = accounts.sign_in(person, "x", None)
    began = clock.now
    while clock.now - began < SESSION_LASTS - SESSION_IDLES:
        clock.now += SESSION_IDLES - 1
        assert accounts.by_session(session).person == person
    clock.now = began + SESSION_LASTS
    assert accounts.by_session(session).person is None
    idle = accounts.sign_in(person, "x", None)
    clock.now += SESSION_IDLES
    assert accounts.by_session(idle).person is None
    assert accounts.sessions(person) == []
    accounts.sign_in(person, "y", None)
    with database.read() as connection:
        kept = connection.execute("SELECT agent FROM sessions").fetchall()
    assert [row["agent"] for row in kept] == ["y"], "what is over is not kept"
    database.close()


def test_two_who_use_one_link_at_the_same_time_are_one(tmp_path: Path) -> None:
    """A link that is opened in two windows at once lets one of them in."""
    database = Database(tmp_path / "site.db")
    accounts = Accounts(database, Clock())
    link = accounts.invite(Role.AUTHOR, "")
    joined: list[str] = []

    def use(name: str) -> None:
        try:
            joined.append(accounts.use_link(link, name).name)
        except NotThere:
            pass

    threads = [Thread(target=use, args=(f"name-{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(joined) == len(accounts.people()) == 1
    database.close()


@given(walk=st.lists(st.sampled_from(list(State)), max_size=12))
def test_no_way_leads_back_from_an_end(walk: list[State]) -> None:
    """Whatever is asked of a submission, it takes only allowed steps, and its end is one."""
    state = State.QUEUED
    for new in walk:
        try:
            check_step(state, new)
        except NotNow:
            assert new not in NEXT[state]
            continue
        assert new in NEXT[state]
        assert NEXT[state], "an end has no next step"
        state = new
    if state in OPEN:
        assert NEXT[state]


def test_numbers_of_submissions_are_never_given_twice(tmp_path: Path) -> None:
    """What was handed in and deleted leaves no number under which something else appears."""
    database = Database(tmp_path / "site.db")
    accounts, submissions = Accounts(database, Clock()), Submissions(database, Clock())
    person = accounts.join("ada", Role.AUTHOR)
    numbers = [submissions.next_number() for _ in range(3)]
    submissions.add(numbers[-1], person, "friday", 1, "")
    accounts.join("host", Role.HOST)
    accounts.remove(person)
    assert submissions.next_number() == numbers[-1] + 1
    assert submissions.numbers() == frozenset()
    database.close()
