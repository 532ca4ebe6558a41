"""Those who follow what they have handed in: all are told at once, by one look."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path

import pytest

from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.intake.events import Begun, Event, Failed, event_line
from arena.site.rules.people import Role
from arena.site.rules.submissions import State
from arena.site.web import live_submissions
from arena.site.web.broadcast import BEAT, Message
from arena.site.web.live_submissions import LiveSubmissions

from .served import awaited

pytestmark = pytest.mark.source_only


class CountingDatabase(Database):
    """A database that counts how often it is read."""

    reads = 0

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Read, and count it."""
        self.reads += 1
        with super().read() as connection:
            yield connection


class Queue:
    """A site's folder with submissions of one author, who follows them."""

    def __init__(self, path: Path) -> None:
        self.folder = SiteFolder(path)
        self.folder.make()
        self.now = 1_000_000
        self.database = CountingDatabase(self.folder.database)
        self.submissions = Submissions(self.database, lambda: self.now)
        self.accounts = Accounts(self.database, lambda: self.now)
        self.person = self.accounts.join("ada", Role.AUTHOR)
        self.session = self.accounts.sign_in(self.person, "a browser", None)
        self.live = LiveSubmissions(self.folder, self.submissions, self.accounts)

    def hand_in(self) -> int:
        """Hand something in; return its number."""
        number = self.submissions.next_number()
        return self.submissions.add(number, self.person, "test", 10, "").number

    def tell(self, number: int, *events: Event, anew: bool = False) -> None:
        """Write to a report, as the examiner does."""
        with self.folder.report(number).open("wb" if anew else "ab") as report:
            for event in events:
                report.write(event_line(event))
        self.submissions.changes.note()

    def follow(self, number: int, start: int = 0) -> AsyncGenerator[Message]:
        """Open a stream."""
        return self.live.messages(number, start, self.session)


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    """A queue in which nothing is looked at by itself."""
    found = Queue(tmp_path / "own")
    yield found
    found.database.close()


def stage(text: str) -> Begun:
    """Something that is told."""
    return Begun(stage="build", text=text)


async def heard(stream: AsyncGenerator[Message], words: str) -> str:
    """All that is told until it has these words."""
    told = ""
    async with asyncio.timeout(60):
        async for each in stream:
            told += each.plain.decode()
            if words in told:
                return told
    raise AssertionError(told)


def test_many_streams_cost_as_many_reads_as_one(queue: Queue) -> None:
    """While nothing changes nothing is read; a change is read once, whoever follows."""

    async def reads_with(streams: int) -> tuple[int, int]:
        numbers = [queue.hand_in() for _ in range(20)]
        opened = [queue.follow(numbers[at % 20]) for at in range(streams)]
        await asyncio.gather(*(heard(each, "event: state") for each in opened))
        await asyncio.sleep(live_submissions.EVERY * 3)
        before = queue.database.reads
        await asyncio.sleep(live_submissions.EVERY * 4)
        still = queue.database.reads - before
        queue.submissions.step(numbers[0], State.WITHDRAWN, "gone")
        first = [each for at, each in enumerate(opened) if at % 20 == 0]
        await asyncio.gather(*(heard(each, "event: end") for each in first))
        news = queue.database.reads - before - still
        for each in opened:
            await each.aclose()
        return still, news

    async def count() -> None:
        assert await reads_with(1) == (0, 2)
        still, news = await reads_with(200)
        assert still == 0
        assert news <= 4  # one look, or two where the first was under way

    awaited(count())


def test_whoever_comes_when_is_told_all_of_it_once(queue: Queue) -> None:
    """From the start, from what a page has, or from where a stream broke: nothing is missing."""

    async def follow() -> None:
        number = queue.hand_in()
        queue.submissions.take_next()
        queue.tell(number, stage("first"), stage("second"))
        async with aclosing(queue.follow(number)) as early:
            told = await heard(early, "second")
            place = int(told.rpartition("\nid: ")[2].partition("\n")[0])
            async with aclosing(queue.follow(number, place)) as late:
                queue.tell(number, stage("third"))
                assert "second" not in await heard(late, "third")
                async with aclosing(queue.follow(number)) as again:
                    assert (await heard(again, "third")).count("event: told") == 3
                    queue.tell(number, Failed(stage="build", reason="it fails"))
                    queue.submissions.step(number, State.FAILED, "it fails")
                    for each in (early, late, again):
                        end = await heard(each, "event: end")
                        assert end.lower().count("it fails") == 2, end  # told, and as the state
                        places = [line for line in end.split("\n") if line.startswith("id: ")]
                        assert places == sorted(places, key=lambda line: int(line[4:]))

    awaited(follow())


def test_who_has_less_than_another_is_told_what_he_lacks(queue: Queue) -> None:
    """Somebody whose page is older gets the rest, though another follows from later on."""

    async def follow() -> None:
        number = queue.hand_in()
        queue.submissions.take_next()
        queue.tell(number, stage("first"), stage("second"))
        size = queue.folder.report(number).stat().st_size
        async with aclosing(queue.follow(number, size)) as late:
            await heard(late, "event: state")
            async with aclosing(queue.follow(number)) as early:
                told = await heard(early, "event: state")
                assert told.index("first") < told.index("second")
                queue.tell(number, stage("third"))
                assert (await heard(early, "third")).count("event: told") == 1
                assert (await heard(late, "third")).count("event: told") == 1

    awaited(follow())


def test_a_report_that_is_begun_anew_is_told_anew(queue: Queue) -> None:
    """After the site was ended it looks again; who follows is told what is found then."""

    async def follow() -> None:
        number = queue.hand_in()
        queue.submissions.take_next()
        queue.tell(number, stage("a long line of the first attempt"), stage("more"))
        async with aclosing(queue.follow(number)) as stream:
            await heard(stream, "more")
            queue.submissions.go_on()
            queue.submissions.take_next()
            queue.tell(number, stage("again"), anew=True)
            assert "more" not in await heard(stream, "again")

    awaited(follow())


def test_a_stream_ends_with_its_session_and_with_its_submission(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has signed out, or has deleted the account, is told nothing more."""
    monkeypatch.setattr(live_submissions, "ALIVE", 0.5)

    async def follow() -> None:
        number = queue.hand_in()
        other = queue.accounts.sign_in(queue.person, "another", None)
        stays, leaves = queue.follow(number), queue.live.messages(number, 0, other)
        await asyncio.gather(heard(stays, "event: state"), heard(leaves, "event: state"))
        sessions = queue.accounts.sessions(queue.person)
        (ended,) = [each.number for each in sessions if each.agent == "another"]
        queue.accounts.end_session(queue.person, ended)
        async with asyncio.timeout(60):
            assert {each async for each in leaves} <= {BEAT}
            assert await anext(stays) is BEAT
            queue.accounts.join("host", Role.HOST)
            queue.accounts.remove(queue.person)
            assert {each async for each in stays} <= {BEAT}

    awaited(follow())
