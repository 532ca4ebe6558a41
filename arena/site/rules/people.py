"""People: their roles, and what each may do."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from arena.errors import ArenaError
from arena.names import check_name

DAY: Final = 86_400
SIGN_IN_LINK_LASTS: Final = 15 * 60
"""Seconds until a link that signs somebody in can no longer be used."""
MAIL_LINK_LASTS: Final = 60 * 60
"""Seconds in which somebody has to open the mail that shows that an address is his."""
INVITATION_LASTS: Final = 7 * DAY
SESSION_LASTS: Final = 30 * DAY
SESSION_IDLES: Final = 14 * DAY
"""A session that was not used for so long is over, too."""
LOGIN_LASTS: Final = 10 * 60
"""Seconds in which a login from the command line has to be allowed in a browser."""
CHALLENGE_LASTS: Final = 5 * 60
MOST_TOKENS: Final = 20
MOST_PASSKEYS: Final = 10


class Refused(ArenaError):
    """Something that a person may not do, or not now; the text says what and why."""

    status = 403


class NotSignedIn(Refused):
    """Something that only those who are signed in may do."""

    status = 401


class NotThere(Refused):
    """Something that is not there, or that is no business of this person's."""

    status = 404


class NotNow(Refused):
    """Something that does not fit the state in which things are."""

    status = 409


class NotUnderstood(Refused):
    """A request that cannot be read, or asks for what cannot be."""

    status = 400


class Role(StrEnum):
    """What somebody is on a site."""

    HOST = "host"
    AUTHOR = "author"
    SPECTATOR = "spectator"


class Scope(StrEnum):
    """What a token or a session may be used for."""

    READ = "read"
    SUBMIT = "submit"
    HOST = "host"
    ACCOUNT = "account"
    """Changing the account itself, which no token can."""


SCOPES: Final = {
    Role.HOST: frozenset({Scope.READ, Scope.SUBMIT, Scope.HOST}),
    Role.AUTHOR: frozenset({Scope.READ, Scope.SUBMIT}),
    Role.SPECTATOR: frozenset({Scope.READ}),
}
"""The scopes that tokens of each role may have."""
SCOPE_WORDS: Final = {
    Scope.READ: "see your submissions and what came of them",
    Scope.SUBMIT: "hand in bots, withdraw them, and start matches",
    Scope.HOST: "invite people, make ladders, and decide about all that is on them",
}


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    number: int
    name: str
    role: Role
    joined: int
    mail: str | None = None


@dataclass(frozen=True)
class Visitor:
    """Who makes a request: a person with a session or a token, or nobody that is known."""

    person: Person | None = None
    scopes: frozenset[Scope] = frozenset()
    session: int | None = None
    """The number of the session; None for tokens."""
    token: int | None = None
    """The number of the token; None for sessions."""

    @property
    def hosts(self) -> bool:
        """Whether this is the host, with the right to act as one."""
        return Scope.HOST in self.scopes

    @property
    def submits(self) -> bool:
        """Whether this visitor may hand in bots."""
        return Scope.SUBMIT in self.scopes

    def need(self, scope: Scope) -> Person:
        """Return the person; raise `Refused` unless he may do what belongs to this scope."""
        if self.person is None:
            raise NotSignedIn("sign in first")
        if scope not in self.scopes:
            if self.token is not None:
                raise Refused(f"this token may not do that; it lacks the scope {scope!r}")
            raise Refused(f"this is for {_who_may(scope)}; you are here as {self.person.role}")
        return self.person


NOBODY: Final = Visitor()


@dataclass(frozen=True)
class Session:
    """One browser in which somebody is signed in."""

    number: int
    made: int
    seen: int
    agent: str


@dataclass(frozen=True)
class Token:
    """A token for programs; what it looks like is known to its owner alone."""

    number: int
    label: str
    scopes: frozenset[Scope]
    made: int
    used: int | None


@dataclass(frozen=True)
class Passkey:
    """A passkey that somebody has registered."""

    number: int
    label: str
    made: int
    used: int | None


@dataclass(frozen=True)
class Invitation:
    """A link for somebody new that was not used yet."""

    number: int
    role: Role
    note: str
    expires: int


@dataclass(frozen=True)
class Link:
    """What a one-time link is good for: it signs a person in, or lets somebody new join."""

    role: Role | None = None
    """The role of whoever joins by it."""
    person: Person | None = None
    """Whom it signs in."""
    note: str = ""


@dataclass(frozen=True)
class PendingLogin:
    """A program that asks to act for somebody."""

    label: str
    scopes: frozenset[Scope] = field(default_factory=frozenset)


def session_scopes(role: Role) -> frozenset[Scope]:
    """Return what somebody of this role may do in a browser."""
    return SCOPES[role] | {Scope.ACCOUNT}


def session_holds(made: int, seen: int, now: int) -> bool:
    """Whether a session made and last seen then still holds."""
    return now - made < SESSION_LASTS and now - seen < SESSION_IDLES


def person_name(text: object) -> str:
    """Return the name that somebody may have; raise `NotUnderstood` for any other."""
    try:
        return check_name("name", text)
    except ValueError as error:
        raise NotUnderstood(str(error)) from None


def read_scopes(texts: object, role: Role) -> frozenset[Scope]:
    """Return scopes by their names, at most those of the role; raise `Refused` for others."""
    words = texts if isinstance(texts, list | tuple | set | frozenset) else [texts]
    known = {str(scope): scope for scope in SCOPES[role]}
    unknown = [str(word) for word in words if word not in known]
    if unknown or not words:
        raise NotUnderstood(
            f"scopes: expected some of {', '.join(sorted(known))}, got {unknown or 'none'}"
        )
    return frozenset(known[str(word)] for word in words)


def _who_may(scope: Scope) -> str:
    return " or ".join(f"{role}s" for role in Role if scope in session_scopes(role))
