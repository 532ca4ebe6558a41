"""The matches in a database: the queue of them, and what became of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from arena.site.database.accounts import Clock
from arena.site.database.database import Database
from arena.site.rules.limits import AuthorLimits, TooOften
from arena.site.rules.matches import (
    KEPT,
    MOST_WAITING,
    OPEN,
    Match,
    MatchBot,
    MatchState,
    after_a_stop,
    check_match_step,
    nothing_there,
)
from arena.site.rules.people import DAY, Person

SELECT = (
    "SELECT matches.*, people.name AS starter FROM matches JOIN people ON people.number = person "
)
WAITS = " OR ".join(f"state = '{state}'" for state in sorted(OPEN)).join("()")


class Matches:
    """All matches that people have started."""

    def __init__(self, database: Database, clock: Clock, limits: AuthorLimits) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits

    def add(
        self,
        person: Person,
        ladder: str,
        bots: Sequence[MatchBot],
        deals: int,
        submission: int | None,
    ) -> Match:
        """Put a match into the queue; raise `TooOften` if its starter has had enough of them."""
        now = self._clock()
        with self._database.write() as connection:
            today = _count(connection, "person = ? AND made > ?", person.number, now - DAY)
            waiting = _count(connection, f"person = ? AND {WAITS}", person.number)
            self._limits.check_matches(today, waiting)
            if _count(connection, WAITS) >= MOST_WAITING:
                raise TooOften(f"{MOST_WAITING} matches wait on this site; try again later")
            cursor = connection.execute(
                "INSERT INTO matches (person, ladder, submission, deals, state, made, changed) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (person.number, ladder, submission, deals, MatchState.QUEUED, now, now),
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO match_bots (number, place, name, version, digest, person) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (number, place, bot.name, bot.version, bot.digest, bot.person)
                    for place, bot in enumerate(bots)
                ],
            )
            return _get(connection, number)

    def get(self, number: int) -> Match:
        """Return a match; raise `NotThere` if there is none."""
        with self._database.read() as connection:
            return _get(connection, number)

    def today(self, person: Person) -> int:
        """Return how many matches somebody has started in the last 24 hours."""
        with self._database.read() as connection:
            since = self._clock() - DAY
            return _count(connection, "person = ? AND made > ?", person.number, since)

    def of(self, person: Person) -> list[Match]:
        """Return all matches that somebody has started, the last first."""
        return self._all("WHERE person = ? ORDER BY matches.number DESC", person.number)

    def of_submission(self, submission: int) -> list[Match]:
        """Return the matches that test a submission, the last first."""
        return self._all("WHERE submission = ? ORDER BY matches.number DESC", submission)

    def challenges(self, ladder: str, most: int) -> list[Match]:
        """Return the last challenges on a ladder."""
        where = "WHERE ladder = ? AND submission IS NULL ORDER BY matches.number DESC LIMIT ?"
        return self._all(where, ladder, most)

    def open(self) -> list[Match]:
        """Return all matches that wait or are played, in the order in which they are."""
        return self._all(f"WHERE {WAITS} ORDER BY submission IS NULL, matches.number")

    def ahead(self, match: Match) -> int:
        """Return how many matches are played before this one."""
        waiting = [each.number for each in self.open()]
        return waiting.index(match.number) if match.number in waiting else 0

    def numbers(self) -> frozenset[int]:
        """Return the numbers of all matches."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT number FROM matches").fetchall()
        return frozenset(row["number"] for row in rows)

    def take_next(self) -> Match | None:
        """Take the next match of the queue, to play it; tests of bots come before challenges."""
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT number FROM matches WHERE state = ? ORDER BY submission IS NULL, number "
                "LIMIT 1",
                (MatchState.QUEUED,),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE matches SET state = ?, attempt = attempt + 1, changed = ? WHERE number = ?",
                (MatchState.RUNNING, self._clock(), row["number"]),
            )
            return _get(connection, row["number"])

    def step(self, number: int, state: MatchState, reason: str = "") -> Match:
        """Bring a match into another state; raise `NotNow` if it cannot be."""
        with self._database.write() as connection:
            return self._step(connection, number, state, reason)

    def _step(
        self, connection: sqlite3.Connection, number: int, state: MatchState, reason: str
    ) -> Match:
        check_match_step(_get(connection, number).state, state)
        connection.execute(
            "UPDATE matches SET state = ?, reason = ?, changed = ? WHERE number = ?",
            (state, reason, self._clock(), number),
        )
        return _get(connection, number)

    def put_back(self, number: int) -> None:
        """Put back into the queue what is played while the site ends, as if it never was."""
        with self._database.write() as connection:
            self._step(connection, number, MatchState.QUEUED, "")
            connection.execute(
                "UPDATE matches SET attempt = attempt - 1 WHERE number = ?", (number,)
            )

    def go_on(self) -> list[Match]:
        """Put back into the queue what was played when the site was ended."""
        with self._database.write() as connection:
            running = _all(connection, "WHERE state = ?", MatchState.RUNNING)
            return [self._step(connection, each.number, *after_a_stop(each)) for each in running]

    def forget(self) -> list[int]:
        """Remove the oldest matches if there are too many; return their numbers."""
        with self._database.write() as connection:
            rows = connection.execute(
                "DELETE FROM matches WHERE number <= (SELECT number FROM matches "
                "ORDER BY number DESC LIMIT 1 OFFSET ?) AND made <= ? "
                f"AND NOT ({WAITS}) RETURNING number",
                (KEPT, self._clock() - DAY),
            ).fetchall()
        return [row["number"] for row in rows]

    def _all(self, where: str, *values: Any) -> list[Match]:
        with self._database.read() as connection:
            return _all(connection, where, *values)


def _count(connection: sqlite3.Connection, where: str, *values: Any) -> int:
    query = f"SELECT count(*) FROM matches WHERE {where}"
    return int(connection.execute(query, values).fetchone()[0])


def _get(connection: sqlite3.Connection, number: int) -> Match:
    for match in _all(connection, "WHERE matches.number = ?", number):
        return match
    raise nothing_there(number)


def _all(connection: sqlite3.Connection, where: str, *values: Any) -> list[Match]:
    rows = connection.execute(SELECT + where, values).fetchall()
    return [_match(row, _bots(connection, row["number"])) for row in rows]


def _bots(connection: sqlite3.Connection, number: int) -> tuple[MatchBot, ...]:
    rows = connection.execute(
        "SELECT match_bots.*, people.name AS author FROM match_bots LEFT JOIN people "
        "ON people.number = person WHERE match_bots.number = ? ORDER BY place",
        (number,),
    ).fetchall()
    return tuple(
        MatchBot(row["name"], row["version"], row["digest"], row["person"], row["author"] or "")
        for row in rows
    )


def _match(row: sqlite3.Row, bots: tuple[MatchBot, ...]) -> Match:
    return Match(
        number=row["number"],
        person=row["person"],
        starter=row["starter"],
        ladder=row["ladder"],
        state=MatchState(row["state"]),
        made=row["made"],
        changed=row["changed"],
        deals=row["deals"],
        bots=bots,
        submission=row["submission"],
        attempt=row["attempt"],
        reason=row["reason"],
    )
