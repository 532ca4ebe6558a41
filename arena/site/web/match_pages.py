"""Pages of matches: challenges on a ladder, test games of one's own bot, results and replays."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from arena.site.matches.results import LOG, replay_file, results
from arena.site.play.ladders import Ladder
from arena.site.rules.matches import Match, MatchBot
from arena.site.rules.people import NotNow, NotThere, NotUnderstood, Person, Scope
from arena.site.web.asking import Ask
from arena.site.web.public_pages import HEADERS
from arena.site.web.site import Site

SHOWN: Final = 50
"""How many of the last challenges of a ladder are shown."""
REPLAY: Final = {**HEADERS, "cache-control": "private, no-cache", "vary": "accept-encoding"}


@dataclass(frozen=True)
class MatchFields:
    """What the form for a match shows."""

    choices: Sequence[MatchBot]
    players: Sequence[int]
    """The sizes that the game takes."""
    deals: int
    limits: Sequence[str]
    today: int
    """How many matches its reader has started."""
    most: int


def matches_page(ask: Ask) -> Response:
    """Show the last challenges of a ladder, and the form for another."""
    ladder = ask.site.ladders.get(ask.text("ladder"))
    return ask.page(
        "matches.html",
        ladder=ladder,
        matches=ask.site.matches.challenges(ladder.name, SHOWN),
        fields=match_fields(ask, ladder),
    )


def challenge(ask: Ask) -> Response:
    """Start a challenge."""
    person = ask.visitor.need(Scope.SUBMIT)
    ladder = ask.text("ladder")
    made = ask.site.booking.challenge(person, ladder, _bots(ask), _deals(ask))
    ask.site.queue.look()
    return RedirectResponse(f"/matches/{made.number}", 303)


def test(ask: Ask) -> Response:
    """Start test games of a submission."""
    person = ask.visitor.need(Scope.SUBMIT)
    made = ask.site.booking.test(person, ask.number(), _bots(ask), _deals(ask))
    ask.site.queue.look()
    return RedirectResponse(f"/matches/{made.number}", 303)


def match_page(ask: Ask) -> Response:
    """Show a match: to everybody if it is a challenge, else to whoever has started it."""
    match = _seen(ask)
    person = ask.visitor.person
    found = results(ask.site.folder.match(match.number), match, person)
    return ask.page(
        "match.html",
        match=match,
        ahead=ask.site.matches.ahead(match) if match.is_open else 0,
        results=found,
        totals=found.totals(len(match.bots)),
        own=match.bots_of(person),
        mine=person is not None and person.number == match.person,
    )


def match_replay(ask: Ask) -> Response:
    """Send the replay of a game."""
    return send_replay(ask.site, ask.request, _seen(ask), ask.number("index"))


def match_log(ask: Ask) -> Response:
    """Send the log of a match."""
    return send_log(ask.site, _seen(ask))


def withdraw_match(ask: Ask) -> Response:
    """Take back a match that one has started."""
    match = take_match_back(ask.site, ask.visitor.need(Scope.SUBMIT), ask.number())
    return RedirectResponse(f"/matches/{match.number}", 303)


def take_match_back(site: Site, person: Person, number: int) -> Match:
    """Take back a match that this person has started."""
    match = site.matches.get(number).seen_by(person)
    if match.person != person.number:
        raise NotNow("somebody else has started it")
    if not match.is_open:
        raise NotNow(f"it is {match.words}, so there is nothing to withdraw")
    return site.organiser.withdraw(match)


def send_replay(site: Site, request: Request, match: Match, game: int) -> Response:
    """Send the page of a game's replay, packed as it lies there if the browser can unpack it."""
    path = replay_file(site.folder.match(match.number), game)
    if not path.is_file():
        raise NotThere(f"match {match.number} has no game {game}, or it has not been played yet")
    kind = "text/html; charset=utf-8"
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {**REPLAY, "content-encoding": "gzip"}
        return FileResponse(path, headers=headers, media_type=kind)
    return Response(gzip.decompress(path.read_bytes()), headers=REPLAY, media_type=kind)


def send_log(site: Site, match: Match) -> Response:
    """Send the log of a match that is over, without what lies beside it."""
    path: Path = site.folder.match(match.number) / LOG
    if match.is_open or not path.is_file():
        raise NotThere(f"match {match.number} has no log yet")
    return FileResponse(
        path,
        filename=f"match-{match.number}.jsonl",
        media_type="application/jsonl",
        content_disposition_type="attachment",
    )


def match_fields(ask: Ask, ladder: Ladder) -> MatchFields | None:
    """Return what the form for a match shows; None for onlookers."""
    person = ask.visitor.person
    if person is None or not (ask.visitor.submits and ladder.takes_strangers):
        return None
    limits = ask.site.settings.limits
    return MatchFields(
        choices=ask.site.booking.choices(ladder),
        players=ask.site.ladders.games[ladder.contest.game].players,
        deals=limits.match_deals,
        limits=tuple(limits.match_words()),
        today=ask.site.matches.today(person),
        most=limits.matches_a_day,
    )


def _seen(ask: Ask) -> Match:
    return ask.site.matches.get(ask.number()).seen_by(ask.visitor.person)


def _bots(ask: Ask) -> list[str]:
    return [name for name in ask.several.get("bot", ()) if name]


def _deals(ask: Ask) -> int:
    text = ask.form.get("deals", "1")
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise NotUnderstood("deals: expected a number")
    return int(text)
