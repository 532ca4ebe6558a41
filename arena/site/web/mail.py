"""Mail: one-time links for people who have given an address."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from typing import Final

from arena.errors import HostError
from arena.site.settings import MailServer

SECONDS: Final = 20


class MailFailed(HostError):
    """Mail that could not be sent."""


class Mailer:
    """Sends mail by the server that the host has named."""

    def __init__(self, server: MailServer, title: str) -> None:
        self._server = server
        self._title = title

    def send_link(self, address: str, link: str, minutes: int) -> None:
        """Send a link that signs in; raise `MailFailed`."""
        message = EmailMessage()
        message["From"] = self._server.sender
        message["To"] = address
        message["Subject"] = f"Sign in to {self._title}"
        message["Message-ID"] = make_msgid(domain="arena.invalid")
        message.set_content(
            f"Open this link to sign in to {self._title}. It can be used once, and lasts "
            f"{minutes} minutes:\n\n{link}\n\nIf you did not ask for it, do nothing.\n"
        )
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
