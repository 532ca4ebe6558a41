"""The forecast of a run: how many games it plays until its budget is reached, and who plays them.

The schedule does not depend on results, so this is known before the first game; with stages, up
to the end of the one that is on.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.ladder.goal import Goal
from arena.ladder.schedule import Pairing, Schedule
from arena.records.entries import Stage
from arena.records.stages import stage_tables


def stage_games(stage: Stage, ladder: str, sizes: Sequence[int]) -> int:
    """Return how many games a later stage has if as many play in it as it takes."""
    schedule = Schedule(ladder, sizes)
    schedule.begin(stage_tables(stage, sizes))
    schedule.enter(range(stage.best or 0))
    schedule.change(stage.budget)
    schedule.decide(staged=True, set_aside=None)
    while not (schedule.skip().balanced and schedule.stage_played):
        pass
    return schedule.games


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
            and goal.played(self._schedule)
        )
        """Whether it has come to the end; never, where no count of games ends the run.

        A stage that is on has not come to its end, else that would be in the log. If its games are
        played all the same, as its budget was cut or who lacked games has left, it ends at the next
        checkpoint.
        """

    @property
    def counted(self) -> bool:
        """Whether a count of games ends it, so that it is known where."""
        return self._schedule.playable and (self._goal.counted or self._schedule.staged)

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
        played = pairing.balanced and self._schedule.stage_played
        self.done = self._goal.enough(self._schedule, pairing) or played
        return pairing

    def go_on(self, blocks: int) -> None:
        """Go past so many more blocks, or to the end."""
        for _ in range(blocks):
            if self.done or not self.counted:
                return
            self.next()
