"""Pages for everybody: the ladders, and how each stands."""

from __future__ import annotations

from typing import Final

from starlette.responses import HTMLResponse, Response

from arena.site.play.ladders import Ladder, Ladders
from arena.site.web.asking import Ask
from arena.site.web.guard import POLICY
from arena.site.web.public_pages import is_published

CLOSED: Final = "closed"


def home_page(ask: Ask) -> Response:
    """Show the ladders of the site, those that are closed last."""
    ladders = ask.site.ladders
    found = [(each, ladders.overview(each), _state(ladders, each)) for each in ladders.all()]
    return ask.page("home.html", ladders=sorted(found, key=lambda each: each[2] == CLOSED))


def _state(ladders: Ladders, ladder: Ladder) -> str:
    """Return in a word how a ladder stands."""
    overview, log = ladders.overview(ladder), ladders.log(ladder)
    if overview is None or log is None:
        return "not begun"
    if overview.closed:
        return CLOSED
    return "paused" if log.paused else "open"


def ladder_page(ask: Ask) -> Response:
    """Show how a ladder stands."""
    site = ask.site
    ladder = site.ladders.get(ask.text("ladder"))
    state = site.ladders.log(ladder)
    shown = ask.page(
        "ladder.html",
        ladder=ladder,
        board=site.boards.of(ladder),
        published=is_published(site, ladder),
        watched=state is not None and state.shows_games and state.games > 0,
    )
    shown.headers["content-security-policy"] = f"{POLICY}; frame-src 'self'"
    return shown


def board_part(ask: Ask) -> Response:
    """Send the part of a ladder's page that changes, to those who have no stream."""
    board = ask.site.boards.of(ask.site.ladders.get(ask.text("ladder")))
    tag = f'"{board.identity}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if ask.request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    return HTMLResponse(board.html, headers=headers)
