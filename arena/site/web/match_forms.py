"""The forms of matches in the programs' interface."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from arena.records.entries import Form
from arena.site.matches.events import GamePlayed, Wrote
from arena.site.matches.results import Results
from arena.site.rules.matches import Match, MatchBot, MatchState
from arena.site.web.forms import Text

Names = Annotated[tuple[Text, ...], Meta(max_length=16)]


class MatchBotForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A bot that can be asked to play, or does."""

    name: str
    version: str
    digest: str
    author: str
    """Empty for bots of the host."""


class MatchBotList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """The bots that can be asked on a ladder."""

    bots: tuple[MatchBotForm, ...]


class NewChallenge(Form, frozen=True, kw_only=True):
    """A match that is to be played, and that everybody sees."""

    bots: Names
    """Their names or digests; a bot can be there several times."""
    deals: int = 1
    """Each deal is played once for each bot."""


class NewTest(Form, frozen=True, kw_only=True):
    """A match of one's own submission, which one alone sees."""

    opponents: Names
    """Their names or digests."""
    deals: int = 1
    """Each deal is played once for each bot."""


class MatchForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A match, and what became of it."""

    number: int
    ladder: str
    starter: str
    """Who has started it."""
    submission: int | None
    """The submission that it tests; null for challenges."""
    state: MatchState
    words: str
    """The state in words."""
    reason: str
    open: bool
    """Whether something is still to come."""
    deals: int
    bots: tuple[MatchBotForm, ...]
    made: int
    """When it was started, in seconds since 1970."""
    changed: int


class MatchList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Matches, the last first."""

    matches: tuple[MatchForm, ...]


class MatchReport(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A match with its games; evidence of faults, and stderr, are there of one's own bots alone."""

    match: MatchForm
    ahead: int
    """How many are played before it."""
    games: tuple[GamePlayed, ...]
    stderr: tuple[Wrote, ...]


def match_bot_form(bot: MatchBot) -> MatchBotForm:
    """Return a bot as programs see it."""
    return MatchBotForm(name=bot.name, version=bot.version, digest=bot.digest, author=bot.author)


def match_form(found: Match) -> MatchForm:
    """Return a match as programs see it."""
    return MatchForm(
        number=found.number,
        ladder=found.ladder,
        starter=found.starter,
        submission=found.submission,
        state=found.state,
        words=found.words,
        reason=found.reason,
        open=found.is_open,
        deals=found.deals,
        bots=tuple(map(match_bot_form, found.bots)),
        made=found.made,
        changed=found.changed,
    )


def match_report(found: Match, ahead: int, results: Results) -> MatchReport:
    """Return a match with what came of it."""
    return MatchReport(
        match=match_form(found),
        ahead=ahead,
        games=tuple(results.games),
        stderr=tuple(Wrote(bot=bot, text=text) for bot, text in sorted(results.wrote.items())),
    )
