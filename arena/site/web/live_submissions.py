"""Submissions as they are looked at: one look and one text for all who follow them.

Whoever changes a submission or its report says so. Only then is the database read, once for all
submissions that somebody follows, and of the reports only what is new. While nothing changes,
nothing is read, however many streams are open.
"""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left, bisect_right
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from starlette.concurrency import run_in_threadpool

from arena.errors import ArenaError
from arena.site.database.accounts import Accounts
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.intake.events import Event
from arena.site.intake.reports import Part, read_part
from arena.site.rules.submissions import State, Submission
from arena.site.web.broadcast import BEAT, Message, message
from arena.site.web.live_standings import ALIVE
from arena.site.web.templates import fragment

EVERY: Final = 0.3
"""Seconds at least between two looks, in which changes come together."""
log = logging.getLogger("arena.site.streams")


@dataclass(frozen=True)
class _Look:
    """What was found of a submission."""

    submission: Submission
    ahead: int
    part: Part | None
    """What is new in its report; None if that was not read."""


@dataclass
class _Followed:
    """A submission that somebody follows."""

    base: int
    """From where on its report is kept here."""
    end: int
    """Up to where it was read."""
    ends: list[int] = field(default_factory=list)
    """Where each of the events ends that are kept."""
    told: list[Message] = field(default_factory=list)
    state: str = ""
    """Where it stands, as a part of a page."""
    attempt: int = 0
    """Which attempt to look at it the report is of."""
    anew: int = 0
    """How often its report was begun anew."""
    step: State | None = None
    looks: int = 0
    """How often it was looked at."""
    over: bool = False
    """Whether nothing more comes."""
    gone: bool = False
    """Whether it is not there any more, or cannot be read."""

    def take(self, look: _Look) -> None:
        """Take what was found."""
        submission, part = look.submission, look.part
        self.attempt, self.step = submission.attempt, submission.state
        if part is not None:
            if part.start < self.end:  # it was begun anew
                self.anew += 1
                self.base, self.ends, self.told = 0, [], []
            for event, end in zip(part.events, part.ends, strict=True):
                self.told.append(_event(event, end))
                self.ends.append(end)
            self.end = part.end
        self.state = fragment("state.html", submission=submission, ahead=look.ahead)
        # What came last in its report is told before it is over.
        self.over = not submission.is_open and (part is not None or self.over)
        self.looks += 1

    def to_read(self, now: Submission) -> int | None:
        """Return from where its report is to be read; None if there is nothing new in it."""
        if self.looks and now.attempt != self.attempt:
            return 0
        news = now.state is State.EXAMINED or now.state is not self.step or not self.looks
        return self.end if news else None


@dataclass(eq=False)
class _Listener:
    """A stream that is open."""

    number: int
    session: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    beats: int = 0
    """How often it was said that nothing is new."""
    left: bool = False
    """Whether whoever listens is not signed in any more."""


class LiveSubmissions:
    """Tells authors what becomes of what they have handed in."""

    def __init__(self, folder: SiteFolder, submissions: Submissions, accounts: Accounts) -> None:
        self._folder = folder
        self._submissions = submissions
        self._accounts = accounts
        self._followed: dict[int, _Followed] = {}
        self._listeners: set[_Listener] = set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False
        submissions.changes.tell(self._changed)

    async def messages(self, number: int, start: int, session: str) -> AsyncGenerator[Message]:
        """Yield what is told of a submission from here on in its report, until it is over.

        It ends early when the session with this secret is over.
        """
        listener = _Listener(number, session)
        followed = self._follow(listener, start)
        position, first, anew, state = start, followed.looks, followed.anew, ""
        beats, caught_up = 0, False
        try:
            while not (self._ended or listener.left or followed.gone):
                if followed.looks > first:
                    if anew != followed.anew or (not caught_up and position > followed.end):
                        anew, position = followed.anew, 0
                    if not caught_up:
                        caught_up = True
                        for each in await self._before(number, position, followed.base):
                            yield each
                        position = max(position, followed.base)
                    while (at := bisect_right(followed.ends, position)) < len(followed.ends):
                        position = followed.ends[at]
                        yield followed.told[at]
                    if followed.state != state:
                        state = followed.state
                        yield message("state", state, position)  # what was told before counts
                    if followed.over and position >= followed.end:
                        yield message("end", "", position)
                        return
                if beats != listener.beats:
                    beats = listener.beats
                    yield BEAT
                await listener.news.wait()
                listener.news.clear()
        finally:
            self._leave(listener)

    def end(self) -> None:
        """Let all streams end."""
        self._ended = True
        if self._task is not None:
            self._task.cancel()
        self._wake()

    # Following

    def _follow(self, listener: _Listener, start: int) -> _Followed:
        followed = self._followed.get(listener.number)
        if followed is None:
            followed = self._followed[listener.number] = _Followed(start, start)
        self._listeners.add(listener)
        self._loop = asyncio.get_running_loop()
        self._news.set()
        if self._task is None:
            self._task = self._loop.create_task(self._work())
        return followed

    async def _before(self, number: int, start: int, end: int) -> list[Message]:
        """Return what a report has between these places, for somebody who has less of it."""
        if start >= end:
            return []
        part = await run_in_threadpool(read_part, self._folder.report(number), start)
        pairs = zip(part.events, part.ends, strict=True)
        return [_event(event, place) for event, place in pairs if place <= end]

    def _leave(self, listener: _Listener) -> None:
        self._listeners.discard(listener)
        if all(each.number != listener.number for each in self._listeners):
            self._followed.pop(listener.number, None)

    def _wake(self) -> None:
        for each in self._listeners:
            each.news.set()

    # Looking

    def _changed(self) -> None:
        """Hear, in any thread, that something was changed."""
        loop = self._loop
        if loop is not None and self._listeners:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._news.set)

    async def _work(self) -> None:
        """Look at what is followed whenever something was changed."""
        clock = asyncio.get_running_loop().time
        beaten = clock()
        try:
            while self._listeners:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, beaten + ALIVE - clock())):
                        await self._news.wait()
                self._news.clear()
                await self._look()
                if clock() - beaten >= ALIVE:
                    beaten = clock()
                    await self._beat()
                self._wake()
                await asyncio.sleep(EVERY)
        finally:
            self._task = None
            if self._listeners and not self._ended:  # one came while this one ended
                self._task = asyncio.get_running_loop().create_task(self._work())

    async def _look(self) -> None:
        before = dict(self._followed)
        try:
            found = await run_in_threadpool(self._found, before)
        except (ArenaError, OSError) as error:
            log.warning("submissions are not told of: %s", error)
            return
        for number, followed in before.items():
            if number in found:
                followed.take(found[number])
            else:
                followed.gone = True

    def _found(self, followed: Mapping[int, _Followed]) -> Mapping[int, _Look]:
        """Look at submissions, in a thread."""
        unfinished = self._submissions.unfinished()
        found = {}
        for each in self._submissions.several(followed):
            start = followed[each.number].to_read(each)
            part = None
            if start is not None:
                part = read_part(self._folder.report(each.number), start)
            found[each.number] = _Look(each, bisect_left(unfinished, each.number), part)
        return found

    async def _beat(self) -> None:
        """Say to all that their streams are there, and let those end who are not signed in."""
        sessions = {each.session for each in self._listeners}
        try:
            held = await run_in_threadpool(self._accounts.holding, sessions)
        except ArenaError as error:
            log.warning("sessions are not looked at: %s", error)
            return
        for each in self._listeners:
            each.beats += 1
            each.left = each.session not in held


def _event(event: Event, end: int) -> Message:
    return message("told", fragment("event.html", event=event), end)
