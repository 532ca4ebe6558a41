"""What stands before every request: whose site is asked for, from where, how much, how fast.

It also adds the headers that tell browsers what a page may do, and writes the log of requests.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.site.rules.people import NOBODY
from arena.site.settings import Settings
from arena.site.web.asking import HEADINGS, OTHER_HEADING
from arena.site.web.templates import page

FORM: Final = 64 << 10
"""Bytes of a request that is no upload."""
UPLOAD: Final = re.compile(r"/ladders/[^/]+/hand-in|/api/v1/ladders/[^/]+/submissions", re.ASCII)
"""Paths to which archives are sent."""
AROUND: Final = 64 << 10
"""Bytes that a form may have around an archive."""
PATIENCE: Final = 20.0
"""Seconds in which a request's body may come as slowly as it likes."""
LEAST_RATE: Final = 8 << 10
"""Bytes a second that have to come after that, on average."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
SECRET: Final = re.compile(r"^(/enter/|/login/|/account/mail/).+")
"""Paths with a secret in them, which no log has."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # With "no-referrer", browsers send forms with an origin of "null", which is refused here.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
log = logging.getLogger("arena.site.requests")


class Guard:
    """An application behind the checks that every request goes through."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if settings.secure:
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": self._with_own(message["headers"], scope)}
            await send(message)

        try:
            await self._guarded(scope, receive, sent)
        finally:
            millis = (time.monotonic() - began) * 1000
            log.info("%s %s %s %.0f ms", scope["method"], shown_path(scope["path"]), status, millis)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await self._answer(send, *refusal, is_api=_is_api(scope))
            return
        most = FORM
        if UPLOAD.fullmatch(scope["path"]):
            most = self._settings.limits.upload_bytes + AROUND
        if int(headers.get("content-length", "0") or 0) > most:
            await self._answer(send, 413, _too_large(most), is_api=_is_api(scope))
            return
        await self._app(scope, _Bounded(receive, most), send)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Return the status and the reason of a refusal, None if there is none."""
        if headers.get("host", "").lower() not in self._settings.hosts:
            return 421, f"this site is at {self._settings.address}"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) < 16):
            return 400, "content-length: expected a number"
        if scope["method"] in SAFE or _is_api(scope):
            return None  # the programs' interface looks at no cookie
        if self._is_own(headers):
            return None
        return 403, "this form was sent from another site; open the page here and send it again"

    def _is_own(self, headers: Mapping[str, str]) -> bool:
        """Whether a form was sent by a page of this site."""
        origin = headers.get("origin")
        if origin is not None:
            parts = urlsplit(origin)
            scheme = "https" if self._settings.secure else "http"
            return parts.scheme == scheme and parts.netloc.lower() == headers["host"].lower()
        return headers.get("sec-fetch-site") == "same-origin"

    def _with_own(
        self, headers: list[tuple[bytes, bytes]], scope: Scope
    ) -> list[tuple[bytes, bytes]]:
        given = {name.lower() for name, _ in headers}
        found = [*headers, *(each for each in self._headers if each[0] not in given)]
        if b"cache-control" not in given:
            found.append((b"cache-control", b"no-store"))
        return found

    async def _answer(self, send: Send, status: int, reason: str, *, is_api: bool) -> None:
        if is_api:
            body, kind = json.dumps({"error": reason}).encode(), b"application/json"
        else:
            heading = HEADINGS.get(status, OTHER_HEADING)
            shown = page(
                self._settings, NOBODY, "message.html", status, heading=heading, lines=[reason]
            )
            body, kind = bytes(shown.body), b"text/html; charset=utf-8"
        headers = [
            (b"content-type", kind),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class _Bounded:
    """The body of a request, as long as it is not too large and not too slow."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._size = 0
        self._began = time.monotonic()
        self._ended = False

    async def __call__(self) -> Message:
        if self._ended:
            return await self._receive()  # how a server hears that somebody has left
        deadline = self._began + PATIENCE + self._size / LEAST_RATE
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            raise HTTPException(
                408, "the request came too slowly; try again", {"connection": "close"}
            ) from None
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._size > self._most:
                raise HTTPException(413, _too_large(self._most), {"connection": "close"})
        return message


def shown_path(path: str) -> str:
    """Return a path as logs have it: without secrets, and without what controls a terminal."""
    path = SECRET.sub(r"\1…", path)
    return "".join(c if c.isprintable() else "?" for c in path[:200])


def _is_api(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/api/")


def _too_large(most: int) -> str:
    return f"expected {most:,} bytes at most, got more"
