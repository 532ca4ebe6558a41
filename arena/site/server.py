"""Serve a site: put its parts together, listen, and end in good order."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import Any, Final, Protocol

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.discovery import Plugins
from arena.errors import ArenaError
from arena.machine.calls import keep_one_heap
from arena.machine.open_files import allow_open_files
from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.host_wishes import KeptWishes
from arena.site.database.mail_addresses import MailAddresses
from arena.site.database.matches import Matches
from arena.site.database.passkeys import Passkeys
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.intake.admission import Admission
from arena.site.intake.examiner import Examiner
from arena.site.intake.reception import Reception
from arena.site.matches.booking import Booking
from arena.site.matches.organiser import Organiser
from arena.site.play.door import Door
from arena.site.play.host_wishes import HostWishes
from arena.site.play.known_bots import KnownBots
from arena.site.play.ladders import Ladders
from arena.site.play.press import Press
from arena.site.play.programme import Programmes
from arena.site.play.status import StatusDesk
from arena.site.play.supervisor import Supervisor
from arena.site.queue.queue import Queue
from arena.site.rules.places import Places
from arena.site.settings import Settings, read_settings
from arena.site.starters import Starters
from arena.site.web.app import application
from arena.site.web.boards import Boards
from arena.site.web.finished_games import FinishedGames
from arena.site.web.live_standings import LiveStandings
from arena.site.web.live_submissions import LiveSubmissions
from arena.site.web.mail import Mailer, Postman
from arena.site.web.site import Site

HEADER_SECONDS: Final = 15.0
"""In this time the head of a request has to come."""
BESIDE: Final = 1000
"""Connections besides those with the streams of spectators."""
TO_REFUSE: Final = 64
"""Connections beyond these, which are told that there are too many; more are not even told."""
OWN_FILES: Final = 200
"""Files that the site has open besides its connections."""
READ_SECONDS: Final = 30.0
"""In this time whoever is sent something has to take some of it."""
UNREAD: Final = 16 << 10
"""Bytes that are kept for somebody who does not take them yet, besides what is being sent."""
BACKLOG: Final = 1024
"""Connections that wait to be accepted."""
SHUT_DOWN: Final = 3
"""Seconds that requests have to end when the server does."""

FOLLOWING: Final = 400
FOLLOWING_EACH: Final = 8
"""Streams of submissions that are open, for all and for one person."""
DOWNLOADING: Final = 40
DOWNLOADING_EACH: Final = 4
"""Logs that are sent, to all and to one address."""
log = logging.getLogger("arena.site")


class _Part(Protocol):
    """A part of a site that works beside the requests."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


class CannotListen(ArenaError):
    """An address on which the site cannot listen."""


class PatientProtocol(H11Protocol):
    """HTTP, but whoever sends the head of a request byte by byte is not waited for.

    Neither is who does not take what he is sent.
    """

    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=UNREAD)
        self._head = self.loop.call_later(HEADER_SECONDS, self._too_slow)
        assert self.limit_concurrency is not None
        if len(self.connections) > self.limit_concurrency + TO_REFUSE:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._head.cancel()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._head.cancel()
        if not self.transport.is_closing():
            self._head = self.loop.call_later(HEADER_SECONDS, self._too_slow)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.cancel()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def _too_slow(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


class _Signals:
    """Tell whether somebody wants the site to end; to say it once more is urgent."""

    def __init__(self) -> None:
        self.end = False
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, self._take)

    def _take(self, _: int, __: FrameType | None) -> None:
        if self.end:
            raise KeyboardInterrupt
        self.end = True


class Server(uvicorn.Server):
    """A server that ends its streams when it ends, as they would not end by themselves."""

    def __init__(self, config: uvicorn.Config, site: Site, signals: _Signals) -> None:
        super().__init__(config)
        self._site = site
        self._signals = signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # From here on it takes signals itself; one may have come before.
        self.should_exit = self.should_exit or self._signals.end
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._site.live_standings.end()
        self._site.live_submissions.end()
        await super().shutdown(sockets)


def host_link(folder: SiteFolder, port: int) -> str:
    """Return a one-time link for the host; the site may be served meanwhile."""
    settings = read_settings(folder.settings).reached_at("localhost", port)
    database = Database(folder.database)
    try:
        secret = Accounts(database, _clock).host_link()
    finally:
        database.close()
    return f"{settings.address}/enter/{secret}"


def serve(
    folder: SiteFolder, host: str, port: int, plugins: Plugins, tell: Callable[[str], object]
) -> None:
    """Serve a site until it is told to end; raise `ArenaError` if it cannot be."""
    signals = _Signals()
    keep_one_heap()  # it runs for months, with forty threads
    folder.make()
    with folder.locked(), _listening(host, port) as listener:
        port = listener.getsockname()[1]
        settings = read_settings(folder.settings).reached_at(host, port)
        settings, connections = _with_room(settings)
        database = Database(folder.database)
        try:
            site = _site(folder, settings, database, plugins)
            if not site.accounts.has_host():
                secret = site.accounts.host_link()
                tell("Open this link to become the host; it can be used once, within a week:")
                tell(f"{settings.address}/enter/{secret}")
            tell(f"{settings.title} is at {settings.address}")
            parts: list[_Part] = [site.supervisor, site.door, site.press, site.queue]
            if site.postman is not None:
                parts.append(site.postman)
            try:
                for part in parts:
                    part.start()
                _run(site, listener, connections, signals)
            finally:
                for part in reversed(parts):
                    part.stop()
        finally:
            database.close()


def _site(folder: SiteFolder, settings: Settings, database: Database, plugins: Plugins) -> Site:
    accounts, submissions = Accounts(database, _clock), Submissions(database, _clock)
    limits, spectators = settings.limits, settings.spectators
    matches = Matches(database, _clock, limits)
    addresses, postman = MailAddresses(database, _clock), None
    if settings.mail is not None:
        mailer = Mailer(settings.mail)
        postman = Postman(mailer, accounts, addresses, settings.title, settings.address)
    folder.sweep(submissions.numbers(), matches.numbers())
    ladders = Ladders(folder, plugins)
    supervisor = Supervisor(folder, ladders, plays=settings.play)
    host_wishes = HostWishes(folder, KeptWishes(database, _clock), ladders)
    door = Door(folder, submissions, ladders, host_wishes)
    admission = Admission(submissions, ladders, limits)
    examiner = Examiner(folder, submissions, ladders, admission, limits, door.look)
    organiser = Organiser(folder, matches, ladders, limits)
    known_bots = KnownBots(submissions, ladders)
    boards = Boards(ladders, known_bots)
    return Site(
        folder=folder,
        settings=settings,
        clock=_clock,
        accounts=accounts,
        passkeys=Passkeys(database, _clock),
        mail_addresses=addresses,
        submissions=submissions,
        ladders=ladders,
        known_bots=known_bots,
        reception=Reception(folder, submissions, ladders, limits),
        admission=admission,
        examiner=examiner,
        matches=matches,
        booking=Booking(folder, submissions, matches, ladders, limits),
        starters=Starters(folder),
        organiser=organiser,
        queue=Queue((examiner, organiser)),
        door=door,
        host_wishes=host_wishes,
        press=Press(folder, ladders, settings.address),
        supervisor=supervisor,
        status=StatusDesk(plugins, submissions, supervisor),
        postman=postman,
        boards=boards,
        finished_games=FinishedGames(ladders, Programmes(ladders)),
        live_standings=LiveStandings(ladders, boards),
        live_submissions=LiveSubmissions(folder, submissions, accounts),
        watching=Places(spectators.streams, spectators.streams_of_one_address),
        following=Places(FOLLOWING, FOLLOWING_EACH),
        downloading=Places(DOWNLOADING, DOWNLOADING_EACH, "logs are downloaded"),
    )


def _with_room(settings: Settings) -> tuple[Settings, int]:
    """Return the settings, with fewer streams if the host does not allow so many open files.

    Also return how many connections there may be.
    """
    wanted = settings.spectators
    files = allow_open_files(wanted.streams + BESIDE + TO_REFUSE + OWN_FILES)
    room = max(files - OWN_FILES - TO_REFUSE, 2)
    streams = min(wanted.streams, max(room - BESIDE, room // 2))
    if streams < wanted.streams:
        log.warning(
            "this host allows %d open files, so %d streams of standings can be open and not %d; "
            "raise the limit, such as by LimitNOFILE= in the unit",
            files, streams, wanted.streams,
        )  # fmt: skip
        settings = replace(settings, spectators=replace(wanted, streams=streams))
    return settings, min(room, streams + BESIDE)


def _run(site: Site, listener: socket.socket, connections: int, signals: _Signals) -> None:
    options: dict[str, Any] = {
        "http": PatientProtocol,
        "ws": "none",
        "lifespan": "off",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "log_config": None,
        "limit_concurrency": connections,
        "timeout_keep_alive": 20,
        "timeout_graceful_shutdown": SHUT_DOWN,
    }
    config = uvicorn.Config(application(site), **options)
    with suppress(KeyboardInterrupt):  # what follows is ended in good order, too
        Server(config, site, signals).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, connections send at once; otherwise the end of an answer waits 40 ms
    # for the acknowledgement of its beginning.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)  # from here on nobody who comes is turned away
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotListen(f"{host}, port {port}: cannot listen there: {reason}") from None
    return listener


def _clock() -> int:
    return int(time.time())


logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
