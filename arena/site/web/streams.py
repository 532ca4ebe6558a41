"""Streams: of a submission for its author, and of a ladder's standings for everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from arena.errors import ArenaError
from arena.site.rules.people import Scope
from arena.site.web.asking import (
    address_of,
    cookie_name,
    number_in,
    refusal_line,
    refusal_page,
    visitor_of,
)
from arena.site.web.event_stream import EventStream
from arena.site.web.live_standings import Told
from arena.site.web.operation import failure
from arena.site.web.site import Site

LONGEST_IDENTITY: Final = 100


async def ladder_stream(request: Request) -> Response:
    """Stream the standings of a ladder as a part of its page, to everybody."""
    site = cast("Site", request.app.state.site)
    try:
        return await _standings(request, site, Told.PAGE, refusal_line)
    except ArenaError as error:
        return refusal_page(site, await run_in_threadpool(visitor_of, request, site), error)


async def standings_stream(request: Request) -> Response:
    """Stream the standings of a ladder as JSON, to everybody."""
    try:
        return await _standings(request, request.app.state.site, Told.JSON, failure)
    except ArenaError as error:
        return failure(error)


async def _standings(
    request: Request, site: Site, told: Told, refusal: Callable[[ArenaError], Response]
) -> Response:
    name = str(request.path_params["ladder"])
    await run_in_threadpool(site.ladders.get, name)
    has = _last(request)[:LONGEST_IDENTITY]
    messages = site.live_standings.messages(name, told, has)
    who = address_of(request, site.settings)
    return EventStream(messages, site.watching, who, refusal)


async def submission_stream(request: Request) -> Response:
    """Stream what is told of a submission, from where the page ends or the last stream broke."""
    site = cast("Site", request.app.state.site)
    visitor = await run_in_threadpool(visitor_of, request, site)
    try:
        person = visitor.need(Scope.READ)
        number = number_in(request)
        await run_in_threadpool(site.submissions.own, number, person)
    except ArenaError as error:
        return refusal_page(site, visitor, error)
    after = _last(request)
    start = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else 0
    session = request.cookies.get(cookie_name(site.settings), "")
    told = site.live_submissions.messages(number, start, session)
    return EventStream(told, site.following, person.number, refusal_line)


def _last(request: Request) -> str:
    """Return what a page has already: by its address, or if its stream broke by the last event."""
    return request.headers.get("last-event-id", request.query_params.get("after", ""))
