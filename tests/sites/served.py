"""A site that is really served: its own process on the loopback, and people who visit it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlencode, urlsplit

from arena.site.play.left_runs import STARTED_FOR

T = TypeVar("T")
LADDER: Final = """\
game = "gargon"
tables = [3]
contestants = ["random", "gargon-hand", "gargon-backs"]

[budget]
games = 6
"""
BOT: Final = """\
from random import choice
from arena_sdk import run

run(lambda question: choice(question.actions), name="{name}")
"""
MANIFEST: Final = """\
name = "{name}"
version = "{version}"
language = "python"
games = ["gargon"]
run = ["python3", "bot.py"]
"""


@dataclass(frozen=True)
class Reply:
    """What a site has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def where(self) -> str:
        """Where it leads."""
        return self.headers.get("location", "")

    @property
    def secret(self) -> str:
        """The link or token that is shown once."""
        found = re.search(r'class="secret">([^<]+)<', self.text)
        assert found is not None, self.text
        return found[1]


class Visitor:
    """Somebody with a browser, which keeps cookies and sends forms as browsers do."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies: dict[str, str] = {}

    def send(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request; follow nothing."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(parts.netloc, timeout=300)
        own = dict(headers or {})
        if self.cookies:
            own["Cookie"] = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        connection.request(method, path.removeprefix(self.address), body or None, own)
        answer = connection.getresponse()
        reply = Reply(
            answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        )
        connection.close()
        if cookie := reply.headers.get("set-cookie"):
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value.strip('"')
            if not self.cookies[name]:
                del self.cookies[name]
        return reply

    def stream(self, path: str, until: str) -> str:
        """Read a stream until a line has this text."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=300)
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        connection.request("GET", path, headers={"Cookie": cookies})
        answer = connection.getresponse()
        assert answer.getheader("content-type", "").startswith("text/event-stream")
        lines = []
        for line in answer:
            lines.append(line.decode())
            if until in lines[-1]:
                break
        connection.close()
        return "".join(lines)

    def get(self, path: str) -> Reply:
        """Open a page."""
        return self.send("GET", path)

    def post(self, path: str, /, **form: object) -> Reply:
        """Send a form from a page of the site."""
        headers = {
            "Origin": self.address,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.send("POST", path, urlencode(form, doseq=True).encode(), headers)

    def enter(self, link: str, name: str = "") -> Reply:
        """Use a one-time link."""
        return self.post(link, name=name)

    def hand_in(self, ladder: str, archive: bytes) -> Reply:
        """Hand in an archive by the form."""
        edge = "edge-of-the-form"
        head = (
            f"--{edge}\r\nContent-Disposition: form-data; "
            'name="archive"; filename="bot.zip"\r\nContent-Type: application/zip\r\n\r\n'
        )
        body = head.encode() + archive + f"\r\n--{edge}--\r\n".encode()
        headers = {
            "Origin": self.address,
            "Content-Type": f"multipart/form-data; boundary={edge}",
        }
        return self.send("POST", f"/ladders/{ladder}/hand-in", body, headers)

    def call(self, method: str, path: str, token: str | None = None, body: object = None) -> Reply:
        """Call the programs' interface."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        data = body if isinstance(body, bytes) else b""
        if body is not None and not isinstance(body, bytes):
            data = json.dumps(body).encode()
        return self.send(method, f"/api/v1{path}", data, headers)


class Served:
    """A site in a process of its own."""

    def __init__(self, folder: Path, *words: str, env: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.errors = folder.with_name(f"{folder.name}.log")
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "arena", "serve", str(folder), "--port", "0", *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **(env or {})},
            )
        self.link = ""
        self.address = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "/enter/" in line:
                self.link = line.strip()
            if " is at http" in line:
                self.address = line.split()[-1]
                break
        assert self.address, self.errors.read_text()

    def visitor(self) -> Visitor:
        """Return somebody who is not signed in."""
        return Visitor(self.address)

    def host(self) -> Visitor:
        """Return the host, who uses the link that the first start has printed."""
        host = self.visitor()
        assert host.enter(self.link, "hosty").status == 303
        return host

    def invited(self, host: Visitor, name: str, role: str = "author") -> Visitor:
        """Return somebody who has joined by an invitation."""
        link = host.post("/people/invitations", role=role, note=name).secret
        somebody = self.visitor()
        assert somebody.enter(link, name).status == 303
        return somebody

    @property
    def log(self) -> str:
        """What it has written to stderr."""
        return self.errors.read_text("utf-8", "replace")

    def stop(self) -> int:
        """End it as a service manager does; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._left()

    def kill(self) -> None:
        """Kill it, and nothing else: its runs go on."""
        self.process.kill()
        self._left()

    def remove(self) -> None:
        """Kill it, if it still runs, and all its runs, as a power cut would."""
        if self.process.poll() is None:
            self.kill()
        for run in {*self.runs(), *self._starting()}:
            with suppress(ProcessLookupError):
                os.kill(run, signal.SIGKILL)

    def runs(self) -> list[int]:
        """Return the runs of its ladders, which outlive a server that is killed."""
        found = []
        for lock in (self.folder / "ladders").glob("*.lock"):
            with suppress(OSError, ValueError):
                run = int(lock.read_text())
                if str(self.folder) in command_line(run):  # else it has ended, and left its lock
                    found.append(run)
        return found

    def _starting(self) -> list[int]:
        """Return the runs that a server has started, also those that have locked nothing yet."""
        found = []
        for each in Path("/proc").iterdir():
            if each.name.isdigit() and "arena ladder run" in command_line(int(each.name)):
                with suppress(OSError):
                    environment = (each / "environ").read_bytes().split(b"\0")
                    mark = f"{STARTED_FOR}={self.folder.absolute()}/".encode()
                    if any(word.startswith(mark) for word in environment):
                        found.append(int(each.name))
        return found

    def _left(self) -> int:
        code = self.process.wait(300)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def command_line(process: int) -> str:
    """Return the words with which a process was started; none if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def token_of(somebody: Visitor, *scopes: str) -> str:
    """Return a new token of somebody's."""
    return somebody.post("/account/tokens", label="test", scope=scopes or ("read", "submit")).secret


def write_bot(folder: Path, name: str = "mine", version: str = "1", program: str = BOT) -> Path:
    """Write a bot's folder."""
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version))
    (folder / "bot.py").write_text(program.replace("{name}", name))
    return folder


def awaited(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run this to its end, in a thread, as a browser of another test may have the loop of this."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()
