"""The goal of a run: it ends at a balanced point, once enough was played or all is certain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from arena.ladder.definition import Budget
from arena.ladder.rating import Ratings, first_look
from arena.ladder.schedule import Pairing

DEFAULT_GAMES = 1000
"""How many games a ladder has whose definition does not say when it ends."""


class Goal:
    """Follows the schedule, and says after which block the run has reached its end.

    How certain the order is is looked up at few points, each at twice as many blocks as the
    one before: who looks too often sees what he wants to see. The points depend on the
    schedule alone, so an interrupted run looks where it would have looked anyway.
    """

    def __init__(
        self, budget: Budget, games: int | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self.games = games or (DEFAULT_GAMES if budget == Budget() else budget.games)
        self._certain = budget.certain
        self._minutes = budget.minutes
        self._clock = clock
        self._began = clock()
        self._looks = 0
        self._next_look = 0

    def passed(self, pairing: Pairing, contestants: int) -> int:
        """Go past a block of the schedule; the number of the look that is due, or 0."""
        if not self._next_look:
            self._next_look = first_look(contestants)
        if not pairing.balanced or pairing.block + 1 < self._next_look:
            return 0
        self._looks += 1
        while self._next_look <= pairing.block + 1:
            self._next_look *= 2
        return self._looks

    def enough(self, pairing: Pairing) -> bool:
        """Whether so many games are played, everybody treated alike."""
        enough = self.games is not None and pairing.games_so_far >= self.games
        return pairing.balanced and enough

    def reached(
        self, pairing: Pairing, ratings: Ratings, contestants: Sequence[int], look: int
    ) -> str:
        """Why the run ends after this block; empty if it goes on."""
        if not pairing.balanced:
            return ""
        if self.enough(pairing):
            return "all games are played"
        level = self._certain
        if look and level is not None and ratings.certainty(contestants, level, look).certain:
            return f"the order of all neighbours is certain to {level:g}"
        if self._minutes is not None and self._clock() - self._began >= self._minutes * 60:
            return "the time is up"
        return ""
