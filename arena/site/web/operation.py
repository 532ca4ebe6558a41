"""What an operation of the programs' interface is, what a call of one has, how it is answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.errors import ArenaError
from arena.site.play.ladders import Ladder
from arena.site.rules.people import NotUnderstood, Person, Scope, Visitor
from arena.site.rules.submissions import Submission
from arena.site.web import forms
from arena.site.web.asking import number_in, status_of
from arena.site.web.site import Site

log = logging.getLogger("arena.site")


@dataclass(frozen=True)
class Call:
    """A call of an operation."""

    site: Site
    request: Request
    visitor: Visitor
    body: Any = None

    @property
    def number(self) -> int:
        """The number in the path."""
        return number_in(self.request)

    def part(self, name: str) -> str:
        """Return a text from the path."""
        return str(self.request.path_params[name])

    def text(self, name: str) -> str | None:
        """Return a text from the query; None if it is not there."""
        return self.request.query_params.get(name)

    def count(self, name: str, default: int | None = None) -> int | None:
        """Return a number from the query; raise `NotUnderstood` if it is none."""
        text = self.text(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdecimal() and len(text) < 16):
            raise NotUnderstood(f"{name}: expected a number")
        return int(text)

    @property
    def ladder(self) -> Ladder:
        """The ladder in the path."""
        return self.site.ladders.get(str(self.request.path_params["ladder"]))

    @property
    def reader(self) -> Person | None:
        """Who calls, if he may see what is his alone."""
        return self.visitor.person if Scope.READ in self.visitor.scopes else None

    @property
    def submission(self) -> Submission:
        """The submission in the path, if it is of whoever calls."""
        return self.site.submissions.own(self.number, self.visitor.need(Scope.READ))


Act: TypeAlias = Callable[[Call], Struct]


Send: TypeAlias = Callable[[Call], Response]


AnswerLater: TypeAlias = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True)
class Query:
    """Something in the query, which can be left out."""

    name: str
    kind: Literal["integer", "string", "boolean"] = "integer"


@dataclass(frozen=True)
class Operation:
    """An operation of the interface."""

    method: str
    path: str
    summary: str
    result: type[Struct]
    act: Act | None
    """None if it takes an archive, sends a file, streams, or waits."""
    scope: Scope | None = None
    body: Any = None
    """The form of what is sent: a struct, or several of which it is one."""
    status: int = 200
    takes_archive: bool = False
    streams: bool = False
    """Whether it answers with a stream of events, each with a result as its data."""
    answer: AnswerLater | None = None
    """Waits for what is made for several callers together, and sends its result as JSON."""
    send: Send | None = None
    """Sends a file, where the answer is one."""
    sends: str = "application/octet-stream"
    """The type of that file."""
    query: tuple[Query, ...] = ()


def json_answer(result: Struct, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(result), status, media_type="application/json")


def failure(error: ArenaError) -> Response:
    """Return why a call was refused or failed, in one line."""
    status = status_of(error)
    if status >= 500:
        log.error("%s", error)
    response = json_answer(forms.Failure(error="; ".join(str(error).splitlines())), status)
    if status == 401:
        response.headers["www-authenticate"] = "Bearer"
    return response
