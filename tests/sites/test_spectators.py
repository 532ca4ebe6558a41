"""Those who watch ladders: standings that come by themselves, to a thousand at once."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from typing import ClassVar
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request

from arena.site.settings import Settings
from arena.site.web.asking import address_of
from arena.site.web.broadcast import BEAT, Channel, message
from command import arena

from .conftest import Serve
from .served import Served, awaited

pytestmark = pytest.mark.source_only
LADDER = """\
game = "gargon"
tables = [3]
sandbox = "none"
contestants = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]

[budget]
games = 12
"""
SETTINGS = "play = false\n[spectators]\nstreams = {all}\nstreams-of-one-address = {each}\n"
MANY = 1000
KIB = 1024


class Watched:
    """A site with a ladder that plays when it is told to."""

    def __init__(self, site: Served, ladder: str = LADDER) -> None:
        self.site = site
        self.file = site.folder / "ladders" / "friday.toml"
        self.store = site.folder / "ladders" / "friday.ladder"
        self.file.write_text(ladder)
        self.play(12)

    def play(self, games: int) -> None:
        """Play until there are so many games."""
        if self.store.exists():
            words = ("--games", str(games), "--reason", "to be watched")
            wished = arena("ladder", "budget", str(self.store), *words)
            assert wished.code == 0, wished.err
        done = arena("ladder", "run", str(self.file), "--store", str(self.store), limit=600)
        assert done.code == 0, done.err

    @property
    def memory(self) -> int:
        """The bytes of memory that the server has now."""
        status = Path(f"/proc/{self.site.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) * KIB


@pytest.fixture
def watched(serve: Serve) -> Watched:
    """A ladder that as many can watch as may be."""
    return Watched(serve(settings=SETTINGS.format(all=MANY, each=MANY)))


class Stream:
    """A stream as a browser reads it."""

    opened: ClassVar[list[Stream]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._events: AsyncIterator[tuple[str, str]] = self._read()
        self.status = 0
        self.headers: dict[str, str] = {}

    @classmethod
    async def open(cls, site: Served, path: str, **headers: str) -> Stream:
        """Open a stream; the names of headers have underscores here."""
        where = urlsplit(site.address)
        stream = cls(*await asyncio.open_connection("127.0.0.1", where.port))
        cls.opened.append(stream)
        lines = [f"GET {path} HTTP/1.1", f"Host: {where.netloc}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        stream._writer.write("\r\n".join([*lines, "", ""]).encode())
        head = (await stream._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        stream.status = int(head[0].split()[1])
        for line in filter(None, head[1:]):
            name, _, value = line.partition(": ")
            stream.headers[name.lower()] = value
        return stream

    async def event(self, words: str = "") -> tuple[str, str]:
        """Wait for the next event with these words; return its identity and its data."""
        async with asyncio.timeout(300):
            while words not in (found := await anext(self._events))[1]:
                pass
            return found

    async def body(self) -> str:
        """Return all of an answer that ends."""
        return (await self._reader.readexactly(int(self.headers["content-length"]))).decode()

    async def end(self) -> None:
        """Wait until the server has ended it properly."""
        async with asyncio.timeout(300):
            async for _ in self._events:
                pass

    def leave(self) -> None:
        """Close the connection."""
        self._writer.close()

    async def _read(self) -> AsyncIterator[tuple[str, str]]:
        text = b""
        async for part in self._parts():
            *whole, text = (text + part).split(b"\n\n")
            for each in whole:
                lines = [line.partition(": ")[::2] for line in each.decode().split("\n")]
                data = [value for name, value in lines if name == "data"]
                if data:
                    yield dict(lines)["id"], "\n".join(data)

    async def _parts(self) -> AsyncIterator[bytes]:
        packed = self.headers.get("content-encoding") == "gzip"
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            part = (await self._reader.readexactly(size + 2))[:-2]
            yield unpacker.decompress(part) if packed else part
        assert unpacker.eof or not packed  # its end is there, and its check holds


def run(watch: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run a test that watches, and close what it has opened."""

    async def closed() -> None:
        try:
            await watch()
        finally:
            for each in Stream.opened:
                each.leave()
            Stream.opened.clear()
            await asyncio.sleep(0.1)

    awaited(closed())


def unlinked(board: str) -> str:
    """A board without links to bots' pages, which are made meanwhile."""
    return re.sub(r"</?a\b[^>]*>", "", board).strip()


def test_standings_come_by_themselves_to_everybody(watched: Watched) -> None:
    """Without an account: the board as the page has it, and as JSON, when the log has grown."""
    visitor = watched.site.visitor()

    async def watch() -> None:
        packed = await Stream.open(watched.site, "/ladders/friday/events", accept_encoding="gzip")
        assert packed.headers["content-type"].startswith("text/event-stream")
        assert packed.headers["content-encoding"] == "gzip"
        has, first = await packed.event()
        assert "12 games of Gargon" in first
        page = visitor.get("/ladders/friday").text
        assert unlinked(first) in unlinked(page)
        board = await Stream.open(watched.site, f"/ladders/friday/events?after={has}")
        figures = await Stream.open(watched.site, "/api/v1/ladders/friday/standings/events")
        assert json.loads((await figures.event())[1])["overview"]["games"] == 12
        await asyncio.to_thread(watched.play, 24)
        identity, renewed = await board.event()
        assert identity != has  # what a page has is not told again
        while "24 games of Gargon" not in renewed:
            _, renewed = await board.event()
        assert unlinked((await packed.event("24 games of Gargon"))[1]) == unlinked(renewed)
        whole = json.loads((await figures.event('"games":24,'))[1])
        assert whole == visitor.call("GET", "/ladders/friday/standings").json
        part = visitor.get("/ladders/friday/board")
        assert unlinked(part.text) == unlinked(renewed)
        tag = {"If-None-Match": part.headers["etag"]}
        again = visitor.send("GET", "/ladders/friday/board", b"", tag)
        assert again.status == 304 or again.headers["etag"] != part.headers["etag"]

    run(watch)


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process have as many open files as it may."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (hard, hard))
    yield
    setrlimit(RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_watch_at_once(watched: Watched, many_files: None) -> None:
    """Each stream takes little memory, slow readers hold nobody up, and all end with the server."""
    path = "/ladders/friday/events"

    async def watch() -> None:
        first = await Stream.open(watched.site, path, accept_encoding="gzip")
        await first.event()
        before = watched.memory
        streams = [first]
        while len(streams) < MANY:
            more = min(50, MANY - len(streams))
            opened = (Stream.open(watched.site, path, accept_encoding="gzip") for _ in range(more))
            streams += await asyncio.gather(*opened)
        assert {each.status for each in streams} == {200}
        readers = streams[100:]  # the others read nothing
        told = await asyncio.gather(*(each.event() for each in readers))
        assert len({unlinked(board) for _, board in told}) == 1
        each = (watched.memory - before) / (MANY - 1)
        print(f"{each / KIB:.0f} KiB a stream")
        assert each < 100 * KIB
        assert (await Stream.open(watched.site, path)).status == 429
        assert watched.site.visitor().get("/ladders/friday").status == 200
        await asyncio.to_thread(watched.play, 24)
        renewed = await asyncio.gather(*(each.event("24 games") for each in readers))
        assert len({unlinked(board) for _, board in renewed}) == 1
        ending = asyncio.to_thread(watched.site.stop)
        code, *_ = await asyncio.gather(ending, *(each.end() for each in readers))
        assert code == 0

    run(watch)
    assert "Cancel" not in watched.site.log  # nothing had to be cut off
    assert "Traceback" not in watched.site.log


def test_one_address_leaves_places_for_others(serve: Serve) -> None:
    """So many streams of one address, so many in all; who leaves makes place for another."""
    watched = Watched(serve(settings=SETTINGS.format(all=8, each=5)))
    page, programs = "/ladders/friday/events", "/api/v1/ladders/friday/standings/events"

    async def watch() -> None:
        async def opened(address: str, path: str = page) -> Stream:
            return await Stream.open(watched.site, path, x_forwarded_for=address)

        streams = [await opened(f"192.0.2.{number}, 198.51.100.7") for number in range(5)]
        refused = await opened("192.0.2.9, 198.51.100.7")  # what a stranger says does not count
        assert [each.status for each in streams] == [200] * 5
        assert refused.status == 429
        assert refused.headers["retry-after"]
        assert (await refused.body()).count("\n") == 1
        neighbours = [await opened(f"2001:db8::{number}") for number in range(3)]
        assert [each.status for each in neighbours] == [200] * 3
        full = await opened("203.0.113.1", programs)
        assert full.status == 429
        assert "8 streams" in json.loads(await full.body())["error"]
        assert (await opened("203.0.113.1", page.replace("friday", "nope"))).status == 404
        streams[0].leave()
        for _ in range(100):
            last = await opened("203.0.113.1", programs)
            if last.status == 200:
                break
            await asyncio.sleep(0.1)
        assert last.status == 200

    run(watch)


@pytest.mark.parametrize(
    ("peer", "told", "address"),
    [
        ("198.51.100.7", "192.0.2.1", "198.51.100.7"),
        ("127.0.0.1", "192.0.2.1, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.2", "198.51.100.7", "198.51.100.7"),
        ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("::1", "", "::/64"),
        ("::1", "2001:db8:0:1::5", "2001:db8:0:1::/64"),
        ("127.0.0.1", "<script>", "unknown"),
    ],
)
def test_only_proxies_say_where_requests_come_from(peer: str, told: str, address: str) -> None:
    """A stranger cannot invent addresses; the last that a proxy has added counts."""
    headers = [(b"x-forwarded-for", told.encode())] if told else []
    request = Request({"type": "http", "headers": headers, "client": (peer, 1)})
    assert address_of(request, Settings(proxies=("10.0.0.2",))) == address


def test_who_is_slow_misses_what_is_old() -> None:
    """A listener has the newest when he is ready; nothing is kept for him meanwhile."""

    async def listen() -> list[str]:
        channel = Channel()
        await channel.publish(message("standings", "first", 1))
        slow = channel.messages()
        heard = [(await anext(slow)).identity]
        for number in (2, 3, 4):
            await channel.publish(message("standings", "more", number))
        heard.append((await anext(slow)).identity)
        waiting = asyncio.ensure_future(anext(slow))
        await asyncio.sleep(0)
        await channel.beat()
        assert await waiting is BEAT
        channel.end()
        with suppress(StopAsyncIteration):
            heard.append((await anext(slow)).identity)
        assert channel.listeners == 0
        return heard

    assert awaited(listen()) == ["1", "4"]
