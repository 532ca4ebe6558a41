"""The operations of matches in the programs' interface."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from arena.site.matches.results import results
from arena.site.rules.matches import Match
from arena.site.rules.people import Scope
from arena.site.web import forms
from arena.site.web import match_forms as mine
from arena.site.web.asking import number_in
from arena.site.web.match_pages import SHOWN, send_log, send_replay, take_match_back
from arena.site.web.operation import Call, Operation


def bots(call: Call) -> mine.MatchBotList:
    """The bots that can be asked on a ladder."""
    found = call.site.booking.choices(call.ladder)
    return mine.MatchBotList(bots=tuple(map(mine.match_bot_form, found)))


def challenges(call: Call) -> mine.MatchList:
    """The last challenges on a ladder."""
    found = call.site.matches.challenges(call.ladder.name, SHOWN)
    return mine.MatchList(matches=tuple(map(mine.match_form, found)))


def matches(call: Call) -> mine.MatchList:
    """All matches that one has started."""
    found = call.site.matches.of(call.visitor.need(Scope.READ))
    return mine.MatchList(matches=tuple(map(mine.match_form, found)))


def challenge(call: Call) -> mine.MatchForm:
    """Start a challenge."""
    person = call.visitor.need(Scope.SUBMIT)
    ladder = call.part("ladder")
    made = call.site.booking.challenge(person, ladder, call.body.bots, call.body.deals)
    call.site.queue.look()
    return mine.match_form(made)


def test(call: Call) -> mine.MatchForm:
    """Start test games of a submission."""
    person = call.visitor.need(Scope.SUBMIT)
    made = call.site.booking.test(person, call.number, call.body.opponents, call.body.deals)
    call.site.queue.look()
    return mine.match_form(made)


def match(call: Call) -> mine.MatchReport:
    """A match with its games."""
    found = _seen(call)
    ahead = call.site.matches.ahead(found) if found.is_open else 0
    folder = call.site.folder.match(found.number)
    return mine.match_report(found, ahead, results(folder, found, call.reader))


def replay(call: Call) -> Response:
    """Send the replay of a game."""
    return send_replay(call.site, call.request, _seen(call), number_in(call.request, "index"))


def log(call: Call) -> Response:
    """Send the log of a match."""
    return send_log(call.site, _seen(call))


def withdraw(call: Call) -> mine.MatchForm:
    """Take a match back."""
    person = call.visitor.need(Scope.SUBMIT)
    return mine.match_form(take_match_back(call.site, person, call.number))


def _seen(call: Call) -> Match:
    return call.site.matches.get(call.number).seen_by(call.reader)


MATCH_OPERATIONS: Final = (
    Operation(
        "GET", "/ladders/{ladder}/bots", "The bots that can be asked to play", mine.MatchBotList,
        bots,
    ),
    Operation(
        "GET", "/ladders/{ladder}/matches", "The last challenges", mine.MatchList, challenges
    ),
    Operation(
        "POST", "/ladders/{ladder}/matches", "Start a challenge", mine.MatchForm, challenge,
        Scope.SUBMIT, mine.NewChallenge, 202,
    ),
    Operation(
        "POST", "/submissions/{number}/matches", "Start test games of a submission",
        mine.MatchForm, test, Scope.SUBMIT, mine.NewTest, 202,
    ),
    Operation(
        "GET", "/matches", "All matches that one has started", mine.MatchList, matches, Scope.READ
    ),
    Operation("GET", "/matches/{number}", "A match with its games", mine.MatchReport, match),
    Operation(
        "GET", "/matches/{number}/games/{index}", "The replay of a game, as a page",
        forms.Failure, None, send=replay, sends="text/html",
    ),
    Operation(
        "GET", "/matches/{number}/log", "The log of a match that is over", forms.Failure, None,
        send=log, sends="application/jsonl",
    ),
    Operation(
        "POST", "/matches/{number}/withdraw", "Withdraw a match", mine.MatchForm, withdraw,
        Scope.SUBMIT,
    ),
)  # fmt: skip
