"""What is asked for, by whom; and the way from a function of that to an endpoint."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias, cast
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from arena.errors import ArenaError
from arena.site.rules.people import NOBODY, NotSignedIn, NotThere, Refused, Visitor
from arena.site.settings import Settings
from arena.site.web.site import Site
from arena.site.web.templates import page

MOST_FIELDS: Final = 40
LONGEST_FIELD: Final = 60 << 10
HOUSEHOLD: Final = 64
"""The bits of an IPv6 address that all of a household's have in common."""
LARGEST_NUMBER: Final = 2**63 - 1
"""The largest number that the database keeps."""
HEADINGS: Final = {
    403: "This is not allowed",
    404: "Not found",
    405: "That cannot be done here",
    413: "Too large",
    429: "Too often",
    500: "The site has failed",
    503: "The site has failed",
}
OTHER_HEADING: Final = "That did not work"
log = logging.getLogger("arena.site")


@dataclass(frozen=True)
class Ask:
    """A request for a page: who asks, and what came with it."""

    site: Site
    request: Request
    visitor: Visitor
    form: Mapping[str, str]
    several: Mapping[str, tuple[str, ...]]
    """All values of a form's fields, for those that can be there several times."""

    def number(self, name: str = "number") -> int:
        """Return a number from the path."""
        return number_in(self.request, name)

    def text(self, name: str = "name") -> str:
        """Return a text from the path."""
        return str(self.request.path_params[name])

    def query(self, name: str) -> str:
        """Return a text from the query; "" if there is none."""
        return self.request.query_params.get(name, "")

    @property
    def session_secret(self) -> str | None:
        """The secret of the browser's session."""
        return self.request.cookies.get(cookie_name(self.site.settings))

    def page(self, template: str, status: int = 200, **values: object) -> Response:
        """Return a page."""
        return page(self.site.settings, self.visitor, template, status, None, **values)


Answer: TypeAlias = Callable[[Ask], Response]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


def endpoint(answer: Answer) -> Endpoint:
    """Return the endpoint that answers by this function, in a thread."""

    async def answered(request: Request) -> Response:
        site = cast("Site", request.app.state.site)
        visitor = NOBODY
        try:
            visitor = await run_in_threadpool(visitor_of, request, site)
            ask = Ask(site, request, visitor, *await _form(request))
            return await run_in_threadpool(answer, ask)
        except NotSignedIn:
            return to_sign_in(request)
        except ArenaError as error:
            return refusal_page(site, visitor, error)

    return answered


def number_in(request: Request, name: str = "number") -> int:
    """Return a number from the path; raise `NotThere` for one that nothing can have."""
    found = int(request.path_params[name])
    if found > LARGEST_NUMBER:
        raise NotThere("there is nothing with this number")
    return found


def visitor_of(request: Request, site: Site) -> Visitor:
    """Return who is signed in, in the browser that asks."""
    secret = request.cookies.get(cookie_name(site.settings))
    return site.accounts.by_session(secret) if secret else NOBODY


def refusal_page(site: Site, visitor: Visitor, error: ArenaError) -> Response:
    """Return the page that says why something is refused, or could not be done."""
    status = status_of(error)
    if status >= 500:
        log.error("%s", error)
    return page(
        site.settings,
        visitor,
        "message.html",
        status,
        heading=HEADINGS.get(status, OTHER_HEADING),
        lines=str(error).splitlines(),
    )


def refusal_line(error: ArenaError) -> Response:
    """Return why something is refused, for those who are refused often: no page, and no log."""
    return PlainTextResponse(f"{error}\n", status_of(error))


def status_of(error: ArenaError) -> int:
    """Return the status with which an error is answered."""
    if isinstance(error, Refused):
        return error.status
    return 503 if error.exit_code == 3 else 400


def address_of(request: Request, settings: Settings) -> str:
    """Return where a request comes from; of one by a proxy of the site's, what that says.

    Of an IPv6 address it is the network, in which one household or machine has all addresses.
    """
    peer = (request.client.host if request.client else "").removeprefix("::ffff:")
    if settings.is_proxy(peer):
        # A proxy adds where the request came from to what it was told, which may be invented.
        told = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        peer = told or peer
    try:
        address = ip_address(peer)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSEHOLD), strict=False))
    return str(address)


def to_sign_in(request: Request) -> Response:
    """Send somebody to where he can sign in, and back afterwards."""
    path = request.url.path if request.method == "GET" else "/"
    return RedirectResponse(f"/sign-in?next={path}", 303)


def own_path(text: str) -> str:
    """Return a path of this site from a link that may have been made by others."""
    parts = urlsplit(text)
    good = text.startswith("/") and not text.startswith("//") and "\\" not in text
    good = good and not parts.netloc and not parts.scheme and text.isprintable()
    return text if good else "/"


def cookie_name(settings: Settings) -> str:
    """Return the name of the cookie with the session's secret."""
    return "__Host-session" if settings.secure else "session"


def with_session(response: Response, settings: Settings, secret: str, lasts: int) -> Response:
    """Return a response that signs its browser in; no script can read the cookie."""
    response.set_cookie(
        cookie_name(settings),
        secret,
        max_age=lasts,
        path="/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
    return response


async def _form(request: Request) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    kind = request.headers.get("content-type", "")
    if request.method != "POST" or not kind.startswith("application/x-www-form-urlencoded"):
        return {}, {}
    form = await request.form(max_files=0, max_fields=MOST_FIELDS, max_part_size=LONGEST_FIELD)
    values = [(key, value) for key, value in form.multi_items() if isinstance(value, str)]
    several: dict[str, tuple[str, ...]] = {}
    for key, value in values:
        several[key] = (*several.get(key, ()), value)
    return dict(values), several


async def http_error_page(request: Request, error: HTTPException) -> Response:
    """Return the page for what Starlette refuses by itself."""
    words = {
        404: "there is no such page; its address may have a mistake, or it is gone",
        405: "this page takes no such form",
    }
    line = words.get(error.status_code, error.detail)
    return await message_page(request, error.status_code, line, error.headers)


async def message_page(
    request: Request, status: int, line: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a page that says what is wrong in a line, to whoever is signed in."""
    site = cast("Site", request.app.state.site)
    try:
        visitor = await run_in_threadpool(visitor_of, request, site)
    except ArenaError:
        visitor = NOBODY
    heading = HEADINGS.get(status, OTHER_HEADING)
    return page(
        site.settings, visitor, "message.html", status, headers, heading=heading, lines=[line]
    )
