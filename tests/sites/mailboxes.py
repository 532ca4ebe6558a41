"""A server that takes mail, by STARTTLS if it has a certificate; it says what is needed."""

from __future__ import annotations

import email
import email.policy
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Final

WAIT: Final = 60


class Mailbox:
    """A server for mail, on the loopback; letters wait in the order in which they came."""

    def __init__(self, certificate: Path | None = None, key: Path | None = None) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.goes_on = Event()
        """While it is not set, whoever has come is not answered."""
        self.goes_on.set()
        self.came = Event()
        """Whether anybody has come."""
        self.clear_text = b""
        """What was said without encryption."""
        self._letters: Queue[tuple[str, str]] = Queue()
        self._tls: ssl.SSLContext | None = None
        if certificate is not None:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate, key)
        Thread(target=self._serve, daemon=True).start()

    @property
    def settings(self) -> str:
        """What a site's settings have about it."""
        tls = "" if self._tls else "tls = false\n"
        return (
            f'[mail]\nserver = "{"localhost" if self._tls else "127.0.0.1"}"\n'
            f'port = {self.port}\n{tls}from = "arena@example.org"\n'
        )

    def letter(self) -> tuple[str, str]:
        """Return to whom the next letter is, and its text, once it has come."""
        return self._letters.get(timeout=WAIT)

    @property
    def is_empty(self) -> bool:
        """Whether no letter waits."""
        return self._letters.empty()

    def close(self) -> None:
        """Take no mail any more."""
        with suppress(OSError):  # it was closed already
            self.listener.shutdown(socket.SHUT_RDWR)  # or the thread in it would take one more
        self.listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            Thread(target=self._take, args=[connection], daemon=True).start()

    def _take(self, connection: socket.socket) -> None:
        self.came.set()
        self.goes_on.wait(WAIT)
        with suppress(OSError):
            connection.sendall(b"220 here\r\n")
            self._talk(connection, is_clear=True)
        connection.close()

    def _talk(self, connection: socket.socket, *, is_clear: bool) -> None:
        # Bytes are read one by one, as what follows STARTTLS is no longer for this reader.
        file = connection.makefile("rb", buffering=0)
        while line := file.readline():
            if is_clear:
                self.clear_text += line
            word = line.strip().upper()
            if word == b"STARTTLS" and self._tls is not None:
                connection.sendall(b"220 go on\r\n")
                with self._tls.wrap_socket(connection, server_side=True) as wrapped:
                    self._talk(wrapped, is_clear=False)
                return
            if word.startswith(b"EHLO") and self._tls is not None and is_clear:
                connection.sendall(b"250-here\r\n250 STARTTLS\r\n")
            elif word == b"DATA":
                connection.sendall(b"354 go on\r\n")
                lines = iter(file.readline, b".\r\n")
                self._keep(b"".join(lines))
                connection.sendall(b"250 good\r\n")
            elif word == b"QUIT":
                connection.sendall(b"221 bye\r\n")
                return
            else:
                connection.sendall(b"250 good\r\n")

    def _keep(self, data: bytes) -> None:
        message = email.message_from_bytes(data, policy=email.policy.default)
        body = message.get_body()
        assert body is not None
        self._letters.put((str(message["To"]), str(body.get_content())))
