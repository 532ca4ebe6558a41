"""Addresses for mail: whose they are, after their owners have opened what was sent to them."""

from __future__ import annotations

from arena.site.database.accounts import Clock
from arena.site.database.database import Database
from arena.site.rules.people import MAIL_LINK_LASTS, NotThere, Person, Role
from arena.site.rules.secrets import hashed, new_secret

USED = "this link was used already, has expired, or is another account's; ask for a new one"


class MailAddresses:
    """The addresses in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def owner(self, mail: str) -> Person | None:
        """Return whose address this is."""
        with self._database.read() as connection:
            row = connection.execute("SELECT * FROM people WHERE mail = ?", (mail,)).fetchone()
        if row is None:
            return None
        return Person(row["number"], row["name"], Role(row["role"]), row["joined"], row["mail"])

    def link(self, person: Person, mail: str) -> str:
        """Return the secret of a link by which this person shows that an address is his."""
        secret, now = new_secret(), self._clock()
        with self._database.write() as connection:
            connection.execute("DELETE FROM mail_links WHERE expires <= ?", (now,))
            connection.execute("DELETE FROM mail_links WHERE person = ?", (person.number,))
            connection.execute(
                "INSERT INTO mail_links (hash, person, mail, expires) VALUES (?, ?, ?, ?)",
                (hashed(secret), person.number, mail, now + MAIL_LINK_LASTS),
            )
        return secret

    def look_at_link(self, person: Person, secret: str) -> str:
        """Return the address of a link, without using it; raise `NotThere` if there is none."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT mail FROM mail_links WHERE hash = ? AND person = ? AND expires > ?",
                (hashed(secret), person.number, self._clock()),
            ).fetchone()
        if row is None:
            raise NotThere(USED)
        return str(row["mail"])

    def confirm(self, person: Person, secret: str) -> None:
        """Keep the address of a link. Who opens it reads that mail now, whoever did before."""
        mail = self.look_at_link(person, secret)
        with self._database.write() as connection:
            gone = connection.execute(
                "DELETE FROM mail_links WHERE hash = ? AND person = ?",
                (hashed(secret), person.number),
            ).rowcount
            if not gone:
                raise NotThere(USED)
            connection.execute("UPDATE people SET mail = NULL WHERE mail = ?", (mail,))
            connection.execute("UPDATE people SET mail = ? WHERE number = ?", (mail, person.number))

    def forget(self, person: Person) -> None:
        """Keep no address of this person any more."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM mail_links WHERE person = ?", (person.number,))
            connection.execute("UPDATE people SET mail = NULL WHERE number = ?", (person.number,))
