"""Admission: whether what has passed may enter its ladder, by its name and its author's bots."""

from __future__ import annotations

from threading import Lock
from typing import Final

from arena.site.database.submissions import Submissions, bots_of
from arena.site.play.ladders import Ladders
from arena.site.rules.limits import AuthorLimits
from arena.site.rules.people import NotNow, Person, Refused
from arena.site.rules.submissions import State, Submission

TAKEN: Final = "the name "
"""How the refusal of a name begins that is somebody else's."""


class Admission:
    """Lets in what has passed, one after the other, so that no limit is passed by haste."""

    def __init__(self, submissions: Submissions, ladders: Ladders, limits: AuthorLimits) -> None:
        self._submissions = submissions
        self._ladders = ladders
        self._limits = limits
        self._lock = Lock()

    def refusal(self, submission: Submission, bot: str) -> str:
        """Return why a bot of this name cannot pass; "" if it can."""
        owner = self._submissions.owner(submission.ladder, bot)
        if owner is None and bot in self._ladders.get(submission.ladder).names():
            owner = 0
        if owner not in (None, submission.person):
            return f"{TAKEN}{bot!r} belongs to somebody else on this ladder"
        if not submission.trial:
            return self._too_many(submission, bot)
        return ""

    def passed(self, submission: Submission, described: tuple[str, str, str]) -> None:
        """Bring a submission that has passed into the state that follows."""
        if submission.trial:
            self._submissions.step(submission.number, State.READY, "", described)
            return
        with self._lock:
            reason = self._let_in(submission, described[0])
            state = State.FAILED if reason else State.WAITING
            self._submissions.step(submission.number, state, reason, described)

    def enter(self, person: Person, number: int) -> Submission:
        """Enter what was only tried; raise `Refused` if it cannot enter now."""
        with self._lock:
            submission = self._submissions.own(number, person)
            if submission.state is not State.READY:
                raise NotNow(
                    f"it is {submission.words}; only what was tried, and has passed, can be entered"
                )
            ladder = self._ladders.get(submission.ladder)
            if not (ladder.takes_strangers and ladder.open_for_entries()):
                raise NotNow(f"{ladder.name} takes no more bots")
            if reason := self._let_in(submission, submission.bot):
                raise NotNow(reason)
            return self._submissions.step(number, State.WAITING, "")

    def _let_in(self, submission: Submission, bot: str) -> str:
        """Give a bot its name; return why it cannot enter, "" if it can."""
        if reason := self.refusal(submission, bot) or self._too_many(submission, bot):
            return reason
        if not self._submissions.claim(submission.ladder, bot, submission.person):
            return f"{TAKEN}{bot!r} belongs to somebody else on this ladder"
        return ""

    def _too_many(self, submission: Submission, bot: str) -> str:
        there = self._submissions.on_ladder(submission.ladder)
        try:
            self._limits.check_bots(bots_of(there, submission.person), bot)
        except Refused as refused:
            return str(refused)
        return ""
