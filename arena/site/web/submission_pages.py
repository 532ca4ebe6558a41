"""Pages for authors: handing in, what one has handed in, and what was found in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Final, cast

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from arena.errors import ArenaError
from arena.site.intake.reception import Reception
from arena.site.intake.reports import read_part
from arena.site.play.ladders import Ladder, Ladders
from arena.site.rules.people import NotNow, NotThere, NotUnderstood, Person, Scope
from arena.site.rules.submissions import Submission
from arena.site.web.asking import Ask, refusal_page, to_sign_in, visitor_of
from arena.site.web.match_pages import MatchFields, match_fields
from arena.site.web.site import Site

PART: Final = 1 << 20
"""Bytes that are written to the disk at a time."""
ARCHIVES: Final = "archive"
"""The field of the form that has the archive."""
TRIAL: Final = "try"
"""The field that is there if it is only to be tried."""


def hand_in_page(ask: Ask) -> Response:
    """Show the form for an archive, with the limits."""
    person = ask.visitor.need(Scope.SUBMIT)
    ladder = ask.site.ladders.get(ask.text("ladder"))
    limits = ask.site.settings.limits
    today = ask.site.submissions.today(person)
    return ask.page(
        "hand_in.html",
        ladder=ladder,
        is_open=ladder.open_for_entries(),
        limits=list(limits.words()),
        today=today,
        most=limits.uploads_a_day,
        starters=ask.site.starters.offered(ladder.contest.game),
    )


async def hand_in(request: Request) -> Response:
    """Take in an archive from the form."""
    site = cast("Site", request.app.state.site)
    visitor = await run_in_threadpool(visitor_of, request, site)
    if visitor.person is None:
        return to_sign_in(request)
    ladder = str(request.path_params["ladder"])
    try:
        person = visitor.need(Scope.SUBMIT)
        # One at a time from before the form is read, as that is kept on the disk meanwhile.
        with site.reception.upload(person, ladder) as upload:
            async with request.form(max_files=1, max_fields=4) as form:
                archive = form.get(ARCHIVES)
                if not isinstance(archive, UploadFile) or not archive.filename:
                    raise NotUnderstood("choose a file first: a zip or a tar with your bot")
                while data := await archive.read(PART):
                    await run_in_threadpool(upload.write, data)
                trial = bool(form.get(TRIAL))
            made = await run_in_threadpool(
                partial(site.reception.keep, upload, person, ladder, trial=trial)
            )
    except ArenaError as error:
        return refusal_page(site, visitor, error)
    site.queue.look()
    return RedirectResponse(f"/submissions/{made.number}", 303)


async def take_in(
    reception: Reception,
    person: Person,
    ladder: str,
    size: int | None,
    parts: AsyncIterator[bytes],
    *,
    trial: bool,
) -> Submission:
    """Take in an archive that comes in parts; it is acknowledged when this returns."""
    with reception.upload(person, ladder, size) as upload:
        async for part in parts:
            await run_in_threadpool(upload.write, part)
        return await run_in_threadpool(partial(reception.keep, upload, person, ladder, trial=trial))


def submissions_page(ask: Ask) -> Response:
    """Show what somebody has handed in."""
    person = ask.visitor.need(Scope.READ)
    ladders = ask.site.ladders
    return ask.page(
        "submissions.html",
        submissions=ask.site.submissions.of(person),
        ladders=[each for each in ladders.all() if _takes_bots(ladders, each)],
    )


def _takes_bots(ladders: Ladders, ladder: Ladder) -> bool:
    """Whether there is a form for bots, as far as the standings say."""
    overview = ladders.overview(ladder)
    return ladder.takes_strangers and (overview is None or overview.closed is None)


def submission_page(ask: Ask) -> Response:
    """Show what became of a submission, to its author alone."""
    submission = own(ask)
    part = read_part(ask.site.folder.report(submission.number))
    return ask.page(
        "submission.html",
        matches=ask.site.matches.of_submission(submission.number),
        fields=_test_fields(ask, submission),
        submission=submission,
        ahead=ask.site.submissions.ahead(submission) if submission.is_open else 0,
        events=part.events,
        end=part.end,
        frames=ask.site.folder.frames(submission.number).exists(),
    )


def _test_fields(ask: Ask, submission: Submission) -> MatchFields | None:
    """Return what the form for test games shows, if there can be any."""
    if submission.can_play:
        with suppress(NotThere):  # the host has removed the ladder
            return match_fields(ask, ask.site.ladders.get(submission.ladder))
    return None


def archive(ask: Ask) -> Response:
    """Send what was handed in, as it came."""
    submission = own(ask)
    path = ask.site.folder.upload(submission.number)
    return _download(path, f"submission-{submission.number}{_suffix(path)}")


def frames(ask: Ask) -> Response:
    """Send what the bot had been sent when it failed its check."""
    submission = own(ask)
    path = ask.site.folder.frames(submission.number)
    if not path.exists():
        raise NotThere("the check has kept no frames, as nothing failed in it")
    return _download(path, f"submission-{submission.number}.frames")


def withdraw(ask: Ask) -> Response:
    """Take a submission back."""
    person = ask.visitor.need(Scope.SUBMIT)
    submission = ask.site.submissions.own(ask.number(), person)
    take_back(ask.site, submission)
    return RedirectResponse(f"/submissions/{submission.number}", 303)


def take_back(site: Site, submission: Submission) -> Submission:
    """Take a submission back, wherever it stands."""
    if not submission.can_be_withdrawn:
        raise NotNow(f"it is {submission.words}, so there is nothing to withdraw")
    left = site.submissions.step(
        submission.number, submission.when_withdrawn, "you have withdrawn it"
    )
    site.examiner.leave(submission.number)
    site.door.look()
    return left


def enter(ask: Ask) -> Response:
    """Enter what was only tried."""
    person = ask.visitor.need(Scope.SUBMIT)
    entered = enter_tried(ask.site, person, ask.number())
    return RedirectResponse(f"/submissions/{entered.number}", 303)


def enter_tried(site: Site, person: Person, number: int) -> Submission:
    """Enter what was only tried, as it was handed in."""
    entered = site.admission.enter(person, number)
    site.door.look()
    return entered


def enter_again(ask: Ask) -> Response:
    """Hand an old submission in once more, as it was."""
    person = ask.visitor.need(Scope.SUBMIT)
    made = hand_in_again(ask.site, person, ask.number())
    return RedirectResponse(f"/submissions/{made.number}", 303)


def hand_in_again(site: Site, person: Person, number: int) -> Submission:
    """Hand an old submission in once more, as it was."""
    old = site.submissions.own(number, person)
    if not old.can_enter_again:
        raise NotNow(f"it is {old.words}; only what has passed and has left can enter again")
    made = site.reception.again(old, person)
    site.queue.look()
    return made


def own(ask: Ask) -> Submission:
    """Return the submission that the path names, if it is of whoever asks."""
    return ask.site.submissions.own(ask.number(), ask.visitor.need(Scope.READ))


def _download(path: object, name: str) -> Response:
    return FileResponse(
        str(path),
        media_type="application/octet-stream",
        filename=name,
        content_disposition_type="attachment",
    )


def _suffix(path: object) -> str:
    with open(str(path), "rb") as file:
        start = file.read(6)
    if start.startswith(b"PK"):
        return ".zip"
    for sign, suffix in ((b"\x1f\x8b", ".tar.gz"), (b"BZh", ".tar.bz2"), (b"\xfd7zXZ", ".tar.xz")):
        if start.startswith(sign):
            return suffix
    return ".tar"
