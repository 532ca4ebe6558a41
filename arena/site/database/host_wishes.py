"""What hosts have wished of ladders by the site, and what became of each."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias, cast

from arena.ladder.inbox import Answer
from arena.ladder.wishes import (
    Annul,
    ChangeBudget,
    Close,
    Disqualify,
    GoOn,
    Pause,
    SetAside,
    Withdraw,
    read_wish,
)
from arena.records.canonical import canonical_bytes
from arena.site.database.accounts import Clock
from arena.site.database.database import Database
from arena.site.rules.people import NotThere, Person

HostWish: TypeAlias = Withdraw | SetAside | Disqualify | Pause | GoOn | Annul | ChangeBudget | Close
"""What a host can wish by the site. Bots enter by being handed in, or by the definition."""
SELECT: Final = (
    "SELECT host_wishes.*, people.name AS host FROM host_wishes "
    "LEFT JOIN people ON people.number = person "
)
ORDER: Final = "ORDER BY host_wishes.number"


class WishState(StrEnum):
    """What became of a wish."""

    WAITING = "waiting"
    GRANTED = "granted"
    REFUSED = "refused"


@dataclass(frozen=True)
class KeptWish:
    """A wish that a host has left by the site."""

    number: int
    ladder: str
    host: str
    """Whose wish it was; "" for somebody whose account is gone."""
    wish: HostWish
    state: WishState
    answer: str
    """In one line: what follows from it, or why it was refused."""
    block: int | None
    """The block from which on it counts, if it was granted."""
    made: int
    changed: int

    @property
    def name(self) -> str:
        """Its name in the ladder's inbox, which no other wish ever has."""
        return f"site-host-{self.number}"


class KeptWishes:
    """All wishes that hosts have left by the site."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, ladder: str, person: Person, wish: HostWish) -> KeptWish:
        """Keep a wish that is about to be left."""
        now, text = self._clock(), canonical_bytes(wish).decode()
        with self._database.write() as connection:
            number = connection.execute(
                "INSERT INTO host_wishes (ladder, person, wish, state, made, changed) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (ladder, person.number, text, WishState.WAITING, now, now),
            ).lastrowid
            assert number is not None
            return _get(connection, ladder, number)

    def drop(self, number: int) -> None:
        """Forget a wish that could not be left."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM host_wishes WHERE number = ?", (number,))

    def get(self, ladder: str, number: int) -> KeptWish:
        """Return a wish of a ladder; raise `NotThere` if there is none."""
        with self._database.read() as connection:
            return _get(connection, ladder, number)

    def of(self, ladder: str, most: int) -> list[KeptWish]:
        """Return the last wishes of a ladder, the last first."""
        return self._all(f"WHERE ladder = ? {ORDER} DESC LIMIT ?", ladder, most)

    def by(self, person: Person) -> list[KeptWish]:
        """Return all wishes of a person, the last first."""
        return self._all(f"WHERE person = ? {ORDER} DESC", person.number)

    def waiting(self) -> list[KeptWish]:
        """Return all wishes that wait for an answer, the first first."""
        return self._all(f"WHERE state = ? {ORDER}", WishState.WAITING)

    def answered(self, kept: KeptWish, answer: Answer) -> None:
        """Keep what became of a wish; the first answer stays."""
        state = WishState.GRANTED if answer.granted else WishState.REFUSED
        block = answer.block if answer.granted else None
        with self._database.write() as connection:
            connection.execute(
                "UPDATE host_wishes SET state = ?, answer = ?, block = ?, changed = ? "
                "WHERE number = ? AND state = ?",
                (state, answer.text, block, self._clock(), kept.number, WishState.WAITING),
            )

    def _all(self, where: str, *values: Any) -> list[KeptWish]:
        with self._database.read() as connection:
            rows = connection.execute(SELECT + where, values).fetchall()
        return [_kept(row) for row in rows]


def _get(connection: sqlite3.Connection, ladder: str, number: int) -> KeptWish:
    row = connection.execute(
        SELECT + "WHERE host_wishes.number = ? AND ladder = ?", (number, ladder)
    ).fetchone()
    if row is None:
        raise NotThere(f"no host has wished anything of {ladder} under the number {number}")
    return _kept(row)


def _kept(row: sqlite3.Row) -> KeptWish:
    return KeptWish(
        number=row["number"],
        ladder=row["ladder"],
        host=row["host"] or "",
        wish=cast("HostWish", read_wish(row["wish"].encode())),
        state=WishState(row["state"]),
        answer=row["answer"],
        block=row["block"],
        made=row["made"],
        changed=row["changed"],
    )
