"""Calls of a site's interface."""

from __future__ import annotations

import http.client
import json
import re
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from arena.errors import ArenaError, HostError
from arena.version import VERSION

PREFIX: Final = "/api/v1"
SECONDS: Final = 60
CHUNK: Final = 1 << 16
MOST: Final = 64 << 20
"""Bytes of an answer."""
CUT: Final = "the connection broke"
NO_OPERATION: Final = "there is no such operation"
"""What a site says to a call that it does not know."""
Form = TypeVar("Form", bound=Struct)


class SiteRefused(ArenaError):
    """Something that the site has refused; the text is what it said."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class SiteFailed(HostError):
    """A site that cannot be reached, or has failed."""


class Started(Struct, frozen=True):
    """A login that somebody has yet to allow."""

    link: str
    code: str
    secret: str
    seconds: int


class Collected(Struct, frozen=True):
    """The token, once it was allowed."""

    token: str | None


class Me(Struct, frozen=True):
    """Whose token it is."""

    name: str
    role: str
    scopes: tuple[str, ...]


class Limits(Struct, frozen=True):
    """What the site takes."""

    upload_mb: int


class About(Struct, frozen=True):
    """What the site says of itself."""

    title: str
    limits: Limits
    version: str
    """The version of its arena."""


class Handed(Struct, frozen=True):
    """A submission, as the site tells of it."""

    number: int
    ladder: str
    state: str
    words: str
    reason: str
    open: bool
    bot: str
    version: str
    digest: str
    made: int
    """When it was handed in, in seconds since 1970."""


class HandedList(Struct, frozen=True):
    """All that somebody has handed in, the last first."""

    submissions: tuple[Handed, ...]


class Told(Struct, frozen=True):
    """What was told of a submission since the last time."""

    submission: Handed
    ahead: int
    events: tuple[dict[str, Any], ...]
    next: int


class PlayingBot(Struct, frozen=True):
    """A bot in a match."""

    name: str
    version: str


class TestMatch(Struct, frozen=True):
    """A match that was started, as the site tells of it."""

    number: int
    state: str
    words: str
    reason: str
    open: bool
    bots: tuple[PlayingBot, ...]


class BotFault(Struct, frozen=True):
    """A fault in a game; what is kept of it besides is there for one's own bots."""

    bot: int
    seat: int
    decision: int
    verdict: str
    text: str
    stderr: str = ""


class PlayedGame(Struct, frozen=True):
    """A game of a match; all but its faults by seat."""

    number: int
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[BotFault, ...] = ()


class Played(Struct, frozen=True):
    """A match with the games that were played so far."""

    match: TestMatch
    ahead: int
    games: tuple[PlayedGame, ...]


class Client:
    """Calls a site."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = site_address(address)
        self._token = token

    def start_login(self, label: str) -> Started:
        """Ask for a token; somebody has to allow it in a browser."""
        return self._call("POST", "/logins", Started, {"label": label})

    def collect_token(self, secret: str) -> str | None:
        """Return the token, once it was allowed; None before."""
        return self._call("POST", "/logins/token", Collected, {"secret": secret}).token

    def me(self) -> Me:
        """Return whose token it is."""
        return self._call("GET", "/me", Me)

    def hand_in(
        self,
        ladder: str,
        archive: Path,
        progress: Callable[[int, int], object],
        *,
        trial: bool = False,
    ) -> Handed:
        """Hand in an archive; `progress` is called with the bytes that were sent, and all.

        With `trial`, what passes does not enter.
        """
        size = archive.stat().st_size
        most = self._call("GET", "", About).limits.upload_mb
        if size > most << 20:  # before it is sent, as a refusal while it is may not arrive
            raise SiteRefused(
                413,
                f"{self.address}: an archive may have {most} MiB; this one has {size:,} bytes",
            )
        with archive.open("rb") as file:
            body = _Counted(file, size, progress)
            path = f"/ladders/{quote(ladder, safe='')}/submissions"
            path += "?try=true" if trial else ""
            headers = {
                "content-type": "application/octet-stream",
                "content-length": str(size),
            }
            return msgspec.json.decode(self._send("POST", path, body, headers), type=Handed)

    def submissions(self) -> tuple[Handed, ...]:
        """Return all that one has handed in, the last first."""
        return self._call("GET", "/submissions", HandedList).submissions

    def told(self, number: int, after: int) -> Told:
        """Return what was told of a submission from there on."""
        return self._call("GET", f"/submissions/{number}/report?after={after}", Told)

    def withdraw(self, number: int) -> Handed:
        """Withdraw a submission."""
        return self._call("POST", f"/submissions/{number}/withdraw", Handed, {})

    def get(self, path: str, form: type[Form]) -> Form:
        """Return what a site has below its interface's address."""
        return self._call("GET", path, form)

    def start_test(self, number: int, opponents: Sequence[str], deals: int) -> TestMatch:
        """Let a submission play test games."""
        body = {"opponents": list(opponents), "deals": deals}
        return self._call("POST", f"/submissions/{number}/matches", TestMatch, body)

    def match(self, number: int) -> Played:
        """Return a match with the games that were played so far."""
        return self._call("GET", f"/matches/{number}", Played)

    def _call(
        self, method: str, path: str, form: type[Form], body: dict[str, Any] | None = None
    ) -> Form:
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        answer = self._send(method, path, data, headers)
        try:
            return msgspec.json.decode(answer, type=form)
        except msgspec.DecodeError:
            raise self._differs() from None

    def _send(
        self, method: str, path: str, body: bytes | _Counted | None, headers: dict[str, str]
    ) -> bytes:
        with self.answered(method, path, body, headers) as answer, self.explained(CUT):
            return answer.read(MOST)

    @contextmanager
    def answered(
        self,
        method: str,
        path: str,
        body: bytes | _Counted | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[http.client.HTTPResponse]:
        """Make a call, and give the answer to be read; raise `ArenaError` if it is a refusal."""
        own = dict(headers or {})
        if self._token is not None:
            own["authorization"] = f"Bearer {self._token}"
        parts = urlsplit(self.address)
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                parts.netloc, timeout=SECONDS, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=SECONDS)
        try:
            with self.explained("cannot be reached"):
                connection.connect()
            with self.explained(CUT):
                try:
                    connection.request(method, PREFIX + path, body, own)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # it has answered before all was sent, so that it need not be
                answer = connection.getresponse()
                if answer.status >= 300:
                    raise self._refusal(answer, answer.read(MOST), path)
            yield answer
        finally:
            connection.close()

    @contextmanager
    def explained(self, what: str) -> Iterator[None]:
        """Say in a line what is wrong with a connection."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected):
                reason = "it ended before all had come"
            raise SiteFailed(f"{self.address}: {what}: {reason}") from None

    def _refusal(self, answer: http.client.HTTPResponse, data: bytes, path: str) -> ArenaError:
        """Return what an answer says that is none of what was asked for."""
        status = answer.status
        if status < 400:
            where = answer.getheader("location", "elsewhere")
            return SiteRefused(status, f"{self.address}: leads to {where}; name that address")
        try:
            said = str(json.loads(data)["error"])
        except (ValueError, KeyError, TypeError):
            if status < 500:
                return self._differs() if path else self._no_site()
            return SiteFailed(f"{self.address}: answered with status {status}; try again later")
        if status >= 500:
            return SiteFailed(f"{self.address}: {said}")
        if status == 401 and self._token is not None:
            said = f"does not know your token (any more); log in again: arena login {self.address}"
        elif status == 405 or said == NO_OPERATION:
            return self._differs()
        return SiteRefused(status, f"{self.address}: {said}")

    def _no_site(self) -> ArenaError:
        return SiteFailed(f"{self.address}: is no site of the arena, or a proxy hides it")

    def _differs(self) -> ArenaError:
        """Return why a site answers something else than this arena expects."""
        try:
            with self.answered("GET", "") as answer:
                version = msgspec.json.decode(answer.read(MOST), type=About).version
        except (msgspec.DecodeError, RecursionError, ArenaError):
            return self._no_site()
        there, here = _numbers(version), _numbers(VERSION)
        says = f"{self.address}: has arena {version}"
        if there < here:
            return SiteFailed(f"{says}, which is older than this one ({VERSION}) and lacks this")
        if there > here:
            return SiteFailed(f"{says}, which is newer than this one ({VERSION}); update yours")
        return SiteFailed(f"{says} as this is, but answers something else than that does")


class _Counted:
    """A file that tells how far it was sent."""

    def __init__(self, file: IO[bytes], size: int, progress: Callable[[int, int], object]) -> None:
        self._file = file
        self._size = size
        self._sent = 0
        self._progress = progress

    def read(self, size: int = CHUNK) -> bytes:
        """Return the next part."""
        data = self._file.read(min(size, CHUNK) if size > 0 else CHUNK)
        self._sent += len(data)
        self._progress(self._sent, self._size)
        return data


def site_address(text: str) -> str:
    """Return the address of a site as it is kept; raise `ArenaError` for no address."""
    if "://" not in text:
        host = text.split("/", maxsplit=1)[0].split(":", maxsplit=1)[0]
        local = host in ("localhost", "127.0.0.1")
        text = f"{'http' if local else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.username is not None:
        raise ArenaError(
            f"expected the address of a site, such as https://arena.example.org, got {text!r}"
        )
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ArenaError(f"{text}: expected https, as a token is sent there")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version as numbers that can be compared, as far as it has such."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()
