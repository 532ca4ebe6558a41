"""Pages for the host: people and invitations, new ladders, and what goes on."""

from __future__ import annotations

import logging

from starlette.responses import RedirectResponse, Response

from arena.site.rules.people import (
    INVITATION_LASTS,
    NotNow,
    NotThere,
    NotUnderstood,
    Role,
    Scope,
)
from arena.site.rules.submissions import UNFINISHED
from arena.site.web.asking import Ask
from arena.site.web.sign_in import link

EXAMPLE = """\
game = "gargon"
contestants = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]
# Bots that authors hand in enter by themselves.

[budget]
each = 1000
"""
log = logging.getLogger("arena.site")


def people_page(ask: Ask) -> Response:
    """Show everybody with an account, and open invitations."""
    ask.visitor.need(Scope.HOST)
    accounts = ask.site.accounts
    return ask.page(
        "people.html",
        people=accounts.people(),
        invitations=accounts.invitations(),
        roles=list(Role),
    )


def invite(ask: Ask) -> Response:
    """Make an invitation, and show its link once."""
    ask.visitor.need(Scope.HOST)
    role = _role(ask.form.get("role", Role.AUTHOR))
    note = ask.form.get("note", "").strip()
    days = INVITATION_LASTS // 86_400
    return ask.page(
        "secret.html",
        heading=f"An invitation for {note}" if note else "An invitation",
        secret=link(ask, ask.site.accounts.invite(role, note)),
        lines=[f"One person can join by this link, as {role}, within {days} days."],
        back="/people",
    )


def take_back(ask: Ask) -> Response:
    """Take an invitation back."""
    ask.visitor.need(Scope.HOST)
    ask.site.accounts.take_back(ask.number())
    return RedirectResponse("/people", 303)


def set_role(ask: Ask) -> Response:
    """Give somebody another role."""
    host = ask.visitor.need(Scope.HOST)
    role = _role(ask.form.get("role", ""))
    ask.site.accounts.set_role(ask.number(), role)
    log.info("%s has made person %d a %s", host.name, ask.number(), role)
    return RedirectResponse("/people", 303)


def person_link(ask: Ask) -> Response:
    """Make a link for somebody who cannot sign in any more."""
    host = ask.visitor.need(Scope.HOST)
    found = [each for each in ask.site.accounts.people() if each.number == ask.number()]
    if not found:
        raise NotThere("there is no such person")
    log.info("%s has made a link for %s", host.name, found[0].name)
    return ask.page(
        "secret.html",
        heading=f"A link for {found[0].name}",
        secret=link(ask, ask.site.accounts.sign_in_link(found[0])),
        lines=["It signs him in once, within 15 minutes. Send it to nobody else."],
        back="/people",
    )


def queue_page(ask: Ask) -> Response:
    """Show the queue, what changed last, and the disk; nobody's reports."""
    ask.visitor.need(Scope.HOST)
    site = ask.site
    return ask.page(
        "queue.html",
        queue=site.submissions.in_state(*UNFINISHED),
        last=site.submissions.last(30),
        matches=site.matches.open(),
        free=site.folder.free(),
        runs=site.supervisor.states(),
        ladders=site.ladders.all(),
        broken=site.ladders.broken(),
    )


def new_ladder_page(ask: Ask) -> Response:
    """Show the form for a new ladder."""
    ask.visitor.need(Scope.HOST)
    return ask.page("new_ladder.html", name="", text=EXAMPLE, wrong=[])


def make_ladder(ask: Ask) -> Response:
    """Make a ladder from its definition."""
    host = ask.visitor.need(Scope.HOST)
    name = ask.form.get("name", "").strip()
    text = ask.form.get("definition", "").replace("\r\n", "\n")
    try:
        ladder = ask.site.ladders.make(name, text)
    except (NotNow, NotUnderstood) as error:
        lines = str(error).splitlines()
        return ask.page("new_ladder.html", error.status, name=name, text=text, wrong=lines)
    ask.site.supervisor.look()
    log.info("%s has made the ladder %s", host.name, ladder.name)
    return RedirectResponse(f"/ladders/{ladder.name}", 303)


def _role(text: str) -> Role:
    try:
        return Role(text)
    except ValueError:
        raise NotUnderstood(f"role: expected one of {', '.join(Role)}") from None
