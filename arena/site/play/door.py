"""The door of the ladders: bots that have passed enter, by wishes, and what came of it is noted.

Each wish has a name that follows from its submission. So whatever is killed when, a wish is left
again under the same name, and is granted once. While the site is copied, the door is shut.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event as Flag
from threading import Thread
from typing import Final

from arena.errors import ArenaError
from arena.ladder.inbox import Answer, Inbox
from arena.ladder.store import Store
from arena.ladder.wishes import CLOSED, Enter, Refusal, Withdraw
from arena.records.entries import Contestant
from arena.records.ledger import Left
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.play.host_wishes import HostWishes
from arena.site.play.ladders import Ladder, Ladders
from arena.site.rules.submissions import State, Submission

EVERY: Final = 1.0
LOOKS_EVERY: Final = 10.0
"""Seconds between two looks for bots that have left without their authors."""
log = logging.getLogger("arena.site.door")


@dataclass(frozen=True)
class _Gone:
    """Who plays no more on a ladder, and why, by digest; and who plays."""

    left: Mapping[str, Left]
    playing: frozenset[str]

    def why(self, digest: str) -> str:
        """Return for its author why a bot plays no more."""
        left = self.left.get(digest)
        if left is None or left.kind is None:
            return "it has left the ladder"
        return _WORDS[left.kind] + (f": {left.reason}" if left.reason else "")

    def taken_out(self, digest: str) -> bool:
        """Whether the host has taken out this very version, which the log would let in again."""
        return digest in self.left and self.left[digest].kind == "removed"


_WORDS: Final = {
    "disqualified": "the host has disqualified it",
    "not-qualified": "it has not qualified for the next stage",
    "removed": "the host has taken it out",
    "replaced": "another version has taken its place",
    "set-aside": "it was set aside by the ladder's rule for bots that keep failing",
    "withdrawn": "the host has withdrawn it",
}
"""How a bot has left that its author has not withdrawn."""


class Door:
    """Lets bots in and out, in a thread of its own."""

    def __init__(
        self,
        folder: SiteFolder,
        submissions: Submissions,
        ladders: Ladders,
        host_wishes: HostWishes,
    ) -> None:
        self._folder = folder
        self._submissions = submissions
        self._ladders = ladders
        self._host_wishes = host_wishes
        self._ending = Flag()
        self._more = Flag()
        self._thread = Thread(target=self._work, name="door")
        self._looked = 0.0

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; wishes that were left stay."""
        self._ending.set()
        self._more.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Look now who waits."""
        self._more.set()

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                with self._folder.door_open() as is_open:
                    if is_open:
                        self.serve()
            except OSError as error:
                log.error("the door: %s", error)
            self._more.wait(EVERY)
            self._more.clear()

    def serve(self) -> None:
        """Let in and out who waits, as far as the ladders have answered, and note who has left."""
        for submission in self._waiting():
            try:
                self._serve(submission)
            except (ArenaError, Refusal, OSError) as error:
                log.warning("submission %d waits: %s", submission.number, error)
        self._settle_host_wishes()
        if time.monotonic() - self._looked > LOOKS_EVERY:
            self._looked = time.monotonic()
            self._note_who_left()

    def _waiting(self) -> list[Submission]:
        try:
            return self._submissions.in_state(State.WAITING, State.LEAVING)
        except ArenaError as error:
            log.error("the door: %s", error)
            return []

    def _settle_host_wishes(self) -> None:
        try:
            self._host_wishes.settle()
        except ArenaError as error:
            log.error("the door: %s", error)

    def _serve(self, submission: Submission) -> None:
        ladder = self._ladders.get(submission.ladder)
        if not ladder.begun:
            if submission.state is State.LEAVING:
                self._step(submission, State.WITHDRAWN, submission.reason)
            return
        inbox = Inbox(ladder.store)
        # Asked before the answers are looked at: where no run is on any more, none comes later.
        is_over = ladder.is_over()
        if submission.state is State.WAITING:
            self._let_in(submission, inbox, is_over=is_over)
        else:
            self._let_out(submission, inbox, is_over=is_over)

    def _let_in(self, submission: Submission, inbox: Inbox, *, is_over: bool) -> None:
        name = _enters(submission)
        bot = Contestant(submission.bot, submission.version, submission.digest)
        if is_over and inbox.answered(name) is None:
            inbox.drop(name)
            self._step(submission, State.FAILED, f"the ladder did not let it in: {CLOSED}")
            return
        if inbox.answered(name) is None and name not in inbox.waiting():
            gone = self._gone(self._ladders.get(submission.ladder))
            if gone.taken_out(bot.digest):
                why = f"{gone.why(bot.digest)}; hand in another version"
                self._step(submission, State.FAILED, f"the ladder did not let it in: {why}")
                return
        answer = inbox.answered(inbox.leave(Enter(bots=(bot,)), name))
        if answer is None:
            return
        if not answer.granted:
            self._step(submission, State.FAILED, f"the ladder did not let it in: {answer.text}")
            return
        self._step(submission, State.PLAYING, f"on the ladder from block {answer.block} on")
        for older in self._submissions.on_ladder(submission.ladder):
            replaced = older.number != submission.number and older.bot == submission.bot
            if replaced and older.state is State.PLAYING:
                reason = f"replaced by submission {submission.number}"
                self._step(older, State.RETIRED, reason)

    def _let_out(self, submission: Submission, inbox: Inbox, *, is_over: bool) -> None:
        enters, leaves = _enters(submission), _leaves(submission)
        answer = inbox.answered(leaves)
        if answer is None and is_over:
            inbox.drop(enters)
            inbox.drop(leaves)
            if self._has_entered(submission, inbox):
                answer = Answer(granted=False, text=CLOSED)
        if answer is None:
            waiting = inbox.waiting()
            if leaves in waiting or (enters in waiting and inbox.answered(enters) is None):
                return  # its wish to enter is answered first
            if self._has_entered(submission, inbox):
                wish = Withdraw(bots=(submission.digest,), reason="withdrawn by its author")
                inbox.leave(wish, leaves)
            elif inbox.answered(leaves) is None:
                self._step(submission, State.WITHDRAWN, submission.reason)
            return
        if answer.granted:
            self._step(submission, State.RETIRED, "you have withdrawn it")
        elif submission.digest in self._gone(self._ladders.get(submission.ladder)).playing:
            self._step(submission, State.PLAYING, f"the ladder keeps it: {answer.text}")
        else:
            self._step(submission, State.RETIRED, "it had left already")

    def _has_entered(self, submission: Submission, inbox: Inbox) -> bool:
        """Whether it has entered, so that it has to leave."""
        answer = inbox.answered(_enters(submission))
        if answer is not None:
            return answer.granted
        # It has not asked, or its answer is so old that it is not kept any more. In that case the
        # ladder has its bot, and no other submission has brought it there.
        digest = submission.digest
        same = [
            each
            for each in self._submissions.on_ladder(submission.ladder)
            if each.digest == digest and each.state is State.PLAYING
        ]
        return not same and digest in self._gone(self._ladders.get(submission.ladder)).playing

    def _note_who_left(self) -> None:
        """Note which bots the host, or a rule of the ladder, has taken out."""
        try:
            for ladder in self._ladders.all():
                there = self._submissions.on_ladder(ladder.name)
                playing = [each for each in there if each.state is State.PLAYING]
                if playing and ladder.begun:
                    found = self._gone(ladder)
                    for each in playing:
                        if each.digest not in found.playing:
                            self._step(each, State.RETIRED, found.why(each.digest))
        except (ArenaError, OSError) as error:
            log.warning("the door: %s", error)

    @staticmethod
    def _gone(ladder: Ladder) -> _Gone:
        with Store.open(ladder.store) as store:
            ledger = store.ledger
            gone = {
                ledger.contestants[left.contestant].digest: left for left in ledger.left.values()
            }
            playing = frozenset(ledger.contestants[number].digest for number in ledger.playing)
        return _Gone(gone, playing)

    def _step(self, submission: Submission, state: State, reason: str) -> None:
        left = self._submissions.step(submission.number, state, reason)
        log.info("submission %d: %s: %s", left.number, left.words, reason)


def _enters(submission: Submission) -> str:
    return f"site-submission-{submission.number}-enters"


def _leaves(submission: Submission) -> str:
    # A ladder can keep a bot; whoever withdraws it again later has another wish.
    return f"site-submission-{submission.number}-leaves-{submission.changed}"
