"""The application: which function answers which path."""

from __future__ import annotations

import json
import logging
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from arena.pages.templates import asset
from arena.site.web import (
    account_pages,
    bot_pages,
    host_ladder_pages,
    host_pages,
    ladder_pages,
    match_pages,
    passkeys,
    public_pages,
    sign_in,
    starters,
    streams,
    submission_pages,
    watch_pages,
)
from arena.site.web.api import OPERATIONS, operation_endpoint
from arena.site.web.asking import Answer, endpoint, http_error_page, message_page
from arena.site.web.guard import Guard
from arena.site.web.openapi import NUMBERS, PREFIX, document
from arena.site.web.sending import sent
from arena.site.web.site import Site

ASSETS: Final = {
    "site.css": "text/css",
    "site.js": "text/javascript",
    "live.js": "text/javascript",
    "watch.js": "text/javascript",
    "watch_here.js": "text/javascript",
    "wish.js": "text/javascript",
}
log = logging.getLogger("arena.site")

GET: Final[dict[str, Answer]] = {
    "/": ladder_pages.home_page,
    "/sign-in": sign_in.sign_in_page,
    "/enter/{secret}": sign_in.enter_page,
    "/join": sign_in.join_page,
    "/account": account_pages.account_page,
    "/account/export": account_pages.export,
    "/account/mail/{secret}": account_pages.mail_page,
    "/login": account_pages.login_page,
    "/login/{code}": account_pages.login_page,
    "/people": host_pages.people_page,
    "/queue": host_pages.queue_page,
    "/new-ladder": host_pages.new_ladder_page,
    "/ladders/{ladder}": ladder_pages.ladder_page,
    "/ladders/{ladder}/board": ladder_pages.board_part,
    "/ladders/{ladder}/watch.css": watch_pages.watch_style,
    "/ladders/{ladder}/bots/{bot}": bot_pages.bot_page,
    "/ladders/{ladder}/hand-in": submission_pages.hand_in_page,
    "/ladders/{ladder}/matches": match_pages.matches_page,
    "/matches/{number:int}": match_pages.match_page,
    "/matches/{number:int}/games/{index:int}": match_pages.match_replay,
    "/matches/{number:int}/log": match_pages.match_log,
    "/ladders/{ladder}/starter": starters.starter_page,
    "/ladders/{ladder}/pages": public_pages.public_start,
    "/ladders/{ladder}/pages/{path:path}": public_pages.public_page,
    "/ladders/{ladder}/host": host_ladder_pages.host_page,
    "/ladders/{ladder}/wishes/{number:int}": host_ladder_pages.wish_page,
    "/ladders/{ladder}/wishes/{number:int}/state": host_ladder_pages.wish_state,
    "/authors/{author}": bot_pages.author_page,
    "/submissions": submission_pages.submissions_page,
    "/submissions/{number:int}": submission_pages.submission_page,
    "/submissions/{number:int}/archive": submission_pages.archive,
    "/submissions/{number:int}/frames": submission_pages.frames,
}
POST: Final[dict[str, Answer]] = {
    "/sign-in": sign_in.send_link,
    "/sign-out": sign_in.sign_out,
    "/enter/{secret}": sign_in.enter,
    "/join": sign_in.join,
    "/account/tokens": account_pages.make_token,
    "/account/tokens/{number:int}/revoke": account_pages.revoke_token,
    "/account/sessions/{number:int}/end": account_pages.end_session,
    "/account/sessions/end-others": account_pages.end_other_sessions,
    "/account/link": account_pages.make_link,
    "/account/mail": account_pages.set_mail,
    "/account/mail/{secret}": account_pages.confirm_mail,
    "/account/delete": account_pages.delete,
    "/account/passkeys/{number:int}/remove": passkeys.remove,
    "/login/{code}": account_pages.allow_login,
    "/people/invitations": host_pages.invite,
    "/people/invitations/{number:int}/take-back": host_pages.take_back,
    "/people/{number:int}/role": host_pages.set_role,
    "/people/{number:int}/link": host_pages.person_link,
    "/new-ladder": host_pages.make_ladder,
    "/ladders/{ladder}/host": host_ladder_pages.ask_host,
    "/ladders/{ladder}/wishes": host_ladder_pages.leave_wish,
    "/submissions/{number:int}/withdraw": submission_pages.withdraw,
    "/submissions/{number:int}/enter": submission_pages.enter,
    "/submissions/{number:int}/enter-again": submission_pages.enter_again,
    "/submissions/{number:int}/matches": match_pages.test,
    "/ladders/{ladder}/matches": match_pages.challenge,
    "/matches/{number:int}/withdraw": match_pages.withdraw_match,
}
SPOKEN: Final = {
    "/account/passkeys/options": passkeys.registration_options,
    "/account/passkeys": passkeys.register,
    "/sign-in/passkey/options": passkeys.sign_in_options,
    "/sign-in/passkey": passkeys.sign_in,
}


def application(site: Site) -> ASGIApp:
    """Return the application of a site, behind its guard."""
    app = Starlette(
        routes=routes(),
        exception_handlers={
            HTTPException: _refused,
            ClientDisconnect: _broke_off,
            Exception: _failed,
        },
    )
    app.state.site = site
    app.router.redirect_slashes = False  # each page has one address
    return Guard(app, site.settings)


def routes() -> list[BaseRoute]:
    """Return all routes."""
    found: list[BaseRoute] = [
        *(Route(path, endpoint(answer), methods=["GET"]) for path, answer in GET.items()),
        *(Route(path, endpoint(answer), methods=["POST"]) for path, answer in POST.items()),
        *(
            Route(path, passkeys.spoken(answer), methods=["POST"])
            for path, answer in SPOKEN.items()
        ),
        Route("/ladders/{ladder}/hand-in", submission_pages.hand_in, methods=["POST"]),
        Route("/submissions/{number:int}/events", streams.submission_stream, methods=["GET"]),
        Route("/ladders/{ladder}/events", streams.ladder_stream, methods=["GET"]),
        Route("/ladders/{ladder}/watch", watch_pages.watch_page, methods=["GET"]),
        Route("/assets/{name}", _asset, methods=["GET"]),
        Route(f"{PREFIX}/openapi.json", _openapi, methods=["GET"]),
    ]
    for operation in OPERATIONS:
        path = PREFIX + operation.path.rstrip("/")
        for name in NUMBERS:
            path = path.replace(f"{{{name}}}", f"{{{name}:int}}")
        answer = streams.standings_stream if operation.streams else operation_endpoint(operation)
        found.append(Route(path, answer, methods=[operation.method]))
    return found


async def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    if name not in ASSETS:
        raise HTTPException(404)
    headers = {"cache-control": "public, max-age=300"}
    return sent(request, _text(name).encode(), ASSETS[name], headers=headers)


@cache
def _text(name: str) -> str:
    if name == "watch.js":
        return "".join(map(asset, watch_pages.WATCH_SCRIPT))
    text = (files("arena.site") / "assets" / name).read_text(encoding="utf-8")
    # Pages of the site have the colours of the published pages.
    return asset("common.css") + text if name.endswith(".css") else text


async def _openapi(request: Request) -> Response:
    settings = request.app.state.site.settings
    text = _openapi_text(settings.address, settings.title)
    return Response(text, media_type="application/json")


@lru_cache(maxsize=1)  # it takes 10 ms, in which nobody else is answered
def _openapi_text(address: str, title: str) -> str:
    return json.dumps(document(address, title), indent=1)


async def _refused(request: Request, error: Exception) -> Response:
    """Answer what Starlette refuses by itself: unknown paths, other methods, broken forms."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        words = {404: "there is no such operation"}.get(error.status_code, error.detail)
        return JSONResponse({"error": words}, error.status_code, dict(error.headers or {}))
    return await http_error_page(request, error)


async def _broke_off(_: Request, __: Exception) -> Response:
    """Answer whoever was gone before all of his request had come; nobody reads it."""
    return Response(status_code=400)


async def _failed(request: Request, error: Exception) -> Response:
    """Answer when something fails that should not; the host's log has the rest."""
    log.error("a request failed", exc_info=error)
    words = "the site has failed; its host's log says how"
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, 500)
    return await message_page(request, 500, "this is no fault of yours; its host's log says how")
