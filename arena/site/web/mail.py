"""Mail: links for people who have given an address, sent beside the answers to requests."""

from __future__ import annotations

import logging
import smtplib
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import Final, TypeAlias

from arena.errors import HostError
from arena.site.database.accounts import Accounts
from arena.site.database.mail_addresses import MailAddresses
from arena.site.rules.people import MAIL_LINK_LASTS, SIGN_IN_LINK_LASTS, Person
from arena.site.settings import MailServer

SECONDS: Final = 20
"""In this time a server for mail has to answer."""
EVERY: Final = 60
"""Seconds between two links to the same address, or for the same person."""
MOST_WAITING: Final = 1000
TO_END: Final = 3.0
"""Seconds that a mail which is being sent has when the site ends."""
log = logging.getLogger("arena.site")


class MailFailed(HostError):
    """Mail that could not be sent."""


@dataclass(frozen=True)
class Letter:
    """What is sent to somebody."""

    to: str
    subject: str
    text: str


Writing: TypeAlias = Callable[[], Letter | None]
"""Writes a letter when its turn has come; None if nobody is to get one."""


class Mailer:
    """Sends mail by the server that the host has named."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    def send(self, letter: Letter) -> None:
        """Send a letter; raise `MailFailed`."""
        message = EmailMessage()
        message["From"] = self._server.sender
        message["To"] = letter.to
        message["Subject"] = letter.subject
        message["Message-ID"] = make_msgid(domain="arena.invalid")
        message.set_content(letter.text)
        try:
            self._send(message)
        except (OSError, smtplib.SMTPException) as error:
            raise MailFailed(f"mail could not be sent: {' '.join(str(error).split())}") from None

    def _send(self, message: EmailMessage) -> None:
        own = self._server
        with smtplib.SMTP(own.server, own.port, timeout=SECONDS) as smtp:
            if own.tls:
                smtp.starttls(context=ssl.create_default_context())
            if own.user:
                password = Path(own.password_file).read_text("utf-8").rstrip("\n")
                smtp.login(own.user, password)
            smtp.send_message(message)


class Postman:
    """Writes and sends letters in a thread of its own.

    Whoever asks for one is answered before anybody has looked whose the address is. So neither the
    answer nor its time tells who has an account.
    """

    def __init__(
        self, mailer: Mailer, accounts: Accounts, addresses: MailAddresses, title: str, site: str
    ) -> None:
        self._mailer = mailer
        self._accounts = accounts
        self._addresses = addresses
        self._title = title
        self._site = site
        self._sent: dict[str | int, float] = {}
        """When something was last sent to an address, or for a person."""
        self._waiting: Queue[Writing | None] = Queue(MOST_WAITING)
        self._thread = Thread(target=self._work, name="mail", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; letters that still wait are not sent, and who wanted them asks again."""
        while not self._waiting.empty():
            self._waiting.get()
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(TO_END)

    def sign_in(self, address: str) -> None:
        """Send a link that signs in, if somebody has this address."""

        def write() -> Letter | None:
            person = self._addresses.owner(address)
            if person is None or not self._may_send(address):
                return None
            return Letter(
                address,
                f"Sign in to {self._title}",
                f"Open this link to sign in to {self._title}. It can be used once, and lasts "
                f"{SIGN_IN_LINK_LASTS // 60} minutes:\n\n"
                f"{self._site}/enter/{self._accounts.sign_in_link(person)}\n\n"
                "If you did not ask for it, do nothing.\n",
            )

        self._take(write)

    def confirm(self, person: Person, address: str) -> None:
        """Send a link by which somebody shows that an address is his."""

        def write() -> Letter | None:
            if not self._may_send(address, person.number):
                return None
            return Letter(
                address,
                f"Your address at {self._title}",
                f"{person.name} wants links for signing in to {self._title} to be sent to this "
                "address. If that is you, open this link where you are signed in. It lasts "
                f"{MAIL_LINK_LASTS // 60} minutes:\n\n"
                f"{self._site}/account/mail/{self._addresses.link(person, address)}\n\n"
                "If it is not you, do nothing.\n",
            )

        self._take(write)

    def _take(self, write: Writing) -> None:
        try:
            self._waiting.put_nowait(write)
        except Full:
            log.warning("more than %d letters wait; one was not written", MOST_WAITING)

    def _may_send(self, *whom: str | int) -> bool:
        now = time.monotonic()
        self._sent = {who: when for who, when in self._sent.items() if now - when < EVERY}
        if any(who in self._sent for who in whom):
            return False
        self._sent.update(dict.fromkeys(whom, now))
        return True

    def _work(self) -> None:
        while (write := self._waiting.get()) is not None:
            try:
                if letter := write():
                    self._mailer.send(letter)
            except HostError as error:
                log.error("%s", error)
