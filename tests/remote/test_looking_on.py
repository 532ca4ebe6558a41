"""Looking at a site from the command line: standings, games, logs, and one's submissions."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena.ladder.log_file import NO_CHECK, START, checked_line
from arena.site.play.ladders import LogState
from arena.site.rules.places import Places
from arena.site.web.log_api import LogResponse
from arena.version import VERSION
from command import Outcome, arena, assert_refused
from languages.toolchains import need
from records.test_ledger import CONTEST
from sites.conftest import site
from sites.served import LADDER, Served, Visitor, awaited, token_of
from sites.test_handing_in import SECONDS, bot, decided
from sites.test_keeping_order import begun

__all__ = ["site"]

pytestmark = pytest.mark.source_only
FAILING = 'import sys\nprint("look at me", file=sys.stderr)\nraise SystemExit(3)\n'


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ARENA_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host of a site with two ladders: one that is closed, one that hides its games."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    token = token_of(host, "host")
    host.post("/new-ladder", name="friday", definition=LADDER.replace("games = 6", "games = 24"))
    hidden = 'publish = "after-close"\n' + LADDER
    host.post("/new-ladder", name="hidden", definition=hidden)
    begun(site, "hidden")
    log = begun(site)
    deadline = time.monotonic() + SECONDS
    while log.read_text().count('"entry":"block"') < 8:
        assert time.monotonic() < deadline, site.log[-2000:]
        time.sleep(0.2)
    assert host.call("POST", "/ladders/friday/wishes", token, {"wish": "close"}).status == 202
    while '"entry":"close"' not in log.read_text():
        assert time.monotonic() < deadline, site.log[-2000:]
        time.sleep(0.2)
    time.sleep(1.5)  # what is shown to many may be a second old
    return host


def store(site: Served) -> str:
    """The store of the closed ladder."""
    return str(site.folder / "ladders" / "friday.ladder")


def remote(site: Served, *words: str) -> Outcome:
    """Look at the site, without having logged in."""
    return arena("remote", *words, "--site", site.address)


def test_everybody_sees_what_the_hosts_commands_show(site: Served, host: Visitor) -> None:
    """Standings and games are the same as the host's, in text and in JSON; no login is needed."""
    shown, own = remote(site, "standings", "friday"), arena("ladder", "show", store(site))
    assert shown.code == 0, shown.err
    assert shown.out == own.out
    shown, own = (
        remote(site, "standings", "friday", "--json"),
        arena("ladder", "show", store(site), "--json"),
    )
    assert shown.json == own.json
    listed = remote(site, "ladders", "--json").json
    assert [each["name"] for each in listed] == ["friday", "hidden"]
    for words in ((), ("--bot", "random"), ("--bot", "random", "--place", "1"), ("--faults",)):
        found = remote(site, "games", "friday", *words, "--json")
        assert found.code == 0, found.err
        games = arena("ladder", "games", store(site), *words, "--json").json
        for each in games:
            each["slowest_ms"] = None  # times lie beside the log, on the host
        assert found.json == games[::-1], words
    assert len(remote(site, "games", "friday", "--limit", "3", "--json").json) == 3
    assert "gargon-hand" in remote(site, "games", "friday").out


def test_a_log_comes_whole_and_is_verified(site: Served, host: Visitor, tmp_path: Path) -> None:
    """The file is what the host would export, byte for byte, and nothing is overwritten."""
    own = arena("ladder", "export", store(site), "--output", str(tmp_path / "own.jsonl"))
    assert own.code == 0, own.err
    done = remote(site, "log", "friday", "--verify")
    assert done.code == 0, done.err + done.out
    assert "nothing fails" in done.out
    log = tmp_path / "friday.jsonl"
    assert log.read_bytes() == (tmp_path / "own.jsonl").read_bytes()
    assert_refused(remote(site, "log", "friday"), "friday.jsonl: is there already", "--output")
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    part = tmp_path / "again.jsonl.part"
    part.write_bytes(b"".join(lines[:5]) + lines[5][:20])  # as a command left it that was killed
    done = remote(site, "log", "friday", "--output", "again.jsonl", "--json")
    assert done.code == 0, done.err
    assert done.json["entries"] == len(lines)
    assert "5 of them had come before" in done.err
    assert (tmp_path / "again.jsonl").read_bytes() == whole
    assert not part.exists()
    for other, words in (
        (b'{"another":"log"}\n', "does not fit the head"),
        (b"x\n" * (len(lines) + 1), f"after: the log has {len(lines)} entries"),
    ):
        part.write_bytes(other)
        (tmp_path / "again.jsonl").unlink(missing_ok=True)
        assert_refused(remote(site, "log", "friday", "--output", "again.jsonl"), words)
        assert not (tmp_path / "again.jsonl").exists()


def test_a_log_that_grows_is_sent_as_it_was(tmp_path: Path) -> None:
    """What comes while it is read is left out, so that it is as long as was said."""
    lines = [checked_line(NO_CHECK, b"entry %d" % number)[1] for number in range(6)]
    (tmp_path / "log").write_bytes(b"".join(lines))
    state = LogState(
        contestants=(),
        shows_games=True,
        games=0,
        entries=4,
        root="",
        end=sum(map(len, lines[:4])),
        paused=False,
        closed=False,
        commitment="",
        contest=CONTEST,
        annulled=frozenset(),
    )
    sent = b""

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal sent
        sent += message.get("body", b"")

    async def receive() -> MutableMapping[str, Any]:
        return {}

    places = Places(1, 1)
    response = LogResponse("friday", tmp_path / "log", state, 0, 4, places, "somebody")
    awaited(response({}, receive, send))
    assert sent == b"".join(line[START:] for line in lines[:4])


class Cutting(threading.Thread):
    """Stands before a site, and breaks the first connections after so many bytes of an answer."""

    def __init__(self, address: str, *after: int) -> None:
        super().__init__(daemon=True)
        self._port = int(address.rpartition(":")[2])
        self._after = list(after)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://localhost:{self._listener.getsockname()[1]}"
        self.start()

    def run(self) -> None:
        """Serve one connection after the other."""
        while True:
            near, _ = self._listener.accept()
            with near, socket.create_connection(("127.0.0.1", self._port)) as far:
                asked = near.recv(1 << 16)
                here, there = self.address.encode()[7:], b"localhost:%d" % self._port
                far.sendall(asked.replace(here, there))
                far.settimeout(2)
                answer = b""
                with suppress(TimeoutError):
                    while data := far.recv(1 << 16):
                        answer += data
                if b"x-arena-head" in answer and self._after:
                    answer = answer[: answer.index(b"\r\n\r\n") + self._after.pop(0)]
                near.sendall(answer)


def test_a_log_goes_on_where_the_connection_broke(
    site: Served, host: Visitor, tmp_path: Path
) -> None:
    """Cut twice, it says so in a line, keeps what has come, and ends up whole."""
    whole = remote(site, "log", "friday", "--output", "whole.jsonl")
    assert whole.code == 0, whole.err
    cutting = Cutting(site.address, 3000, 5000)
    for _ in range(2):
        broken = arena("remote", "log", "friday", "--site", cutting.address)
        assert broken.code == 3, broken.err
        assert "the connection broke after" in broken.err
        assert len(broken.err.splitlines()) == 1
        assert not (tmp_path / "friday.jsonl").exists()
    done = arena("remote", "log", "friday", "--site", cutting.address)
    assert done.code == 0, done.err
    assert (tmp_path / "friday.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_games_are_watched_in_words_until_the_ladder_ends(site: Served, host: Visitor) -> None:
    """Each finished game is told as the page tells it, with who plays first and the result last."""
    told = remote(site, "watch", "friday", "--pace", "0")
    assert told.code == 0, told.err  # it is closed, so nothing more comes
    games = site.visitor().call("GET", "/ladders/friday/watch").json["games"]
    starts = [line for line in told.out.splitlines() if line.startswith("Gargon, game ")]
    assert len(starts) == told.out.count("\nresult: 1. ") == len(games)
    for line, game in zip(starts, games, strict=True):
        assert line.startswith(f"Gargon, game {game['row']['number']}: seat 0 ")
        assert all(bot in line for bot in game["row"]["bots"])
    assert "opens the battle for" in told.out
    one = remote(site, "watch", "friday", "--pace", "0", "--games", "1")
    assert told.out.startswith(one.out)
    assert_refused(remote(site, "watch", "hidden"), "are shown when it is closed")


def test_games_that_are_published_later_are_shown_to_nobody(site: Served, host: Visitor) -> None:
    """Before such a ladder is closed its games and its log are not sent; its standings are."""
    for command in ("games", "log"):
        refused = remote(site, command, "hidden")
        assert_refused(refused, "published when it is closed")
    assert remote(site, "standings", "hidden").code == 0


def test_an_author_sees_what_he_has_handed_in(
    site: Served, host: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By his token alone, and in full; others get nothing; a token that was revoked is named."""
    author, other = site.invited(host, "ada"), site.invited(host, "bob")
    handed = author.hand_in("hidden", bot("crashes", program=FAILING))
    assert "did not pass" in decided(author, handed)
    number = handed.where.rpartition("/")[2]
    assert_refused(remote(site, "submissions"), f"log in first: arena login {site.address}")
    token = token_of(author)
    monkeypatch.setenv("ARENA_TOKEN", token)
    listed = remote(site, "submissions")
    assert "crashes 1" in listed.out
    assert "did not pass" in listed.out
    told = remote(site, "submissions", number)
    assert "look at me" in told.out
    assert told.out == arena("remote", "submissions", number, "--site", site.address).out
    assert remote(site, "submissions", number, "--json").json["submission"]["bot"] == "crashes"
    monkeypatch.setenv("ARENA_TOKEN", token_of(other))
    assert_refused(remote(site, "submissions", number), f"no submission {number}")
    monkeypatch.setenv("ARENA_TOKEN", token)
    assert author.call("DELETE", "/token", token).status == 200
    revoked = remote(site, "submissions")
    assert_refused(revoked, "does not know your token", f"arena login {site.address}")
    assert token not in revoked.err
    assert remote(site, "standings", "friday").code == 0  # to look on no token is sent


@pytest.fixture
def answering() -> Iterator[Callable[[dict[str, tuple[int, str]]], str]]:
    """Servers that answer with what is written down for each path, and 404 to the rest."""
    servers: list[HTTPServer] = []

    def serve(answers: dict[str, tuple[int, str]]) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, text = answers.get(self.path, (404, "<html>not here</html>"))
                self.send_response(status)
                if status == 301:
                    self.send_header("location", text)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:  # type: ignore[override]
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://localhost:{server.server_port}"

    yield serve
    for each in servers:
        each.shutdown()
        each.server_close()


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, "is no site of the arena"),
        ({"/api/v1/ladders": (200, "<html>")}, "is no site of the arena"),
        ({"/api/v1/ladders": (301, "https://a.example/")}, "leads to https://a.example/"),
        ({"/api/v1/ladders": (502, "<html>")}, "answered with status 502"),
        ({"/api/v1/ladders": (404, '{"error": "there is no such operation"}')}, "0.0.1"),
        ({"/api/v1/ladders": (200, '{"more": 1}')}, "0.0.1"),
        ({"/api/v1/ladders": (200, '{"more": 1}'), "newer": (0, "")}, "99.1"),
    ],
    ids=["nothing", "a page", "elsewhere", "a proxy", "lacks it", "older", "newer"],
)
def test_other_servers_and_other_versions_are_told_apart(
    answers: dict[str, tuple[int, str]],
    words: str,
    answering: Callable[[dict[str, tuple[int, str]]], str],
) -> None:
    """Each is said in one line, which names who has to do what."""
    version = "99.1.0" if "newer" in answers else "0.0.1"
    if words in ("0.0.1", "99.1"):
        about = {"title": "x", "version": version, "limits": {"upload_mb": 1}}
        answers = {**answers, "/api/v1": (200, json.dumps(about))}
    done = arena("remote", "ladders", "--site", answering(answers))
    assert done.code == (2 if words.startswith("leads") else 3), done.err
    assert len(done.err.splitlines()) == 1
    assert words in done.err
    if words in ("0.0.1", "99.1"):
        assert VERSION in done.err
        assert ("newer" if version == "99.1.0" else "older") in done.err


def test_what_is_missing_is_said_in_a_line(site: Served, host: Visitor) -> None:
    """No site, none that is reached, no ladder, several of them: each says what to do."""
    assert_refused(arena("remote", "standings"), "--site URL")
    gone = arena("remote", "standings", "--site", "localhost:1")
    assert gone.code == 3
    assert "http://localhost:1: cannot be reached: Connection refused" in gone.err
    assert_refused(remote(site, "standings"), "expected the name of a ladder, one of friday")
    assert_refused(remote(site, "standings", "nope"), "there is no ladder 'nope' here; there is")
    assert_refused(remote(site, "games", "friday", "--bot", "nope"), "bot: expected one of")
    assert_refused(remote(site, "games", "friday", "--place", "1"), "--place needs --bot")
    assert_refused(remote(site, "log", "../x"), "expected the name of a ladder")
    for path in (
        "games?before=1-1", "games?before=-", "games?before=99999999999-1", "games?limit=x",
        "games?verdict=nope", "games?seats=-1", "log?after=999999999", "log?after=x",
    ):  # fmt: skip
        reply = site.visitor().call("GET", f"/ladders/friday/{path}")
        expected = (200,) if path == "games?before=1-1" else (400,)  # a place that is none: nothing
        assert reply.status in expected, (path, reply.text)
    assert "Traceback" not in site.log
