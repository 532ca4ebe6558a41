"""The programs' interface: every operation, with its path, its scope and its forms."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, cast

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from arena.errors import ArenaError
from arena.site.intake.reports import read_part
from arena.site.play.ladders import Ladder
from arena.site.rules.people import (
    LOGIN_LASTS,
    NOBODY,
    NotSignedIn,
    NotUnderstood,
    Role,
    Scope,
    Visitor,
    read_scopes,
)
from arena.site.web import forms
from arena.site.web.asking import address_of
from arena.site.web.bot_api import BOT_OPERATIONS
from arena.site.web.host_api import HOST_OPERATIONS
from arena.site.web.log_api import LOG_OPERATIONS
from arena.site.web.match_api import MATCH_OPERATIONS
from arena.site.web.operation import Call, Operation, Query, failure, json_answer
from arena.site.web.site import Site
from arena.site.web.starters import STARTER_OPERATIONS
from arena.site.web.submission_pages import enter_tried, hand_in_again, take_back, take_in
from arena.site.web.watch_api import WATCH_OPERATIONS
from arena.version import VERSION

log = logging.getLogger("arena.site")
BEARER: Final = "Bearer "
MOST_EVENTS: Final = 2000


def about(call: Call) -> forms.About:
    """What this site is, and what one author may hand in."""
    settings = call.site.settings
    limits = {name: getattr(settings.limits, name) for name in forms.Limits.__struct_fields__}
    return forms.About(
        title=settings.title,
        version=VERSION,
        open_sign_up=settings.open_sign_up,
        limits=forms.Limits(**limits),
    )


def me(call: Call) -> forms.Me:
    """Whose token this is."""
    person = call.visitor.need(Scope.READ)
    return forms.Me(name=person.name, role=person.role, scopes=tuple(sorted(call.visitor.scopes)))


def revoke(call: Call) -> forms.Done:
    """Revoke the token that this call is made with."""
    person = call.visitor.person
    if person is None or call.visitor.token is None:
        raise NotSignedIn("expected a token")
    call.site.accounts.revoke(person, call.visitor.token)
    return forms.Done()


def start_login(call: Call) -> forms.LoginStarted:
    """Ask for a token, which a person allows in a browser."""
    scopes = read_scopes(call.body.scopes, Role.HOST)
    label = "".join(c if c.isprintable() else "?" for c in call.body.label)
    asker = address_of(call.request, call.site.settings)
    code, secret = call.site.accounts.ask_to_log_in(label, scopes, asker)
    link = f"{call.site.settings.address}/login/{code}"
    return forms.LoginStarted(link=link, code=code, secret=secret, seconds=LOGIN_LASTS)


def collect_token(call: Call) -> forms.LoginResult:
    """Collect the token, once it was allowed."""
    return forms.LoginResult(token=call.site.accounts.collect_token(call.body.secret))


def ladders(call: Call) -> forms.LadderList:
    """All ladders."""
    return forms.LadderList(ladders=tuple(_ladder(each) for each in call.site.ladders.all()))


def ladder(call: Call) -> forms.LadderForm:
    """A ladder."""
    return _ladder(call.ladder)


def _ladder(found: Ladder) -> forms.LadderForm:
    return forms.LadderForm(
        name=found.name,
        game=found.contest.game,
        tables=found.contest.tables,
        begun=found.begun,
        takes_submissions=found.takes_strangers,
    )


def standings(call: Call) -> forms.Standings:
    """How a ladder stands."""
    found = call.ladder
    return forms.Standings(ladder=found.name, overview=call.site.ladders.overview(found))


def make_ladder(call: Call) -> forms.LadderForm:
    """Make a ladder from its definition."""
    host = call.visitor.need(Scope.HOST)
    made = call.site.ladders.make(call.body.name, call.body.definition)
    call.site.supervisor.look()
    log.info("%s has made the ladder %s", host.name, made.name)
    return _ladder(made)


def invite(call: Call) -> forms.Invited:
    """Invite one person."""
    call.visitor.need(Scope.HOST)
    try:
        role = Role(call.body.role)
    except ValueError:
        raise NotUnderstood(f"role: expected one of {', '.join(Role)}") from None
    secret = call.site.accounts.invite(role, call.body.note)
    return forms.Invited(link=f"{call.site.settings.address}/enter/{secret}")


def submissions(call: Call) -> forms.SubmissionList:
    """All that one has handed in."""
    found = call.site.submissions.of(call.visitor.need(Scope.READ))
    return forms.SubmissionList(submissions=tuple(map(forms.submission_form, found)))


def submission(call: Call) -> forms.SubmissionForm:
    """What became of a submission."""
    return forms.submission_form(call.submission)


def report(call: Call) -> forms.Report:
    """What was found in a submission, from `after` on."""
    found = call.submission
    part = read_part(call.site.folder.report(found.number), call.count("after") or 0)
    return forms.Report(
        submission=forms.submission_form(found),
        ahead=call.site.submissions.ahead(found) if found.is_open else 0,
        events=tuple(part.events),
        next=part.end,
    )


def archive(call: Call) -> Response:
    """Send what was handed in, as it came."""
    path = call.site.folder.upload(call.submission.number)
    return FileResponse(path, media_type="application/octet-stream")


def withdraw(call: Call) -> forms.SubmissionForm:
    """Withdraw a submission."""
    call.visitor.need(Scope.SUBMIT)
    return forms.submission_form(take_back(call.site, call.submission))


def enter(call: Call) -> forms.SubmissionForm:
    """Enter what was only tried."""
    person = call.visitor.need(Scope.SUBMIT)
    return forms.submission_form(enter_tried(call.site, person, call.number))


def enter_again(call: Call) -> forms.SubmissionForm:
    """Hand an old submission in once more, as it was."""
    person = call.visitor.need(Scope.SUBMIT)
    return forms.submission_form(hand_in_again(call.site, person, call.number))


OPERATIONS: Final = (
    Operation("GET", "/", "What this site is", forms.About, about),
    Operation("GET", "/me", "Whose token this is", forms.Me, me, Scope.READ),
    Operation("DELETE", "/token", "Revoke this token", forms.Done, revoke, Scope.READ),
    Operation(
        "POST", "/logins", "Ask for a token, which a person allows in a browser",
        forms.LoginStarted, start_login, body=forms.LoginRequest, status=201,
    ),
    Operation(
        "POST", "/logins/token", "Collect the token, once it was allowed",
        forms.LoginResult, collect_token, body=forms.LoginSecret,
    ),
    Operation("GET", "/ladders", "All ladders", forms.LadderList, ladders),
    Operation(
        "POST", "/ladders", "Make a ladder", forms.LadderForm, make_ladder, Scope.HOST,
        forms.NewLadder, 201,
    ),
    Operation("GET", "/ladders/{ladder}", "A ladder", forms.LadderForm, ladder),
    Operation(
        "GET", "/ladders/{ladder}/standings", "How a ladder stands", forms.Standings, standings
    ),
    Operation(
        "GET", "/ladders/{ladder}/standings/events", "How a ladder stands, whenever that changes",
        forms.Standings, None, streams=True,
    ),
    Operation(
        "POST", "/ladders/{ladder}/submissions", "Hand in a bot: a zip or a tar, as the body",
        forms.SubmissionForm, None, Scope.SUBMIT, status=202, takes_archive=True,
        query=(Query("try", "boolean"),),
    ),
    Operation(
        "GET", "/submissions", "All that one has handed in", forms.SubmissionList, submissions,
        Scope.READ,
    ),
    Operation(
        "GET", "/submissions/{number}", "What became of a submission", forms.SubmissionForm,
        submission, Scope.READ,
    ),
    Operation(
        "GET", "/submissions/{number}/report", "What was found in a submission", forms.Report,
        report, Scope.READ, query=(Query("after"),),
    ),
    Operation(
        "GET", "/submissions/{number}/archive", "What was handed in, as it came", forms.Failure,
        None, Scope.READ, send=archive,
    ),
    Operation(
        "POST", "/submissions/{number}/withdraw", "Withdraw a submission", forms.SubmissionForm,
        withdraw, Scope.SUBMIT,
    ),
    Operation(
        "POST", "/submissions/{number}/enter", "Enter what was only tried", forms.SubmissionForm,
        enter, Scope.SUBMIT, status=202,
    ),
    Operation(
        "POST", "/submissions/{number}/enter-again", "Hand an old submission in once more",
        forms.SubmissionForm, enter_again, Scope.SUBMIT, status=202,
    ),
    Operation(
        "POST", "/invitations", "Invite one person", forms.Invited, invite, Scope.HOST,
        forms.Invite, 201,
    ),
    *BOT_OPERATIONS,
    *HOST_OPERATIONS,
    *LOG_OPERATIONS,
    *WATCH_OPERATIONS,
    *STARTER_OPERATIONS,
    *MATCH_OPERATIONS,
)  # fmt: skip


def operation_endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of an operation."""

    async def answered(request: Request) -> Response:
        site = cast("Site", request.app.state.site)
        try:
            visitor = await run_in_threadpool(_caller, request, site)
            if operation.scope is not None:
                visitor.need(operation.scope)
            if operation.takes_archive:
                return json_answer(await _hand_in(request, site, visitor), operation.status)
            body = _body(operation, await request.body())
            call = Call(site, request, visitor, body)
            if operation.answer is not None:
                return await operation.answer(call)
            if operation.send is not None:
                return await run_in_threadpool(operation.send, call)
            assert operation.act is not None
            result = await run_in_threadpool(operation.act, call)
            return json_answer(result, operation.status)
        except ArenaError as error:
            return failure(error)

    return answered


def _caller(request: Request, site: Site) -> Visitor:
    """Return who has the token of a call; cookies do not count."""
    given = request.headers.get("authorization")
    if given is None:
        return NOBODY
    visitor = site.accounts.by_token(given.removeprefix(BEARER))
    if visitor.person is None or not given.startswith(BEARER):
        raise NotSignedIn("this token is not known here; arena login makes another")
    return visitor


def _body(operation: Operation, data: bytes) -> object:
    if operation.body is None:
        return None
    try:
        return msgspec.json.decode(data, type=operation.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotUnderstood(f"the body does not fit: {' '.join(str(error).split())}") from None


async def _hand_in(request: Request, site: Site, visitor: Visitor) -> forms.SubmissionForm:
    person = visitor.need(Scope.SUBMIT)
    name = str(request.path_params["ladder"])
    length = request.headers.get("content-length")
    size = int(length) if length else None
    trial = _yes_or_no("try", request.query_params.get("try", "false"))
    made = await take_in(site.reception, person, name, size, request.stream(), trial=trial)
    site.queue.look()
    return forms.submission_form(made)


def _yes_or_no(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise NotUnderstood(f"{name}: expected true or false")
    return text == "true"
