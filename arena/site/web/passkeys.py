"""Passkeys: made and used in a browser, checked here."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from arena.errors import ArenaError
from arena.site.rules.people import SESSION_LASTS, NotUnderstood, Person, Scope
from arena.site.web.asking import Ask, own_path, status_of, visitor_of, with_session
from arena.site.web.site import Site

MOST: Final = 32 << 10
Answer: TypeAlias = dict[str, Any]
"""What a browser's authenticator has answered, as JSON."""
log = logging.getLogger("arena.site")


def spoken(
    answer: Callable[[Ask, Answer], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that the site's own script speaks to, in JSON."""

    async def answered(request: Request) -> Response:
        site = cast("Site", request.app.state.site)
        try:
            said = _read(await request.body())
            visitor = await run_in_threadpool(visitor_of, request, site)
            return await run_in_threadpool(answer, Ask(site, request, visitor, {}, {}), said)
        except ArenaError as error:
            return JSONResponse({"error": str(error)}, status_of(error))

    return answered


def registration_options(ask: Ask, _: Answer) -> Response:
    """Send what a browser needs to make a passkey."""
    person = ask.visitor.need(Scope.ACCOUNT)
    site = ask.site
    options = generate_registration_options(
        rp_id=site.settings.domain,
        rp_name=site.settings.title,
        user_name=person.name,
        user_id=site.passkeys.handle(person),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=each) for each in site.passkeys.ids(person)
        ],
    )
    site.passkeys.challenge(bytes_to_base64url(options.challenge), person)
    return Response(options_to_json(options), media_type="application/json")


def register(ask: Ask, answer: Answer) -> Response:
    """Keep the passkey that a browser has made."""
    person = ask.visitor.need(Scope.ACCOUNT)
    site = ask.site
    challenge = _challenge(answer)
    site.passkeys.answered(challenge, person)
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.settings.domain,
            expected_origin=site.settings.address,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise NotUnderstood(f"the passkey does not hold: {error}") from None
    site.passkeys.add(person, made.credential_id, made.credential_public_key, made.sign_count)
    return JSONResponse({"next": "/account"})


def sign_in_options(ask: Ask, _: Answer) -> Response:
    """Send what a browser needs to sign in by a passkey."""
    options = generate_authentication_options(
        rp_id=ask.site.settings.domain, user_verification=UserVerificationRequirement.REQUIRED
    )
    ask.site.passkeys.challenge(bytes_to_base64url(options.challenge), None)
    return Response(options_to_json(options), media_type="application/json")


def sign_in(ask: Ask, answer: Answer) -> Response:
    """Sign somebody in who has a passkey."""
    person = _authenticated(ask.site, answer)
    agent = ask.request.headers.get("user-agent", "")
    secret = ask.site.accounts.sign_in(person, agent, ask.session_secret)
    log.info("%s has signed in by a passkey", person.name)
    response = JSONResponse({"next": own_path(ask.query("next"))})
    return with_session(response, ask.site.settings, secret, SESSION_LASTS)


def remove(ask: Ask) -> Response:
    """Forget a passkey."""
    ask.site.passkeys.remove(ask.visitor.need(Scope.ACCOUNT), ask.number())
    return RedirectResponse("/account", 303)


def _authenticated(site: Site, answer: Answer) -> Person:
    challenge = _challenge(answer)
    site.passkeys.answered(challenge, None)
    try:
        kept = site.passkeys.find(base64url_to_bytes(str(answer.get("id", ""))))
        found = verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.settings.domain,
            expected_origin=site.settings.address,
            credential_public_key=kept.public_key,
            credential_current_sign_count=kept.count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise NotUnderstood(f"the passkey does not hold: {error}") from None
    site.passkeys.used(kept, found.new_sign_count)
    return kept.person


def _challenge(answer: Answer) -> str:
    """Return the challenge that an answer says it is to; what it says is checked afterwards."""
    try:
        said = json.loads(base64url_to_bytes(answer["response"]["clientDataJSON"]))
        challenge = said["challenge"]
    except (KeyError, ValueError, TypeError, RecursionError):
        raise NotUnderstood("expected the answer of an authenticator, got something else") from None
    if not isinstance(challenge, str):
        raise NotUnderstood("challenge: expected a text")
    return challenge


def _read(body: bytes) -> Answer:
    try:
        said = json.loads(body or b"{}") if len(body) <= MOST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise NotUnderstood("expected JSON with the answer of an authenticator")
    return said
