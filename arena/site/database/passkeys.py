"""Passkeys: what a site keeps of each, and the challenges that it has given out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.site.database.accounts import Clock
from arena.site.database.database import Database
from arena.site.rules.people import (
    CHALLENGE_LASTS,
    MOST_PASSKEYS,
    NotNow,
    NotThere,
    Passkey,
    Person,
    Role,
)
from arena.site.rules.secrets import hashed

MOST_CHALLENGES: Final = 100_000
"""How many challenges are kept; anybody can ask for one, and the oldest are given up."""


@dataclass(frozen=True)
class KeptPasskey:
    """What is needed to check that somebody has a passkey."""

    number: int
    person: Person
    public_key: bytes
    count: int


class Passkeys:
    """The passkeys in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def challenge(self, challenge: str, person: Person | None) -> None:
        """Keep a challenge until it is answered, by this person or by anybody."""
        now = self._clock()
        with self._database.write() as connection:
            connection.execute("DELETE FROM challenges WHERE expires <= ?", (now,))
            connection.execute(
                "INSERT INTO challenges (hash, person, expires) VALUES (?, ?, ?)",
                (hashed(challenge), person.number if person else None, now + CHALLENGE_LASTS),
            )
            connection.execute(
                "DELETE FROM challenges WHERE rowid <= last_insert_rowid() - ?",
                (MOST_CHALLENGES,),
            )

    def answered(self, challenge: str, person: Person | None) -> None:
        """Take a challenge back, which can be answered once; raise `NotThere` if it was not."""
        with self._database.write() as connection:
            gone = connection.execute(
                "DELETE FROM challenges WHERE hash = ? AND person IS ? AND expires > ?",
                (hashed(challenge), person.number if person else None, self._clock()),
            ).rowcount
        if not gone:
            raise NotThere("this was answered already, or took too long; try again")

    def handle(self, person: Person) -> bytes:
        """Return the bytes by which a passkey knows its account."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT handle FROM people WHERE number = ?", (person.number,)
            ).fetchone()
        return bytes(row["handle"])

    def ids(self, person: Person) -> list[bytes]:
        """Return the ids of a person's passkeys."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id FROM passkeys WHERE person = ?", (person.number,)
            ).fetchall()
        return [bytes(row["id"]) for row in rows]

    def add(self, person: Person, identity: bytes, public_key: bytes, count: int) -> None:
        """Keep a new passkey of this person."""
        with self._database.write() as connection:
            found = connection.execute(
                "SELECT count(*) FROM passkeys WHERE person = ?", (person.number,)
            ).fetchone()[0]
            if found >= MOST_PASSKEYS:
                raise NotNow(f"you can have {MOST_PASSKEYS} passkeys, and have them; remove one")
            connection.execute(
                "INSERT INTO passkeys (id, person, public_key, count, label, made) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    identity,
                    person.number,
                    public_key,
                    count,
                    f"passkey {found + 1}",
                    self._clock(),
                ),
            )

    def find(self, identity: bytes) -> KeptPasskey:
        """Return the passkey with this id; raise `NotThere` if nobody has it."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT passkeys.*, name, role, joined, mail FROM passkeys "
                "JOIN people ON people.number = person WHERE id = ?",
                (identity,),
            ).fetchone()
        if row is None:
            raise NotThere("nobody here has this passkey; it may be of an account that is gone")
        person = Person(row["person"], row["name"], Role(row["role"]), row["joined"], row["mail"])
        return KeptPasskey(row["number"], person, row["public_key"], row["count"])

    def used(self, passkey: KeptPasskey, count: int) -> None:
        """Note that a passkey was used, and how often it says that it was."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE passkeys SET count = ?, used = ? WHERE number = ?",
                (count, self._clock(), passkey.number),
            )

    def of(self, person: Person) -> list[Passkey]:
        """Return the passkeys of a person."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM passkeys WHERE person = ? ORDER BY number", (person.number,)
            ).fetchall()
        return [Passkey(row["number"], row["label"], row["made"], row["used"]) for row in rows]

    def remove(self, person: Person, number: int) -> None:
        """Forget a passkey of this person."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM passkeys WHERE person = ? AND number = ?", (person.number, number)
            )
