"""The page of one's account: passkeys, sessions, tokens, address, what is kept, and its end."""

from __future__ import annotations

import json
import logging
import shutil
from contextlib import suppress

from msgspec import to_builtins
from starlette.responses import RedirectResponse, Response

from arena.site.rules.people import (
    MAIL_LINK_LASTS,
    SCOPE_WORDS,
    SCOPES,
    SIGN_IN_LINK_LASTS,
    NotNow,
    NotUnderstood,
    Scope,
    read_scopes,
)
from arena.site.rules.submissions import OPEN, State
from arena.site.web.asking import Ask
from arena.site.web.sign_in import link, mail_address

log = logging.getLogger("arena.site")


def account_page(ask: Ask) -> Response:
    """Show an account to its owner."""
    person = ask.visitor.need(Scope.ACCOUNT)
    accounts = ask.site.accounts
    return ask.page(
        "account.html",
        new=bool(ask.query("new")),
        passkeys=ask.site.passkeys.of(person),
        sessions=accounts.sessions(person),
        tokens=accounts.tokens(person),
        scopes=[(scope, SCOPE_WORDS[scope]) for scope in Scope if scope in SCOPES[person.role]],
    )


def make_token(ask: Ask) -> Response:
    """Make a token, and show it once."""
    person = ask.visitor.need(Scope.ACCOUNT)
    scopes = read_scopes(ask.several.get("scope", ()), person.role)
    token = ask.site.accounts.make_token(person, ask.form.get("label", ""), scopes)
    return ask.page(
        "secret.html",
        heading="Your new token",
        secret=token,
        lines=["Who has it can act for you."],
        back="/account",
    )


def revoke_token(ask: Ask) -> Response:
    """Let nobody use a token any more."""
    ask.site.accounts.revoke(ask.visitor.need(Scope.ACCOUNT), ask.number())
    return RedirectResponse("/account", 303)


def end_session(ask: Ask) -> Response:
    """End a session, here or in another browser."""
    ask.site.accounts.end_session(ask.visitor.need(Scope.ACCOUNT), ask.number())
    return RedirectResponse("/account", 303)


def end_other_sessions(ask: Ask) -> Response:
    """End all sessions but this one."""
    person = ask.visitor.need(Scope.ACCOUNT)
    ask.site.accounts.end_other_sessions(person, ask.visitor.session or 0)
    return RedirectResponse("/account", 303)


def make_link(ask: Ask) -> Response:
    """Make a link that signs its owner in on another device."""
    person = ask.visitor.need(Scope.ACCOUNT)
    minutes = SIGN_IN_LINK_LASTS // 60
    return ask.page(
        "secret.html",
        heading="A link for another device",
        secret=link(ask, ask.site.accounts.sign_in_link(person)),
        lines=[f"It signs you in once, within {minutes} minutes. Give it to nobody else."],
        back="/account",
    )


def set_mail(ask: Ask) -> Response:
    """Send a link to an address, which is kept when that was opened; or keep none any more."""
    person = ask.visitor.need(Scope.ACCOUNT)
    text = ask.form.get("mail", "")
    if not text.strip():
        ask.site.mail_addresses.forget(person)
        return RedirectResponse("/account", 303)
    if ask.site.postman is None:
        raise NotNow("this site sends no mail")
    address = mail_address(text)
    ask.site.postman.confirm(person, address)
    return ask.page("mail.html", mail=address, secret="", minutes=MAIL_LINK_LASTS // 60)


def mail_page(ask: Ask) -> Response:
    """Ask whether an address is one's own; looking at the page does not use its link up."""
    person, secret = ask.visitor.need(Scope.ACCOUNT), ask.text("secret")
    address = ask.site.mail_addresses.look_at_link(person, secret)
    return ask.page("mail.html", mail=address, secret=secret)


def confirm_mail(ask: Ask) -> Response:
    """Keep an address, whose owner has opened the link that was sent to it."""
    ask.site.mail_addresses.confirm(ask.visitor.need(Scope.ACCOUNT), ask.text("secret"))
    return RedirectResponse("/account", 303)


def export(ask: Ask) -> Response:
    """Send all that the site keeps of a person."""
    person = ask.visitor.need(Scope.ACCOUNT)
    site = ask.site
    kept = {
        "account": to_builtins(person),
        "passkeys": to_builtins(site.passkeys.of(person)),
        "sessions": to_builtins(site.accounts.sessions(person)),
        "tokens": [to_builtins(each) for each in site.accounts.tokens(person)],
        "submissions": to_builtins(site.submissions.of(person)),
        "wishes": to_builtins(site.host_wishes.by(person)),
        "matches": to_builtins(site.matches.of(person)),
    }
    text = json.dumps(kept, indent=2, ensure_ascii=False, default=sorted)
    headers = {"content-disposition": 'attachment; filename="account.json"'}
    return Response(text, media_type="application/json", headers=headers)


def delete(ask: Ask) -> Response:
    """Delete an account with all that was handed in; what was played stays in the log."""
    person = ask.visitor.need(Scope.ACCOUNT)
    if ask.form.get("name", "").strip() != person.name:
        raise NotUnderstood(f"to delete your account, write its name: {person.name}")
    own = ask.site.submissions.of(person)
    if any(each.state in OPEN or each.state is State.PLAYING for each in own):
        raise NotNow("withdraw your bots first, so that nothing of yours plays on")
    matches = ask.site.matches.of(person)
    for match in matches:
        if match.is_open:
            with suppress(NotNow):  # it has just been played
                ask.site.organiser.withdraw(match)
    ask.site.accounts.remove(person)
    for each in own:
        folder = ask.site.folder
        for path in (folder.upload, folder.report, folder.frames):
            path(each.number).unlink(missing_ok=True)
    for match in matches:
        shutil.rmtree(ask.site.folder.match(match.number), ignore_errors=True)
    log.info("%s has left", person.name)
    return RedirectResponse("/", 303)


def login_page(ask: Ask) -> Response:
    """Ask somebody whether a program may act for him."""
    ask.visitor.need(Scope.ACCOUNT)
    code = (ask.request.path_params.get("code") or ask.query("code")).strip().upper()
    if not code:
        return ask.page("login.html", code="", login=None, words=SCOPE_WORDS)
    login = ask.site.accounts.pending_login(code)
    return ask.page("login.html", code=code, login=login, words=SCOPE_WORDS)


def allow_login(ask: Ask) -> Response:
    """Let a program act for somebody."""
    person = ask.visitor.need(Scope.ACCOUNT)
    ask.site.accounts.allow_login(person, ask.text("code"))
    log.info("%s has let a program log in", person.name)
    return ask.page(
        "message.html",
        heading="The program is logged in",
        lines=["Go back to it. You can revoke its token in your account."],
    )
