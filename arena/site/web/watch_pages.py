"""The page on which everybody watches games that have just finished."""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from msgspec import structs
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from arena.errors import ArenaError
from arena.pages.replay_page import data_text, replay_style
from arena.pages.templates import asset
from arena.site.play.ladders import Ladder
from arena.site.play.programme import GameKey, Programme
from arena.site.rules.people import NotNow
from arena.site.web.asking import Ask, address_of, refusal_page, visitor_of
from arena.site.web.finished_games import ShownGame
from arena.site.web.guard import POLICY
from arena.site.web.openapi import PREFIX
from arena.site.web.sending import sent
from arena.site.web.site import Site
from arena.site.web.templates import fragment, page
from arena.site.web.watch_api import programme_form

OWN_FRAMES: Final = {
    # The ladder's own page has it in a frame.
    "content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "x-frame-options": "SAMEORIGIN",
}


async def watch_page(request: Request) -> Response:
    """Show a finished game, and those that follow: the newest, or the one that is asked for."""
    site = cast("Site", request.app.state.site)
    try:
        ladder = await run_in_threadpool(site.ladders.get, str(request.path_params["ladder"]))
        try:
            programme = await site.finished_games.programme(ladder)
        except NotNow as reason:
            return await _nothing(request, site, str(reason))
        wanted = request.query_params.get("game")
        if wanted is None and not programme.games:
            return await _nothing(request, site, f"no game of {ladder.name} is finished yet")
        key = programme.games[0].key if wanted is None else GameKey.read(wanted)
        game = await site.finished_games.game(ladder, key, address_of(request, site.settings))
        return await run_in_threadpool(_page, request, site, ladder, programme, game)
    except ArenaError as error:
        return refusal_page(site, await run_in_threadpool(visitor_of, request, site), error)


def _page(
    request: Request, site: Site, ladder: Ladder, programme: Programme, game: ShownGame
) -> Response:
    make = partial(_text, site, ladder, programme, game)
    identity, data, packed = site.finished_games.page(ladder, programme, game, make)
    return sent(request, data, "text/html; charset=utf-8", identity, packed, OWN_FRAMES)


def _text(site: Site, ladder: Ladder, programme: Programme, game: ShownGame) -> str:
    told = {
        **structs.asdict(programme_form(programme)),
        "current": str(game.key),
        "interface": f"{PREFIX}/ladders/{ladder.name}/watch",
        "page": f"{site.settings.address}/ladders/{ladder.name}/watch",
        "games": [
            {"key": str(each.key), "row": {"number": each.row.number, "bots": each.row.bots}}
            for each in programme.games
        ],
    }
    return fragment(
        "watch.html",
        site=site.settings,
        ladder=ladder,
        programme=programme,
        game=game,
        following=programme.after(game.key),
        told=data_text(told),
    )


async def _nothing(request: Request, site: Site, reason: str) -> Response:
    """Say why there is nothing to watch."""
    visitor = await run_in_threadpool(visitor_of, request, site)
    heading = "There is nothing to watch yet"
    return page(site.settings, visitor, "message.html", heading=heading, lines=[reason])


def watch_style(ask: Ask) -> Response:
    """Send the style of that page, which has the colours of the ladder's game."""
    ladder = ask.site.ladders.get(ask.text("ladder"))
    style = replay_style(ask.site.ladders.games[ladder.contest.game]) + asset("watch.css")
    return sent(
        ask.request, style.encode(), "text/css", headers={"cache-control": "public, max-age=300"}
    )


WATCH_SCRIPT: Final = ("replay.js", "watch.js")
"""What its script consists of."""
