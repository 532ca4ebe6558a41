"""The goal of a run: on games, on widths, on certainty or on time, whatever comes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Literal, TypeAlias

from msgspec import structs

from arena.ladder.course import course
from arena.ladder.rating import Ratings
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from arena.records.entries import Budget, Contestant, EndReason
from arena.records.ledger import Ledger

RunEnd: TypeAlias = EndReason | Literal["stages", "deadline", "few"]
"""Why nothing more is played: also as the last stage has ended, as the first one cannot end while
bots can enter, or as too few are left for a table."""


class Goal:
    """Decides after which block a run ends.

    `budget` is the ladder's, which stands in its log. `this_run` says where this run ends: what
    it says takes the place of the budget's, and changes nothing in the log.
    """

    def __init__(
        self,
        budget: Budget,
        this_run: Budget | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.budget = budget
        self.ends = self.budget.instead(this_run or Budget())
        """The budget of this run."""
        self._this_run = this_run
        self._clock = clock
        self._began = clock()

    def changed(self, budget: Budget) -> Goal:
        """Return the goal of the same run by another budget of the ladder."""
        found = Goal(budget, self._this_run, self._clock)
        found._began = self._began
        return found

    @property
    def counted(self) -> bool:
        """Whether it ends by games, so that it is known where."""
        ends = self.ends
        return any(value is not None for value in (ends.games, ends.each, ends.each_at))

    @property
    def seconds_left(self) -> float | None:
        """How long the run may still last, if its time ends it."""
        if self.ends.minutes is None:
            return None
        return max(0.0, self.ends.minutes * 60 - (self._clock() - self._began))

    def enough(self, schedule: Schedule, pairing: Pairing) -> bool:
        """Whether all games are played when this block is, the last one of the schedule."""
        return pairing.balanced and self.played(schedule)

    def played(self, schedule: Schedule) -> bool:
        """Whether so many games are played as the run is to have."""
        ends = self.ends
        if schedule.staged and ends.games is not None:
            if schedule.games >= ends.games:
                return True
            ends = structs.replace(ends, games=None)  # else they would count by the stage
        return schedule.has_played(ends)

    def reached(
        self, pairing: Pairing, ratings: Ratings, contestants: Sequence[int], *, enough: bool
    ) -> EndReason | None:
        """Return why the run ends after this block, or None if it goes on."""
        reason: EndReason | None = "budget" if enough else None
        reason = reason or shown_by(self.ends, pairing, ratings, contestants)
        return "time" if reason is None and self.seconds_left == 0.0 else reason

    def text(self, reason: RunEnd) -> str:
        """Return a reason in words."""
        return {
            "budget": "all games are played",
            "width": f"all intervals are at most {self.ends.width or 0:g} wide",
            "certain": f"the order of all neighbours is certain to {self.ends.certain or 0:g}",
            "time": "the time is up",
            "host": "the host ended it",
            "stages": "the last stage has ended",
            "deadline": "all games are played; the stage ends when no more bots can enter",
            "few": "too few are left for a table",
        }[reason]


def shown_by(
    budget: Budget, pairing: Pairing, ratings: Ratings, contestants: Sequence[int]
) -> EndReason | None:
    """Return what the ratings after this block show of what the budget wants, if anything."""
    if pairing.measured and budget.width is not None:
        ratings.grow(max(contestants) + 1)
        if ratings.widest(contestants) <= budget.width:
            return "width"
    if pairing.look and budget.certain is not None:
        ratings.grow(max(contestants) + 1)  # a forged log need not have seated everybody
        if ratings.certainty(contestants, budget.certain, pairing.look).certain:
            return "certain"
    return None


def end_reason(store: Store) -> EndReason | None:
    """Return why this ladder may end here by what its log says; None if only its host says so."""
    ledger = store.ledger
    if ledger.stages.listed:
        ended = ledger.stages.ended[-1].entry.reason if ledger.stages.over else "few"
        return None if ended == "few" else ended
    schedule = course(store)
    last = schedule.last
    if last is None or ledger.budget == Budget() or newcomers(ledger):
        return None
    goal = Goal(ledger.budget)
    ratings = scorebook(store).ratings
    enough = goal.enough(schedule, last)
    reason = goal.reached(last, ratings, schedule.contestants, enough=enough)
    return None if reason == "time" else reason


def newcomers(ledger: Ledger) -> list[Contestant]:
    """Return those that enter after the last block, in this run or in one that played nothing."""
    *earlier, last = ledger.fields
    if last.block < ledger.blocks:
        return []
    before = earlier[-1].contestants if earlier else ()
    return [ledger.contestants[number] for number in last.contestants if number not in before]
