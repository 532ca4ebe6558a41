"""Matches: unrated games that somebody asks for, to test his bot or as a challenge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.site.rules.people import NotNow, NotThere, Person
from arena.wording import counted


class MatchState(StrEnum):
    """Where a match stands."""

    QUEUED = "queued"
    RUNNING = "running"
    """It is played now."""
    PLAYED = "played"
    FAILED = "failed"
    """It could not be played."""
    WITHDRAWN = "withdrawn"


WORDS: Final = {
    MatchState.QUEUED: "in the queue",
    MatchState.RUNNING: "being played",
    MatchState.PLAYED: "played",
    MatchState.FAILED: "could not be played",
    MatchState.WITHDRAWN: "withdrawn",
}
OPEN: Final = frozenset({MatchState.QUEUED, MatchState.RUNNING})
"""The states in which something is still to come."""
NEXT: Final = {
    MatchState.QUEUED: frozenset({MatchState.RUNNING, MatchState.WITHDRAWN}),
    MatchState.RUNNING: frozenset(
        {MatchState.QUEUED, MatchState.PLAYED, MatchState.FAILED, MatchState.WITHDRAWN}
    ),
    MatchState.PLAYED: frozenset[MatchState](),
    MatchState.FAILED: frozenset[MatchState](),
    MatchState.WITHDRAWN: frozenset[MatchState](),
}
"""Which state may follow on which; a site that was ended goes back from `running` to `queued`."""
MOST_WAITING: Final = 300
"""Matches that wait on the whole site."""
MOST_ATTEMPTS: Final = 3
"""How often it is tried to play a match, if the site is ended meanwhile."""
KEPT: Final = 2000
"""So many of the last matches are kept, and all of the last day."""


@dataclass(frozen=True)
class MatchBot:
    """A bot that can play in a match, or does."""

    name: str
    version: str
    digest: str
    person: int | None = None
    """Whose it is; None for the host's, and for those of people who are gone."""
    author: str = ""


@dataclass(frozen=True)
class Match:
    """A match that somebody has started."""

    number: int
    person: int
    starter: str
    """The name of whoever has started it."""
    ladder: str
    state: MatchState
    made: int
    changed: int
    deals: int
    bots: tuple[MatchBot, ...]
    submission: int | None = None
    """The submission that it tests; such a match is its author's business. None for challenges."""
    attempt: int = 0
    reason: str = ""

    @property
    def words(self) -> str:
        """Its state in words."""
        return WORDS[self.state]

    @property
    def is_open(self) -> bool:
        """Whether something is still to come."""
        return self.state in OPEN

    @property
    def is_challenge(self) -> bool:
        """Whether everybody sees it."""
        return self.submission is None

    @property
    def games(self) -> int:
        """How many games it has: each deal is played once for each bot."""
        return self.deals * len(self.bots)

    def seen_by(self, person: Person | None) -> Match:
        """Return it, if this person may see it; raise `NotThere` as if it did not exist."""
        if self.is_challenge or (person is not None and person.number == self.person):
            return self
        raise nothing_there(self.number)

    def bots_of(self, person: Person | None) -> frozenset[int]:
        """Return the places of the bots that are of this person."""
        if person is None:
            return frozenset()
        return frozenset(
            place for place, bot in enumerate(self.bots) if bot.person == person.number
        )


def nothing_there(number: int) -> NotThere:
    """Return the error for a match that is not there, or is none of somebody's business."""
    return NotThere(f"there is no match {number} here")


def find_bot(name: str, there: Sequence[MatchBot], ladder: str) -> MatchBot:
    """Return the bot with this name or digest; raise `NotThere` if it is not among these."""
    # A bot can have the name that is another's digest, so digests count first.
    by_digest = [bot for bot in there if bot.digest == name]
    for bot in (*by_digest, *(bot for bot in there if bot.name == name)):
        return bot
    raise NotThere(f"no bot {name!r} can be asked on {ladder}")


def check_match_step(old: MatchState, new: MatchState) -> None:
    """Raise `NotNow` if a match cannot go from the one state to the other."""
    if new not in NEXT[old]:
        raise NotNow(f"it is {WORDS[old]}, so it cannot be: {WORDS[new]}")


def after_a_stop(match: Match) -> tuple[MatchState, str]:
    """Return what becomes of a match that was played when the site was ended."""
    if match.attempt < MOST_ATTEMPTS:
        return MatchState.QUEUED, ""
    return MatchState.FAILED, (
        f"the site failed, or was ended, {MOST_ATTEMPTS} times while it was played; start another"
    )


def after_the_games(match: Match, played: int) -> tuple[MatchState, str]:
    """Return what becomes of a match of which so many games were played."""
    if played == match.games:
        return MatchState.PLAYED, ""
    games = f"{played} of {counted(match.games, 'game')} could be played in its time"
    return (MatchState.PLAYED if played else MatchState.FAILED), games
