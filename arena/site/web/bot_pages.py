"""Pages for everybody: a bot on a ladder, with who has handed it in, and an author's bots."""

from __future__ import annotations

from starlette.responses import Response

from arena.site.web.asking import Ask
from arena.site.web.public_pages import is_published


def bot_page(ask: Ask) -> Response:
    """Show the versions of a bot on a ladder, and whose they are."""
    ladder = ask.site.ladders.get(ask.text("ladder"))
    name = ask.text("bot")
    return ask.page(
        "bot_on_ladder.html",
        ladder=ladder,
        bot=name,
        versions=ask.site.known_bots.bot(ladder, name),
        published=is_published(ask.site, ladder, f"bots/{name}.html"),
    )


def author_page(ask: Ask) -> Response:
    """Show the bots that somebody has on ladders."""
    name = ask.text("author")
    return ask.page("author.html", author=name, versions=ask.site.known_bots.author(name))
