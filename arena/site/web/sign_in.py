"""Pages for coming in: one-time links, invitations, open sign-up, mail, signing out."""

from __future__ import annotations

import logging
from typing import Final

from starlette.responses import RedirectResponse, Response

from arena.site.rules.people import (
    DAY,
    SESSION_LASTS,
    NotNow,
    NotUnderstood,
    Person,
    Refused,
    Role,
)
from arena.site.web.asking import Ask, cookie_name, own_path, with_session

LONGEST_MAIL: Final = 254
log = logging.getLogger("arena.site")


def sign_in_page(ask: Ask) -> Response:
    """Say how one can sign in."""
    if ask.visitor.person is not None:
        return RedirectResponse(own_path(ask.query("next")), 303)
    return ask.page("sign_in.html", next=own_path(ask.query("next")), sent=False)


def send_link(ask: Ask) -> Response:
    """Send a link to whoever has this address; nobody learns whether anybody has."""
    site = ask.site
    if site.postman is None:
        raise NotNow("this site sends no mail")
    site.postman.sign_in(mail_address(ask.form.get("mail", "")))
    return ask.page("sign_in.html", next="/", sent=True)


def enter_page(ask: Ask) -> Response:
    """Show what a one-time link is good for; looking at it does not use it up."""
    found = ask.site.accounts.look_at_link(ask.text("secret"))
    return ask.page("enter.html", link=found, secret=ask.text("secret"), wrong="", name="")


def enter(ask: Ask) -> Response:
    """Use a one-time link: sign in, or join."""
    secret, name = ask.text("secret"), ask.form.get("name", "").strip()
    found = ask.site.accounts.look_at_link(secret)
    try:
        person = ask.site.accounts.use_link(secret, name)
    except (NotNow, NotUnderstood) as error:  # the link can be used with another name
        return ask.page(
            "enter.html", error.status, link=found, secret=secret, wrong=str(error), name=name
        )
    return signed_in(ask, person, "/" if found.person else "/account?new=1")


def join_page(ask: Ask) -> Response:
    """Show the form for those who join by themselves."""
    _check_open(ask)
    return ask.page("join.html", wrong="", name="")


def join(ask: Ask) -> Response:
    """Make an account for somebody who joins by himself."""
    _check_open(ask)
    name = ask.form.get("name", "").strip()
    try:
        if ask.visitor.person is not None:
            raise NotNow(f"you are signed in as {ask.visitor.person.name}; sign out first")
        person = ask.site.accounts.join(name, Role.AUTHOR)
    except (NotNow, NotUnderstood) as error:
        return ask.page("join.html", error.status, wrong=str(error), name=name)
    return signed_in(ask, person, "/account?new=1")


def _check_open(ask: Ask) -> None:
    settings = ask.site.settings
    if not settings.open_sign_up:
        raise Refused("people join this site by invitation; ask its host for a link")
    if ask.site.accounts.joined_since(ask.site.clock() - DAY) >= settings.sign_ups_a_day:
        raise NotNow("too many people have joined today; try again tomorrow")


def signed_in(ask: Ask, person: Person, to: str) -> Response:
    """Sign somebody in, in a new session, and send him to a page."""
    agent = ask.request.headers.get("user-agent", "")
    secret = ask.site.accounts.sign_in(person, agent, ask.session_secret)
    log.info("%s has signed in", person.name)
    return with_session(RedirectResponse(to, 303), ask.site.settings, secret, SESSION_LASTS)


def sign_out(ask: Ask) -> Response:
    """End the session of this browser."""
    visitor = ask.visitor
    if visitor.person is not None and visitor.session is not None:
        ask.site.accounts.end_session(visitor.person, visitor.session)
    response = RedirectResponse("/", 303)
    settings = ask.site.settings
    response.delete_cookie(
        cookie_name(settings), secure=settings.secure, httponly=True, samesite="lax"
    )
    return response


def link(ask: Ask, secret: str) -> str:
    """Return a one-time link."""
    return f"{ask.site.settings.address}/enter/{secret}"


def mail_address(text: str) -> str:
    """Return an address to which mail can be sent; raise `NotUnderstood` for anything else."""
    text = text.strip()
    name, at, domain = text.rpartition("@")
    good = bool(name and at and "." in domain) and len(text) <= LONGEST_MAIL
    if not (good and text.isascii() and text.isprintable() and " " not in text):
        raise NotUnderstood("expected an address such as me@example.org")
    return text.lower()
