"""The goal of a run: on games, on widths, on certainty or on time, whatever comes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from msgspec import structs

from arena.ladder.rating import Ratings
from arena.ladder.schedule import Pairing, Schedule
from arena.records.entries import Budget, EndReason

DEFAULT_BUDGET = Budget(each=1000)
"""The budget of a ladder whose definition has none."""


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
        self.budget = DEFAULT_BUDGET if budget == Budget() else budget
        """The ladder's budget, with the default where a definition has none."""
        self.ends = _instead(self.budget, this_run or Budget())
        """The budget of this run."""
        self._clock = clock
        self._began = clock()

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
        return pairing.balanced and played_enough(self.ends, schedule)

    def reached(
        self, pairing: Pairing, ratings: Ratings, contestants: Sequence[int], *, enough: bool
    ) -> EndReason | None:
        """Return why the run ends after this block, or None if it goes on."""
        reason: EndReason | None = "budget" if enough else None
        reason = reason or shown_by(self.ends, pairing, ratings, contestants)
        return "time" if reason is None and self.seconds_left == 0.0 else reason

    def text(self, reason: EndReason) -> str:
        """Return a reason in words."""
        return {
            "budget": "all games are played",
            "width": f"all intervals are at most {self.ends.width or 0:g} wide",
            "certain": f"the order of all neighbours is certain to {self.ends.certain or 0:g}",
            "time": "the time is up",
            "host": "the host ended it",
        }[reason]


def played_enough(budget: Budget, schedule: Schedule) -> bool:
    """Whether the games of this budget are played, by the counts of the schedule."""
    return (
        (budget.games is not None and schedule.games >= budget.games)
        or (budget.each is not None and schedule.meetings.least() >= budget.each)
        or (budget.quota is not None and schedule.meetings.have(budget.quota))
    )


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


def _instead(budget: Budget, given: Budget) -> Budget:
    """Return the budget with what is given in its place; all counts of games are one kind."""
    if any(value is not None for value in (given.games, given.each, given.each_at)):
        budget = structs.replace(budget, games=None, each=None, each_at=None)
    changes = {name: value for name, value in structs.asdict(given).items() if value is not None}
    return structs.replace(budget, **changes)
