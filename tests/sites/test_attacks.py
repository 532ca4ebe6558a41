"""A site attacked from outside: other sites, slow and large requests, guesses, scripts, logs."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from .served import BOT, LADDER, MANIFEST, Served, Visitor, token_of
from .test_handing_in import bot, decided, zipped

pytestmark = pytest.mark.source_only
MIB = 1 << 20
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    return host


@pytest.fixture(scope="module")
def author(site: Served, host: Visitor) -> Visitor:
    """Somebody who can hand in."""
    return site.invited(host, "ada")


def memory(site: Served) -> int:
    """The bytes of memory that the server has, at the most so far."""
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) * 1024


def connected(site: Served) -> socket.socket:
    """A connection on which anything can be sent."""
    port = urlsplit(site.address).port
    assert port is not None
    return socket.create_connection(("127.0.0.1", port), timeout=300)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {},
    ],
    ids=str,
)
def test_other_sites_send_no_forms(
    headers: dict[str, str], site: Served, author: Visitor, host: Visitor
) -> None:
    """A form on another site that is sent with somebody's cookies changes nothing."""
    own = {"Content-Type": "application/x-www-form-urlencoded", **headers}
    for visitor, path in ((author, "/account/link"), (host, "/people/invitations")):
        reply = visitor.send("POST", path, b"role=host", own)
        assert reply.status == 403
        assert "another site" in reply.text
    link = host.post("/people/invitations", role="author", note="").secret
    assert site.visitor().send("POST", link, b"name=csrf", own).status == 403  # login included
    assert "data-next" in site.visitor().get("/sign-in").text


def test_the_interface_looks_at_no_cookie(author: Visitor) -> None:
    """What another site sends with somebody's cookies to the programs' interface is nobody's."""
    assert author.send("GET", "/api/v1/me").status == 401
    assert author.send("GET", "/api/v1/submissions").status == 401
    assert author.send("POST", "/api/v1/ladders/friday/submissions", bot()).status == 401


def test_names_that_lead_here_from_elsewhere_are_turned_away(site: Served) -> None:
    """A name of an attacker's that leads to this machine does not make the site his origin."""
    for name in ("evil.example", "localhost", "localhost:1", ""):
        reply = site.visitor().send("GET", "/", headers={"Host": name})
        assert reply.status == 421


def test_every_answer_has_the_headers(site: Served, author: Visitor) -> None:
    """No page, no file and no refusal can be framed, sniffed, cached or given scripts."""
    paths = ("/", "/account", "/nowhere", "/assets/site.css", "/api/v1", "/api/v1/me", "/enter/x")
    replies = [author.get(path) for path in paths]
    replies += [author.send("GET", "/", headers={"Host": "x"}), author.send("POST", "/join")]
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"
        assert "cache-control" in reply.headers
    assert author.get("/account").headers["cache-control"] == "no-store"


def test_scripts_in_texts_of_others_are_texts(site: Served, host: Visitor) -> None:
    """Names, versions, stderr, builds, notes, labels and browsers' names are shown, not run."""
    author = site.invited(host, "scripted")
    author.post("/account/tokens", label=SCRIPT, scope=["read"])
    link = author.post("/account/link").secret
    other = site.visitor()
    other.send("POST", link, b"", {"Origin": site.address, "User-Agent": SCRIPT})
    host.post("/people/invitations", role="author", note=SCRIPT)
    manifest = (
        f'name = "script"\nversion = "{SCRIPT}"\nrun = ["sh", "run.sh", "{SCRIPT}"]\n'
        'build = ["sh", "build.sh"]\n'
    )
    say = f"echo '{SCRIPT}' >&2; printf '\\033[2J\\342\\200\\256'; exit 1\n"
    failing = zipped(bot__toml=manifest, build__sh=say, run__sh=say)
    pages = [decided(author, author.hand_in("friday", failing))]
    failing = zipped(bot__toml=manifest.replace("; exit 1", ""), build__sh="true\n", run__sh=say)
    pages += [decided(author, author.hand_in("friday", failing))]
    pages += [author.get("/account").text, author.get("/submissions").text]
    pages += [host.get(path).text for path in ("/people", "/queue")]
    pages += [author.hand_in(quote(SCRIPT), b"x").text]
    pages += [author.get(f"/login?code={quote(SCRIPT)}").text]
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "\033" not in page
        assert "\u202e" not in page
    assert "⟨U+202E⟩" in pages[0]


def test_addresses_with_tricks_lead_nowhere(site: Served, author: Visitor) -> None:
    """No path reads a file, and no number that is no number makes an error."""
    token = token_of(author)
    for path in (
        "/assets/../server.py", "/assets/%2e%2e%2fserver.py", "/assets/site.css%00",
        "/ladders/..%2f..%2fsite.db", "/ladders/%2e%2e", "/ladders/friday%00/hand-in",
        "/submissions/0", "/submissions/-1", "/submissions/1e9", f"/submissions/{10**30}",
        f"/submissions/{10**30}/events",
        f"/submissions/{2**63}/archive", "/submissions/../site.db", "/enter/" + "x" * 5000,
        "/login/%00", "/%ff%fe", "//evil.example/", "/account/tokens/1/revoke",
    ):  # fmt: skip
        assert author.get(path).status in (303, 400, 404, 405), path
        if path.startswith(("/ladders", "/submissions")):
            assert author.call("GET", path, token).status in (400, 404, 405), path
    assert "internal" not in site.log.lower()
    assert "Traceback" not in site.log


def test_secrets_stand_in_no_log_and_no_database(site: Served, host: Visitor) -> None:
    """Who reads the site's log, or a copy of its database, can act for nobody."""
    link = host.post("/people/invitations", role="author", note="").secret
    author = site.visitor()
    author.get(link)
    author.enter(link, "secretive")
    token = token_of(author)
    author.call("GET", "/me", token)
    started = author.call("POST", "/logins", body={"label": "x"}).json
    author.get(started["link"])
    secrets = [link.rpartition("/")[2], token, author.cookies["session"], started["secret"]]
    kept = site.log.encode()
    for name in ("site.db", "site.db-wal"):
        kept += (site.folder / name).read_bytes()
    for secret in secrets:
        assert secret.encode() not in kept
    assert started["code"] not in site.log


def test_large_requests_are_refused_before_they_are_read(site: Served, author: Visitor) -> None:
    """Half a gigabyte of anything is refused by its first bytes, and takes no memory."""
    before = memory(site)
    size = 512 * MIB
    for path, kind in (
        ("/join", "application/x-www-form-urlencoded"),
        ("/account/passkeys", "application/json"),
        ("/api/v1/logins", "application/json"),
        ("/ladders/friday/hand-in", "multipart/form-data; boundary=x"),
        ("/api/v1/ladders/friday/submissions", "application/zip"),
    ):
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}\r\n"
            f"Origin: {site.address}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n\r\n"
        )
        with connected(site) as connection:
            connection.sendall(head.encode())
            assert b" 413 " in connection.recv(1 << 16).split(b"\r\n")[0]
    assert memory(site) - before < 50 * MIB


def chunks(path: str, site: Served, visitor: Visitor, part: bytes, many: int) -> bytes:
    """What is answered to a body whose length is not said."""
    cookies = "; ".join(f"{key}={value}" for key, value in visitor.cookies.items())
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}\r\nCookie: {cookies}\r\n"
        f"Origin: {site.address}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    with connected(site) as connection:
        connection.sendall(head.encode())
        with suppress(OSError):  # it may have heard enough before
            for _ in range(many):
                connection.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        with suppress(OSError):
            return connection.recv(1 << 16)
    return b""


def test_a_body_without_a_length_is_bounded_too(site: Served, author: Visitor) -> None:
    """A body that says no length is cut off at the limit; no part of it stays on the disk."""
    before = memory(site)
    start = b'--x\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\n'
    found = chunks("/ladders/friday/hand-in", site, author, start + bytes(MIB), 80)
    assert found == b"" or b" 413 " in found.split(b"\r\n")[0]
    found = chunks("/join", site, author, bytes(MIB), 3)
    assert found == b"" or b" 4" in found.split(b"\r\n")[0]
    assert memory(site) - before < 60 * MIB
    assert not list((site.folder / "uploads").glob("*.part"))
    assert author.get("/").status == 200


def test_forms_with_very_many_fields_or_files_are_refused(site: Served, author: Visitor) -> None:
    """A form cannot make the site keep thousands of things."""
    fields = {f"f{number}": "x" for number in range(2000)}
    assert author.post("/account/mail", **fields).status == 400
    edge = "x"
    many = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\nz\r\n'
        for _ in range(50)
    )
    headers = {
        "Origin": site.address,
        "Content-Type": f"multipart/form-data; boundary={edge}",
    }
    reply = author.send("POST", "/ladders/friday/hand-in", many + b"--x--\r\n", headers)
    assert reply.status == 400


def drip(connection: socket.socket, data: Iterator[bytes], every: float, most: float) -> float:
    """Send byte by byte until the other side has closed; return after how many seconds it has."""
    began = time.monotonic()
    connection.setblocking(False)
    while time.monotonic() - began < most:
        try:
            connection.send(next(data))
        except BlockingIOError:
            pass
        except OSError:
            break
        try:
            connection.recv(1 << 16)
            break
        except BlockingIOError:
            pass
        except OSError:
            break
        time.sleep(every)
    return time.monotonic() - began


def takes_nothing(site: Served, path: str = "/assets/site.css") -> socket.socket:
    """A connection that asks for something, again and again, and takes nothing of it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", urlsplit(site.address).port or 0))
    connection.setblocking(False)
    head = f"GET {path} HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}\r\n\r\n"
    with suppress(BlockingIOError):
        connection.send(head.encode() * 2000)
    return connection


def cut_off(connection: socket.socket, most: float) -> bool:
    """Whether the server gives up a connection from which nothing is taken, within seconds."""
    ours, theirs = connection.getsockname()[1], connection.getpeername()[1]
    established = re.compile(rf": [0-9A-F]+:{theirs:04X} [0-9A-F]+:{ours:04X} 01 ")
    deadline = time.monotonic() + most
    while established.search(Path("/proc/net/tcp").read_text()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def test_whoever_sends_byte_by_byte_is_not_waited_for(site: Served, author: Visitor) -> None:
    """Who sends too slowly, or takes nothing, is cut off; others are served meanwhile."""
    head = f"POST /join HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}\r\n"
    kind = "application/x-www-form-urlencoded"
    whole = head + f"Origin: {site.address}\r\nContent-Type: {kind}\r\n"
    whole += "Content-Length: 60000\r\n\r\n"
    with connected(site) as slow_head, connected(site) as slow_body, takes_nothing(site) as idle:
        slow_head.sendall(head.encode())
        slow_body.sendall(whole.encode())
        began = time.monotonic()
        assert author.get("/").status == 200
        assert time.monotonic() - began < 10
        endless = iter(lambda: b"X", b"")
        assert drip(slow_head, endless, 0.5, 300) < 250
        assert drip(slow_body, endless, 0.5, 300) < 250
        assert time.monotonic() - began > 16  # the body was waited for, but not for ever
        assert cut_off(idle, 300)


def test_many_streams_and_connections_leave_the_site_open(site: Served, author: Visitor) -> None:
    """One person has so many streams and no more; idle connections shut nobody out."""
    # A thousand streams of standings: test_spectators.py.
    manifest = MANIFEST.format(name="slow", version="1") + 'build = ["sleep", "200"]\n'
    reply = author.hand_in("friday", zipped(bot__toml=manifest, bot__py=BOT))
    cookies = "; ".join(f"{key}={value}" for key, value in author.cookies.items())
    request = (
        f"GET {reply.where}/events HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}\r\n"
        f"Cookie: {cookies}\r\n\r\n"
    ).encode()
    opened = [connected(site) for _ in range(300)]
    try:
        statuses = []
        for number, each in enumerate(opened):
            if number < 20:
                each.sendall(request)
                statuses.append(each.recv(4096).split(b"\r\n")[0])
        assert sum(b" 200 " in status for status in statuses) == 8
        assert sum(b" 429 " in status for status in statuses) == 12
        assert site.visitor().get("/").status == 200
    finally:
        for each in opened:
            each.close()
        assert author.post(reply.where + "/withdraw").status == 303


def test_one_machine_keeps_no_program_of_others_from_logging_in(site: Served) -> None:
    """Whoever asks for logins that nobody allows gets ten at once; from elsewhere it goes on."""

    def ask(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return site.visitor().send("POST", "/api/v1/logins", b'{"label": "x"}', headers).status

    assert [ask("192.0.2.1") for _ in range(12)] == [201] * 10 + [429] * 2
    assert ask("192.0.2.2") == 201


def settles(wanted: int, ask: Callable[[], int]) -> None:
    """Assert that all answers are the same some time, as the kernel keeps no more for anybody."""
    answers: list[int] = []
    while answers[-10:] != [wanted] * 10:
        assert len(answers) < 300, answers
        answers.append(ask())
        time.sleep(0.1)


def test_logs_that_nobody_reads_are_sent_to_others(tmp_path: Path) -> None:
    """One address has four at a time; who takes nothing holds up nobody else."""
    site = Served(tmp_path / "own")
    try:
        ladder = LADDER.replace("games = 6", "games = 1500")
        assert site.host().post("/new-ladder", name="friday", definition=ladder).status == 303
        path = "/api/v1/ladders/friday/log"
        while len(site.visitor().get(path).body) < 200_000:
            assert not site.process.poll()
            time.sleep(0.2)
        slow = [takes_nothing(site, path) for _ in range(3)]
        settles(200, lambda: site.visitor().get(path).status)
        slow.append(takes_nothing(site, path))
        settles(429, lambda: site.visitor().get(path).status)
        elsewhere = site.visitor().send("GET", path, b"", {"X-Forwarded-For": "192.0.2.9"})
        assert elsewhere.status == 200
        for each in slow:
            each.close()
    finally:
        site.remove()


@pytest.mark.parametrize("way", ["the interface", "the form"])
def test_one_author_hands_in_one_at_a_time(way: str, site: Served, author: Visitor) -> None:
    """Somebody who sends many archives at once fills no disk, and gets a line for it."""
    token = token_of(author)
    host = f"Host: {urlsplit(site.address).netloc}\r\nContent-Length: 100000\r\n"
    cookies = "; ".join(f"{key}={value}" for key, value in author.cookies.items())
    heads = {
        "the interface": "POST /api/v1/ladders/friday/submissions HTTP/1.1\r\n"
        f"{host}Authorization: Bearer {token}\r\n\r\nPK",
        "the form": "POST /ladders/friday/hand-in HTTP/1.1\r\n"
        f"{host}Origin: {site.address}\r\nCookie: {cookies}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n",
    }
    with connected(site) as first:
        first.sendall(heads[way].encode())
        deadline = time.monotonic() + 300
        while not list((site.folder / "uploads").glob("*.part")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        reply = author.call("POST", "/ladders/friday/submissions", token, bot("second"))
        assert reply.status == 429
        assert "you are handing in already" in reply.json["error"]
        assert author.hand_in("friday", bot("second")).status == 429
    deadline = time.monotonic() + 300
    while list((site.folder / "uploads").glob("*.part")):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_upload_that_breaks_off_is_no_failure_of_the_site(site: Served, author: Visitor) -> None:
    """Nobody fills the host's log with errors by hanging up; nothing is kept, and all goes on."""
    token, data = token_of(author), bot("half")
    head = (
        f"POST /api/v1/ladders/friday/submissions HTTP/1.1\r\nHost: {urlsplit(site.address).netloc}"
        f"\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    before = author.call("GET", "/submissions", token).json
    with connected(site) as connection:
        connection.sendall(head.encode() + data[: len(data) // 2])
    deadline = time.monotonic() + 300
    while (line := "POST /api/v1/ladders/friday/submissions 400") not in site.log:
        assert time.monotonic() < deadline, f"expected {line}: {site.log[-2000:]}"
        time.sleep(0.1)
    assert "Traceback" not in site.log
    assert author.call("GET", "/submissions", token).json == before
    assert not list((site.folder / "uploads").glob("*.part"))
