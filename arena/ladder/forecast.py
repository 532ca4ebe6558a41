"""The forecast of a run: how many games it plays until its budget is reached, and who plays them.

The schedule does not depend on results, so this is known before the first game.
"""

from __future__ import annotations

from arena.ladder.goal import Goal, played_enough
from arena.ladder.schedule import Pairing, Schedule


class Forecast:
    """Goes through the schedule of a run that is still to be played, as far as one lets it."""

    def __init__(self, schedule: Schedule, goal: Goal) -> None:
        self._schedule = schedule.copy()
        self._schedule.settle()
        self._goal = goal
        self._before = (self._schedule.blocks, self._schedule.games)
        last = self._schedule.last
        self.done = (
            last is not None
            and (last.balanced or self._schedule.changed)
            and played_enough(goal.ends, self._schedule)
        )
        """Whether it has come to the end; never, where no count of games ends the run."""

    @property
    def blocks(self) -> int:
        """The number of blocks that are still to be played, as far as it has gone."""
        return self._schedule.blocks - self._before[0]

    @property
    def games(self) -> int:
        """The number of games that are still to be played, as far as it has gone."""
        return self._schedule.games - self._before[1]

    @property
    def total(self) -> int | None:
        """All games of the ladder at the end of the run; None where that is not known yet."""
        return self._schedule.games if self.done else None

    def games_of(self, contestant: int) -> int:
        """Return the games of a contestant up to where it has gone."""
        return self._schedule.meetings.games(contestant)

    def next(self, *, seated: bool = False) -> Pairing:
        """Go past one more block; unless it is seated, its contestants are in no certain order."""
        pairing = self._schedule.next() if seated else self._schedule.skip()
        self.done = self._goal.enough(self._schedule, pairing)
        return pairing

    def go_on(self, blocks: int) -> None:
        """Go past so many more blocks, or to the end."""
        if self._goal.counted:
            for _ in range(blocks):
                if self.done:
                    return
                self.next()
