"""Starters: a first bot as a zip, for whoever has nothing installed."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from arena.site.rules.people import NotThere, NotUnderstood
from arena.site.starters import FIRST
from arena.site.web import forms
from arena.site.web.asking import Ask
from arena.site.web.operation import Call, Operation, Query
from arena.site.web.site import Site
from arena.starters.starter import PLACEHOLDER, StarterError

ZIP: Final = "application/zip"


def starter_list(call: Call) -> forms.StarterList:
    """All starters."""
    return forms.StarterList(
        starters=tuple(
            forms.StarterForm(
                game=each.game,
                language=each.language,
                ready=each.is_ready,
                builds_here=each.builds_here,
            )
            for game in call.site.ladders.games
            for each in call.site.starters.offered(game)
        )
    )


def starter_file(call: Call) -> Response:
    """Send a starter."""
    return _zip(call.site, call.part("language"), call.part("game"), call.text("name") or "")


def starter_page(ask: Ask) -> Response:
    """Send a starter for the game of a ladder."""
    game = ask.site.ladders.get(ask.text("ladder")).contest.game
    return _zip(ask.site, ask.query("language") or FIRST, game, ask.query("name"))


def _zip(site: Site, language: str, game: str, name: str) -> Response:
    if not site.starters.has(language, game):
        raise NotThere(f"there is no starter in {language!r} for {game!r}")
    name = name.strip() or PLACEHOLDER
    try:
        data = site.starters.zip(language, game, name)
    except StarterError as error:
        raise NotUnderstood(str(error)) from None
    headers = {"content-disposition": f'attachment; filename="{name}.zip"'}
    return Response(data, media_type=ZIP, headers=headers)


STARTER_OPERATIONS: Final = (
    Operation("GET", "/starters", "All starters", forms.StarterList, starter_list),
    Operation(
        "GET", "/starters/{game}/{language}", "A starter, as a zip", forms.Failure, None,
        send=starter_file, sends=ZIP, query=(Query("name", "string"),),
    ),
)  # fmt: skip
