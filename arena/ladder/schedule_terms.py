"""What a log says that its schedule depends on: the budget, stages, rules, and what is annulled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from arena.ladder.schedule import Schedule
from arena.records.entries import Annulled, Budget, Changed, Entry, SetAside, Stage, StageEnded
from arena.records.ledger import LedgerState
from arena.records.stages import stage_tables

Groups: TypeAlias = Callable[[Sequence[int]], Iterable[Sequence[int]]]
"""Returns who played these blocks, by their numbers, in this order."""


class ScheduleTerms:
    """Follows the entries of a log that are no blocks, and tells its schedule what they say.

    Who enters is told by whoever reads the log, since only the last word before a block counts.
    """

    def __init__(
        self, schedule: Schedule, sizes: Sequence[int], state: LedgerState | None = None
    ) -> None:
        self._schedule = schedule
        self._sizes = tuple(sizes)
        self._budget = state.budget if state else Budget()
        self._stages: tuple[Stage, ...] = state.stages.listed if state else ()
        self._ended = len(state.stages.ended) if state else 0
        self._set_aside: SetAside | None = state.set_aside if state else None
        if state and state.stages.ended and state.stages.ended[-1].block == schedule.blocks:
            self._begin()
        self._tell()

    def follow(self, entry: Entry, groups: Groups) -> None:
        """Follow an entry."""
        match entry:
            case Changed():
                self._change(entry)
            case StageEnded():
                self._ended += 1
                self._begin()
                self._tell()
            case Annulled():
                self._schedule.annul(groups(entry.blocks))
            case _:
                pass

    def _change(self, entry: Changed) -> None:
        self._budget = self._budget if entry.budget is None else entry.budget
        self._set_aside = self._set_aside if entry.set_aside is None else entry.set_aside
        if entry.stages is not None:
            self._stages = entry.stages
            if not self._schedule.blocks:
                first = entry.stages[0] if entry.stages else None
                self._schedule.begin(stage_tables(first, self._sizes))
        self._tell()

    def _begin(self) -> None:
        """Let the stage that is on begin with the next block."""
        if self._ended < len(self._stages):
            self._schedule.begin(stage_tables(self._stages[self._ended], self._sizes))

    def _tell(self) -> None:
        staged = bool(self._stages)
        on = self._stages[self._ended] if self._ended < len(self._stages) else None
        budget = on.budget if on else Budget() if staged else self._budget
        self._schedule.change(budget)
        self._schedule.decide(staged=staged, set_aside=self._set_aside)
