"""The submissions in a database: the queue, what became of each, and whose name a bot has."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from arena.site.database.accounts import Clock
from arena.site.database.changes import Changes
from arena.site.database.database import Database
from arena.site.rules.people import DAY, NotThere, Person
from arena.site.rules.submissions import (
    ON_LADDER,
    UNFINISHED,
    State,
    Submission,
    after_a_stop,
    check_step,
)

SELECT = (
    "SELECT submissions.*, people.name AS author FROM submissions "
    "JOIN people ON people.number = person "
)


class Submissions:
    """All that was handed in and acknowledged."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.changes = Changes()
        """Of submissions and of their reports."""

    def next_number(self) -> int:
        """Return a number that no submission has, or will ever have again."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO sqlite_sequence (name, seq) SELECT 'submissions', 0 "
                "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'submissions')"
            )
            row = connection.execute(
                "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'submissions' RETURNING seq"
            ).fetchone()
            return int(row["seq"])

    def add(
        self,
        number: int,
        person: Person,
        ladder: str,
        size: int,
        sha256: str,
        *,
        trial: bool = False,
    ) -> Submission:
        """Put what was handed in into the queue; it is kept when this returns."""
        now = self._clock()
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO submissions (number, person, ladder, state, made, changed, size, "
                "sha256, trial) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (number, person.number, ladder, State.QUEUED, now, now, size, sha256, trial),
            )
            return _get(connection, number)

    def get(self, number: int) -> Submission:
        """Return a submission; raise `NotThere` if there is none."""
        with self._database.read() as connection:
            return _get(connection, number)

    def own(self, number: int, person: Person) -> Submission:
        """Return a submission of this person's; of others' he does not learn whether it exists."""
        found = self.get(number)
        if found.person != person.number:
            raise NotThere(f"you have handed in no submission {number}")
        return found

    def several(self, numbers: Iterable[int]) -> list[Submission]:
        """Return those of these submissions that there are."""
        wanted = tuple(numbers)
        return self._all(f"WHERE submissions.number IN ({', '.join('?' * len(wanted))})", *wanted)

    def unfinished(self) -> list[int]:
        """Return the numbers of those that were not looked at to the end, in their order."""
        return [each.number for each in self.in_state(*UNFINISHED)]

    def of(self, person: Person) -> list[Submission]:
        """Return all submissions of a person, the last first."""
        return self._all("WHERE person = ? ORDER BY submissions.number DESC", person.number)

    def in_state(self, *states: State) -> list[Submission]:
        """Return all submissions in these states, the first first."""
        marks = ", ".join("?" * len(states))
        return self._all(f"WHERE state IN ({marks}) ORDER BY submissions.number", *states)

    def on_ladder(self, ladder: str) -> list[Submission]:
        """Return the submissions that play on a ladder, or are to."""
        marks = ", ".join("?" * len(ON_LADDER))
        where = f"WHERE ladder = ? AND state IN ({marks}) ORDER BY submissions.number"
        return self._all(where, ladder, *ON_LADDER)

    def entered(self, ladder: str) -> list[Submission]:
        """Return the submissions that a ladder has let in, the last first."""
        where = "WHERE ladder = ? AND digest <> '' ORDER BY submissions.number DESC"
        return [each for each in self._all(where, ladder) if each.has_entered]

    def entered_by(self, author: str) -> list[Submission]:
        """Return what ladders have let in of an author's, the last first."""
        where = "WHERE people.name = ? AND digest <> '' ORDER BY submissions.number DESC"
        return [each for each in self._all(where, author) if each.has_entered]

    def last(self, most: int) -> list[Submission]:
        """Return the submissions that changed last."""
        return self._all("ORDER BY changed DESC, submissions.number DESC LIMIT ?", most)

    def numbers(self) -> frozenset[int]:
        """Return the numbers of all submissions."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT number FROM submissions").fetchall()
        return frozenset(row["number"] for row in rows)

    def today(self, person: Person) -> int:
        """Return how often somebody has handed in in the last 24 hours."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT count(*) FROM submissions WHERE person = ? AND made > ?",
                (person.number, self._clock() - DAY),
            ).fetchone()
        return int(row[0])

    def ahead(self, submission: Submission) -> int:
        """Return how many are looked at before this one."""
        states = [str(state) for state in UNFINISHED]
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT count(*) FROM submissions WHERE number < ? AND state IN (?, ?)",
                (submission.number, *states),
            ).fetchone()
        return int(row[0])

    def take_next(self) -> Submission | None:
        """Take the first submission of the queue, to look at it; None if the queue is empty."""
        with self._writing() as connection:
            row = connection.execute(
                "SELECT number FROM submissions WHERE state = ? ORDER BY number LIMIT 1",
                (State.QUEUED,),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE submissions SET state = ?, attempt = attempt + 1, changed = ? "
                "WHERE number = ?",
                (State.EXAMINED, self._clock(), row["number"]),
            )
            return _get(connection, row["number"])

    def step(
        self,
        number: int,
        state: State,
        reason: str = "",
        described: tuple[str, str, str] = ("",) * 3,
    ) -> Submission:
        """Bring a submission into another state; raise `NotNow` if it cannot be."""
        with self._writing() as connection:
            return self._step(connection, number, state, reason, described)

    def _step(
        self,
        connection: sqlite3.Connection,
        number: int,
        state: State,
        reason: str,
        described: tuple[str, str, str] = ("",) * 3,
    ) -> Submission:
        old = _get(connection, number)
        check_step(old.state, state)
        bot, version, digest = described if described[0] else (old.bot, old.version, old.digest)
        connection.execute(
            "UPDATE submissions SET state = ?, reason = ?, changed = ?, bot = ?, version = ?, "
            "digest = ? WHERE number = ?",
            (state, reason, self._clock(), bot, version, digest, number),
        )
        return _get(connection, number)

    def describe(self, number: int, bot: str, version: str) -> None:
        """Note the name and the version of the bot that was handed in."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE submissions SET bot = ?, version = ? WHERE number = ?",
                (bot, version, number),
            )

    def put_back(self, number: int) -> None:
        """Put back into the queue what is looked at while the site ends, as if it never was."""
        with self._writing() as connection:
            self._step(connection, number, State.QUEUED, "")
            connection.execute(
                "UPDATE submissions SET attempt = attempt - 1 WHERE number = ?", (number,)
            )

    def go_on(self) -> list[Submission]:
        """Put back into the queue what was looked at when the site was ended."""
        with self._writing() as connection:
            rows = connection.execute(SELECT + "WHERE state = ?", (State.EXAMINED,)).fetchall()
            return [
                self._step(connection, row["number"], *after_a_stop(_submission(row)))
                for row in rows
            ]

    # Names

    def owner(self, ladder: str, bot: str) -> int | None:
        """Return whose name this is on a ladder; 0 if it was somebody's who is gone."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT person FROM names WHERE ladder = ? AND bot = ?", (ladder, bot)
            ).fetchone()
        if row is None:
            return None
        return int(row["person"] or 0)

    def claim(self, ladder: str, bot: str, person: int) -> bool:
        """Give a name to this person, if it is nobody's; return whether it is his."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO names (ladder, bot, person) VALUES (?, ?, ?)",
                (ladder, bot, person),
            )
            row = connection.execute(
                "SELECT person FROM names WHERE ladder = ? AND bot = ?", (ladder, bot)
            ).fetchone()
            return bool(row["person"] == person)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Change submissions, and say so afterwards."""
        with self._database.write() as connection:
            yield connection
        self.changes.note()

    def _all(self, where: str, *values: Any) -> list[Submission]:
        with self._database.read() as connection:
            rows = connection.execute(SELECT + where, values).fetchall()
        return [_submission(row) for row in rows]


def bots_of(submissions: Collection[Submission], person: int) -> frozenset[str]:
    """Return the names of the bots among these that are of this person."""
    return frozenset(each.bot for each in submissions if each.person == person)


def _get(connection: sqlite3.Connection, number: int) -> Submission:
    row = connection.execute(SELECT + "WHERE submissions.number = ?", (number,)).fetchone()
    if row is None:
        raise NotThere(f"you have handed in no submission {number}")
    return _submission(row)


def _submission(row: sqlite3.Row) -> Submission:
    return Submission(
        number=row["number"],
        person=row["person"],
        author=row["author"],
        ladder=row["ladder"],
        state=State(row["state"]),
        made=row["made"],
        changed=row["changed"],
        size=row["size"],
        sha256=row["sha256"],
        attempt=row["attempt"],
        reason=row["reason"],
        bot=row["bot"],
        version=row["version"],
        digest=row["digest"],
        trial=bool(row["trial"]),
    )
