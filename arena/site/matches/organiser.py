"""Takes matches from the queue, has each played by a program, and keeps what it tells."""

from __future__ import annotations

import logging
import os
import shutil
from contextlib import closing, suppress
from typing import Final

import msgspec

from arena.records.entries import Contestant
from arena.site.database.matches import Matches
from arena.site.folder import SiteFolder
from arena.site.matches.events import Broken, Event, Job, Over, read_event
from arena.site.matches.results import EVENTS
from arena.site.play.ladders import Ladders
from arena.site.queue.programs import Programs, Stopped
from arena.site.rules.limits import AuthorLimits
from arena.site.rules.matches import Match, MatchState, after_a_stop, after_the_games
from arena.site.rules.people import Refused

MARGIN: Final = 60
"""Seconds after which a program is killed that has not ended by itself in its time."""
POLITE: Final = 10
"""How far matches stand back behind the site and the ladders."""
log = logging.getLogger("arena.site.matches")


class Organiser:
    """Has matches played, one at a time."""

    def __init__(
        self, folder: SiteFolder, matches: Matches, ladders: Ladders, limits: AuthorLimits
    ) -> None:
        self._folder = folder
        self._matches = matches
        self._ladders = ladders
        self._limits = limits
        self._programs = Programs(folder, "arena.site.matches.playing", POLITE)

    def go_on(self) -> None:
        """Put back into the queue what was played when the last server ended."""
        for match in self._matches.go_on():
            log.info("match %d: %s", match.number, match.words)

    def stop(self) -> None:
        """Stop; what is being played goes back into the queue."""
        self._programs.stop()

    def withdraw(self, match: Match) -> Match:
        """Take a match back that waits or is played."""
        left = self._matches.step(match.number, MatchState.WITHDRAWN)
        self._programs.leave(match.number)
        return left

    def serve_next(self) -> bool:
        """Play the first match in the queue; return whether there was one."""
        match = self._matches.take_next()
        if match is None:
            return False
        log.info("match %d: played for the %d. time", match.number, match.attempt)
        last: Event | None
        try:
            last = self._follow(match)
        except Stopped:
            last = None
        except Exception as error:
            if not isinstance(error, Refused):
                log.exception("match %d", match.number)
            last = Broken(reason=str(error))
        self._conclude(match, last)
        for number in self._matches.forget():
            shutil.rmtree(self._folder.match(number), ignore_errors=True)
        return True

    def _follow(self, match: Match) -> Event:
        """Have a match played, and keep all that is told; return what came of it."""
        place = self._folder.match(match.number)
        job = Job(
            contest=self._ladders.get(match.ladder).contest,
            bots=tuple(Contestant(bot.name, bot.version, bot.digest) for bot in match.bots),
            deals=match.deals,
            seconds=self._limits.match_seconds,
            vault=str(self._folder.vault),
            place=str(place),
        )

        def is_wanted() -> bool:
            return self._matches.get(match.number).state is MatchState.RUNNING

        seconds = self._limits.match_seconds + MARGIN
        data = msgspec.json.encode(job)
        with closing(self._programs.run(match.number, data, seconds, is_wanted)) as lines:
            for line in lines:
                if line is None:
                    return Broken(reason=f"it has not ended after {seconds} s")
                with (place / EVENTS).open("ab") as kept:
                    kept.write(line + b"\n")
                    event = read_event(line)
                    if isinstance(event, Over | Broken):
                        kept.flush()
                        os.fsync(kept.fileno())
                        return event
        return Broken(reason="the program that plays matches has ended")

    def _conclude(self, match: Match, last: Event | None) -> None:
        """Bring a match into the state that follows from the last event."""
        number = match.number
        with suppress(Refused):  # it was withdrawn meanwhile, or its starter has left
            if isinstance(last, Over):
                self._matches.step(number, *after_the_games(match, last.games))
            elif isinstance(last, Broken):
                log.error("match %d: %s", number, last.reason)
                self._matches.step(number, *after_a_stop(match))
            elif self._programs.ending:
                self._matches.put_back(number)
            log.info("match %d: %s", number, self._matches.get(number).words)
