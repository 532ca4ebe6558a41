"""Accounts: people, one-time links, sessions, and tokens; of each secret only its hash is kept."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from arena.site.database.database import Database
from arena.site.rules.limits import TooOften
from arena.site.rules.people import (
    INVITATION_LASTS,
    LOGIN_LASTS,
    MOST_TOKENS,
    NOBODY,
    SESSION_IDLES,
    SESSION_LASTS,
    SIGN_IN_LINK_LASTS,
    Invitation,
    Link,
    NotNow,
    NotThere,
    PendingLogin,
    Person,
    Refused,
    Role,
    Scope,
    Session,
    Token,
    Visitor,
    person_name,
    session_holds,
    session_scopes,
)
from arena.site.rules.secrets import hashed, new_code, new_secret, new_token

Clock: TypeAlias = Callable[[], int]
"""Returns the seconds since 1970."""
SEEN_EVERY: Final = 60
"""How many seconds apart the use of a session or a token is noted."""
MOST_LOGINS: Final = 1000
MOST_LOGINS_EACH: Final = 10
"""How many programs may ask for a token at the same time, of all and of one address."""
LONGEST_TEXT: Final = 80
USED: Final = "this link was used already, or has expired; ask for a new one"


class Accounts:
    """The accounts in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # People

    def has_host(self) -> bool:
        """Whether anybody is a host yet."""
        with self._database.read() as connection:
            found = connection.execute("SELECT 1 FROM people WHERE role = 'host'").fetchone()
        return found is not None

    def people(self) -> list[Person]:
        """Return everybody with an account, in the order in which they joined."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT * FROM people ORDER BY number").fetchall()
        return [_person(row) for row in rows]

    def set_role(self, number: int, role: Role) -> None:
        """Make somebody a host, an author or a spectator; there is always a host."""
        with self._database.write() as connection:
            row = connection.execute("SELECT * FROM people WHERE number = ?", (number,)).fetchone()
            if row is None:
                raise NotThere("there is no such person")
            if row["role"] == Role.HOST and role is not Role.HOST:
                _keep_a_host(connection, number)
            connection.execute("UPDATE people SET role = ? WHERE number = ?", (role, number))

    def remove(self, person: Person) -> None:
        """Delete an account with all that is kept of it; there is always a host."""
        with self._database.write() as connection:
            if person.role is Role.HOST:
                _keep_a_host(connection, person.number)
            connection.execute("DELETE FROM people WHERE number = ?", (person.number,))

    # One-time links

    def host_link(self) -> str:
        """Return the secret of a link that makes somebody a host, or signs in the first host."""
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT number FROM people WHERE role = 'host' ORDER BY number"
            ).fetchone()
            person = None if row is None else row["number"]
            role = Role.HOST if row is None else None
            return self._link(connection, INVITATION_LASTS, person, role, "")

    def sign_in_link(self, person: Person) -> str:
        """Return the secret of a link that signs this person in."""
        with self._database.write() as connection:
            return self._link(connection, SIGN_IN_LINK_LASTS, person.number, None, "")

    def invite(self, role: Role, note: str) -> str:
        """Return the secret of a link by which somebody new can join."""
        with self._database.write() as connection:
            return self._link(connection, INVITATION_LASTS, None, role, note[:LONGEST_TEXT])

    def _link(
        self,
        connection: sqlite3.Connection,
        lasts: int,
        person: int | None,
        role: Role | None,
        note: str,
    ) -> str:
        secret = new_secret()
        connection.execute("DELETE FROM links WHERE expires <= ?", (self._clock(),))
        connection.execute(
            "INSERT INTO links (hash, person, role, note, expires) VALUES (?, ?, ?, ?, ?)",
            (hashed(secret), person, role, note, self._clock() + lasts),
        )
        return secret

    def invitations(self) -> list[Invitation]:
        """Return the invitations that are open."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM links WHERE role IS NOT NULL AND expires > ? ORDER BY number",
                (self._clock(),),
            ).fetchall()
        return [
            Invitation(row["number"], Role(row["role"]), row["note"], row["expires"])
            for row in rows
        ]

    def take_back(self, number: int) -> None:
        """Let nobody join by this invitation any more."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM links WHERE number = ? AND role NOT NULL", (number,))

    def look_at_link(self, secret: str) -> Link:
        """Return what a link is good for, without using it; raise `NotThere` if for nothing."""
        with self._database.read() as connection:
            return self._find_link(connection, secret)

    def _find_link(self, connection: sqlite3.Connection, secret: str) -> Link:
        row = connection.execute(
            "SELECT * FROM links WHERE hash = ? AND expires > ?", (hashed(secret), self._clock())
        ).fetchone()
        if row is None:
            raise NotThere(USED)
        if row["person"] is None:
            return Link(role=Role(row["role"]), note=row["note"])
        person = connection.execute(
            "SELECT * FROM people WHERE number = ?", (row["person"],)
        ).fetchone()
        return Link(person=_person(person))

    def use_link(self, secret: str, name: str = "") -> Person:
        """Use a link: return whom it signs in, or who has joined by it under this name."""
        with self._database.write() as connection:
            link = self._find_link(connection, secret)
            connection.execute("DELETE FROM links WHERE hash = ?", (hashed(secret),))
            if link.person is not None:
                return link.person
            assert link.role is not None
            return self._join(connection, name, link.role)

    def join(self, name: str, role: Role) -> Person:
        """Make an account for somebody who needs no invitation."""
        with self._database.write() as connection:
            return self._join(connection, name, role)

    def _join(self, connection: sqlite3.Connection, name: str, role: Role) -> Person:
        person_name(name)
        if connection.execute("SELECT 1 FROM people WHERE name = ?", (name,)).fetchone():
            raise NotNow(f"the name {name!r} is taken; choose another")
        number = connection.execute(
            "INSERT INTO people (name, role, handle, joined) VALUES (?, ?, ?, ?)",
            (name, role, secrets.token_bytes(32), self._clock()),
        ).lastrowid
        assert number is not None
        return Person(number, name, role, self._clock())

    def joined_since(self, moment: int) -> int:
        """Return how many have joined since then."""
        with self._database.read() as connection:
            row = connection.execute("SELECT count(*) FROM people WHERE joined > ?", (moment,))
            return int(row.fetchone()[0])

    # Sessions

    def sign_in(self, person: Person, agent: str, former: str | None) -> str:
        """Return the secret of a new session; the one that the browser had before ends."""
        secret = new_secret()
        now = self._clock()
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM sessions WHERE hash = ? OR made <= ? OR seen <= ?",
                (hashed(former or ""), now - SESSION_LASTS, now - SESSION_IDLES),
            )
            connection.execute(
                "INSERT INTO sessions (hash, person, agent, made, seen) VALUES (?, ?, ?, ?, ?)",
                (hashed(secret), person.number, agent[:LONGEST_TEXT], now, now),
            )
        return secret

    def by_session(self, secret: str) -> Visitor:
        """Return who has this session; nobody if it is over."""
        now = self._clock()
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT people.*, sessions.number AS session, made, seen FROM sessions "
                "JOIN people ON people.number = person WHERE hash = ?",
                (hashed(secret),),
            ).fetchone()
        if row is None or not session_holds(row["made"], row["seen"], now):
            return NOBODY
        if now - row["seen"] >= SEEN_EVERY:
            with self._database.write() as connection:
                connection.execute(
                    "UPDATE sessions SET seen = ? WHERE number = ?", (now, row["session"])
                )
        person = _person(row)
        return Visitor(person, session_scopes(person.role), session=row["session"])

    def holding(self, several: Collection[str]) -> frozenset[str]:
        """Return those of these secrets whose sessions are not over."""
        hashes = {hashed(secret): secret for secret in several}
        marks = ", ".join("?" * len(hashes))
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT hash, made, seen FROM sessions WHERE hash IN ({marks})", tuple(hashes)
            ).fetchall()
        now = self._clock()
        return frozenset(
            hashes[bytes(row["hash"])]
            for row in rows
            if session_holds(row["made"], row["seen"], now)
        )

    def sessions(self, person: Person) -> list[Session]:
        """Return the sessions of a person that are not over."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM sessions WHERE person = ? ORDER BY seen DESC", (person.number,)
            ).fetchall()
        now = self._clock()
        return [
            Session(row["number"], row["made"], row["seen"], row["agent"])
            for row in rows
            if session_holds(row["made"], row["seen"], now)
        ]

    def end_session(self, person: Person, number: int) -> None:
        """End a session of this person."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM sessions WHERE person = ? AND number = ?", (person.number, number)
            )

    def end_other_sessions(self, person: Person, kept: int) -> None:
        """End all sessions of this person but one."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM sessions WHERE person = ? AND number <> ?", (person.number, kept)
            )

    # Tokens

    def make_token(self, person: Person, label: str, scopes: frozenset[Scope]) -> str:
        """Return a new token, which is shown once."""
        with self._database.write() as connection:
            return self._token(connection, person.number, label, scopes)

    def _token(
        self, connection: sqlite3.Connection, person: int, label: str, scopes: frozenset[Scope]
    ) -> str:
        count = connection.execute("SELECT count(*) FROM tokens WHERE person = ?", (person,))
        if count.fetchone()[0] >= MOST_TOKENS:
            raise NotNow(f"you can have {MOST_TOKENS} tokens, and have them; revoke one first")
        token, label = new_token(), label.strip()[:LONGEST_TEXT]
        connection.execute(
            "INSERT INTO tokens (hash, person, label, scopes, made) VALUES (?, ?, ?, ?, ?)",
            (hashed(token), person, label or "unnamed", _joined(scopes), self._clock()),
        )
        return token

    def by_token(self, token: str) -> Visitor:
        """Return who has this token, with what it may be used for; nobody if it is none."""
        now = self._clock()
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT people.*, tokens.number AS token, scopes, used FROM tokens "
                "JOIN people ON people.number = person WHERE hash = ?",
                (hashed(token),),
            ).fetchone()
        if row is None:
            return NOBODY
        if row["used"] is None or now - row["used"] >= SEEN_EVERY:
            with self._database.write() as connection:
                connection.execute(
                    "UPDATE tokens SET used = ? WHERE number = ?", (now, row["token"])
                )
        person = _person(row)
        return Visitor(
            person, _scopes(row["scopes"]) & session_scopes(person.role), token=row["token"]
        )

    def tokens(self, person: Person) -> list[Token]:
        """Return the tokens of a person."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM tokens WHERE person = ? ORDER BY number", (person.number,)
            ).fetchall()
        return [
            Token(row["number"], row["label"], _scopes(row["scopes"]), row["made"], row["used"])
            for row in rows
        ]

    def revoke(self, person: Person, number: int) -> None:
        """Let nobody use this token of the person's any more."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM tokens WHERE person = ? AND number = ?", (person.number, number)
            )

    # Logins of programs, which somebody allows in a browser

    def ask_to_log_in(self, label: str, scopes: frozenset[Scope], asker: str) -> tuple[str, str]:
        """Return a code for the person, and a secret with which the program asks for its token.

        Nobody takes so many places that none are left for programs that ask from elsewhere.
        """
        code, secret = new_code(), new_secret()
        now = self._clock()
        with self._database.write() as connection:
            connection.execute("DELETE FROM logins WHERE expires <= ?", (now,))
            count, own = connection.execute(
                "SELECT count(*), count(*) FILTER (WHERE asker = ?) FROM logins", (asker,)
            ).fetchone()
            if count >= MOST_LOGINS or own >= MOST_LOGINS_EACH:
                raise TooOften("too many programs ask to log in; try again in ten minutes")
            values = (hashed(secret), code, label[:LONGEST_TEXT], _joined(scopes))
            connection.execute(
                "INSERT INTO logins (hash, code, label, scopes, expires, asker) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (*values, now + LOGIN_LASTS, asker),
            )
        return code, secret

    def pending_login(self, code: str) -> PendingLogin:
        """Return the program that shows this code; raise `NotThere` if none does."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT * FROM logins WHERE code = ? AND expires > ? AND person IS NULL",
                (code, self._clock()),
            ).fetchone()
        if row is None:
            raise NotThere("no program waits with this code; start `arena login` again")
        return PendingLogin(row["label"], _scopes(row["scopes"]))

    def allow_login(self, person: Person, code: str) -> None:
        """Let the program that shows this code act for the person."""
        self.pending_login(code)
        with self._database.write() as connection:
            connection.execute(
                "UPDATE logins SET person = ? WHERE code = ? AND expires > ? AND person IS NULL",
                (person.number, code, self._clock()),
            )

    def collect_token(self, secret: str) -> str | None:
        """Return the token of a program that was allowed to log in, once; None before that."""
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT logins.*, role FROM logins LEFT JOIN people ON people.number = person "
                "WHERE hash = ? AND expires > ?",
                (hashed(secret), self._clock()),
            ).fetchone()
            if row is None:
                raise NotThere("this login was used already, or has expired; start again")
            if row["person"] is None:
                return None
            connection.execute("DELETE FROM logins WHERE hash = ?", (hashed(secret),))
            scopes = _scopes(row["scopes"]) & session_scopes(Role(row["role"]))
            return self._token(connection, row["person"], row["label"], scopes)


def _person(row: sqlite3.Row) -> Person:
    return Person(row["number"], row["name"], Role(row["role"]), row["joined"], row["mail"])


def _keep_a_host(connection: sqlite3.Connection, number: int) -> None:
    others = connection.execute(
        "SELECT 1 FROM people WHERE role = 'host' AND number <> ?", (number,)
    ).fetchone()
    if others is None:
        raise Refused("this is the only host; make somebody else a host first")


def _joined(scopes: frozenset[Scope]) -> str:
    return " ".join(sorted(scopes))


def _scopes(text: str) -> frozenset[Scope]:
    return frozenset(Scope(word) for word in text.split())
