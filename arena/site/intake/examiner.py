"""Takes submissions from the queue, has each looked at by a program, and keeps what it tells."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.programs.vault import Vault
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.intake.admission import TAKEN, Admission
from arena.site.intake.events import (
    Broken,
    Described,
    Event,
    Failed,
    Job,
    Passed,
    event_line,
    read_event,
)
from arena.site.play.ladders import Ladder, Ladders
from arena.site.queue.programs import Programs, Stopped
from arena.site.rules.limits import AuthorLimits
from arena.site.rules.people import Refused
from arena.site.rules.submissions import State, Submission, after_a_stop, check_step

MARGIN: Final = 120
"""Seconds for what is neither build nor check."""
log = logging.getLogger("arena.site.intake")


class Examiner:
    """Looks at submissions, one at a time."""

    def __init__(
        self,
        folder: SiteFolder,
        submissions: Submissions,
        ladders: Ladders,
        admission: Admission,
        limits: AuthorLimits,
        passed: Callable[[], object],
    ) -> None:
        self._folder = folder
        self._submissions = submissions
        self._ladders = ladders
        self._admission = admission
        self._limits = limits
        self._passed = passed
        self._programs = Programs(folder, "arena.site.intake.examination")

    def go_on(self) -> None:
        """Put back into the queue what was looked at when the last server ended."""
        for submission in self._submissions.go_on():
            log.info("submission %d: %s", submission.number, submission.words)

    def stop(self) -> None:
        """Stop; what is being looked at goes back into the queue."""
        self._programs.stop()

    def leave(self, number: int) -> None:
        """Stop looking at a submission that was withdrawn."""
        self._programs.leave(number)

    def serve_next(self) -> bool:
        """Look at the first submission in the queue; return whether there was one."""
        submission = self._submissions.take_next()
        if submission is None:
            return False
        try:
            self._examine(submission)
        except Exception:
            log.exception("submission %d", submission.number)
            self._conclude(
                submission, Broken(reason="the site has failed; its host's log says how")
            )
        return True

    def _examine(self, submission: Submission) -> None:
        log.info("submission %d: looked at for the %d. time", submission.number, submission.attempt)
        with self._work(submission.number):
            self._examine_there(submission)

    @contextmanager
    def _work(self, number: int) -> Iterator[None]:
        """Make the folder where a submission is unpacked; whoever is killed, it does not stay."""
        work = self._folder.work(number)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        try:
            yield
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _sealed(self, number: int) -> Path:
        """Where a bot lies sealed until it has passed."""
        return self._folder.work(number) / "vault"

    def _examine_there(self, submission: Submission) -> None:
        last: Event | None
        with self._folder.report(submission.number).open("wb", buffering=0) as kept:

            def keep(event: Event) -> Event:
                kept.write(event_line(event))
                self._submissions.changes.note()
                return event

            try:
                last = self._follow(submission, keep)
            except Stopped:
                last = None
            except Refused as refused:
                last = keep(Failed(stage="describe", reason=str(refused)))
            os.fsync(kept.fileno())
        self._conclude(submission, last)

    def _follow(self, submission: Submission, keep: Callable[[Event], Event]) -> Event:
        """Have a submission looked at, and keep all that is told; return what came of it."""
        ladder = self._ladders.get(submission.ladder)
        with closing(self._run(submission, ladder)) as events:
            for event in events:
                if isinstance(event, Passed):
                    return keep(self._allowed(submission, event))
                keep(event)
                if isinstance(event, Failed | Broken):
                    return event
                if isinstance(event, Described):
                    self._submissions.describe(submission.number, event.bot, event.version)
                    if reason := self._admission.refusal(submission, event.bot):
                        return keep(_refused(reason))
        return keep(Broken(reason="the program that looks at submissions has ended"))

    def _conclude(self, submission: Submission, last: Event | None) -> None:
        """Bring a submission into the state that follows from the last event."""
        number = submission.number
        with suppress(Refused):  # it was withdrawn meanwhile, or its author has left
            if isinstance(last, Passed):
                check_step(self._submissions.get(number).state, State.WAITING)
                Vault(self._folder.vault).take(Vault(self._sealed(number)), last.digest)
                self._admission.passed(submission, (last.bot, last.version, last.digest))
                self._passed()
            elif isinstance(last, Failed):
                self._submissions.step(number, State.FAILED, last.reason)
            elif isinstance(last, Broken):
                state, reason = after_a_stop(submission)  # it may have been killed
                if state is State.FAILED:
                    reason = f"the site has failed, not your bot: {last.reason}; hand it in again"
                self._submissions.step(number, state, reason)
            elif self._programs.ending:
                self._submissions.put_back(number)
            log.info("submission %d: %s", number, self._submissions.get(number).words)

    def _allowed(self, submission: Submission, event: Passed) -> Event:
        """Return the event, or why the bot may not enter although it has passed."""
        reason = self._admission.refusal(submission, event.bot)
        return _refused(reason) if reason else event

    def _run(self, submission: Submission, ladder: Ladder) -> Generator[Event, None, None]:
        """Start the program that looks at a submission, and yield its events."""
        number = submission.number
        job = Job(
            archive=str(self._folder.upload(number)),
            work=str(self._folder.work(number)),
            frames=str(self._folder.frames(number)),
            vault=str(self._folder.vault),
            sealed=str(self._sealed(number)),
            ladder=ladder.name,
            contest=ladder.contest,
            author_limits=_as_map(self._limits),
        )
        self._folder.frames(number).unlink(missing_ok=True)
        seconds = self._limits.build_seconds + self._limits.check_seconds + MARGIN

        def is_wanted() -> bool:
            return self._submissions.get(number).state is State.EXAMINED

        with closing(
            self._programs.run(number, msgspec.json.encode(job), seconds, is_wanted)
        ) as lines:
            for line in lines:
                if line is None:
                    yield Failed(stage="check", reason=f"it took more than {seconds} s in all")
                    return
                yield read_event(line)


def _as_map(limits: AuthorLimits) -> dict[str, int]:
    return {name: getattr(limits, name) for name in AuthorLimits.__dataclass_fields__}


def _refused(reason: str) -> Failed:
    remedy = "give your bot another name in its bot.toml" if reason.startswith(TAKEN) else ""
    return Failed(stage="describe", reason=reason, remedy=remedy)
