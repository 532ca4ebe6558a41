"""Operations of the programs' interface for everybody: bots on ladders, and whose they are."""

from __future__ import annotations

from typing import Final

from arena.ladder.standings import Row
from arena.records.entries import Form
from arena.site.play.known_bots import KnownVersion
from arena.site.web.operation import Call, Operation


class VersionForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A version of a bot on a ladder."""

    ladder: str
    author: str
    """Who has handed it in; "" if it is of the host's definition, or its author is gone."""
    handed_in: int | None
    """When, in seconds since 1970."""
    standing: Row
    """How it stands, or stood when it left."""


class BotForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A bot on a ladder."""

    ladder: str
    bot: str
    versions: tuple[VersionForm, ...]
    """Who plays comes first."""


class AuthorForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Somebody who has bots on ladders."""

    author: str
    versions: tuple[VersionForm, ...]


def bot(call: Call) -> BotForm:
    """A bot on a ladder."""
    ladder, name = call.ladder, call.part("bot")
    versions = call.site.known_bots.bot(ladder, name)
    return BotForm(ladder=ladder.name, bot=name, versions=tuple(map(_form, versions)))


def author(call: Call) -> AuthorForm:
    """An author."""
    name = call.part("author")
    return AuthorForm(author=name, versions=tuple(map(_form, call.site.known_bots.author(name))))


def _form(found: KnownVersion) -> VersionForm:
    return VersionForm(
        ladder=found.ladder, author=found.author, handed_in=found.handed_in, standing=found.row
    )


BOT_OPERATIONS: Final = (
    Operation(
        "GET", "/ladders/{ladder}/bots/{bot}", "A bot on a ladder, and who has handed it in",
        BotForm, bot,
    ),
    Operation(
        "GET", "/authors/{author}", "The bots that somebody has on ladders", AuthorForm, author
    ),
)  # fmt: skip
