"""The goal of a run: it ends at a balanced point, on games, on time or on certainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from arena.ladder.rating import Ratings, first_look
from arena.ladder.schedule import Pairing
from arena.records.entries import Budget, EndReason

DEFAULT_GAMES = 1000
"""Games of a ladder whose definition has no budget."""


class Goal:
    """Follows the schedule and decides after which block a run ends.

    Certainty is tested only at a few points, called looks, each at twice as many blocks as the
    one before; testing more often inflates false positives. The looks depend on the schedule
    alone, so an interrupted run has the same looks as one without a break.
    """

    def __init__(
        self, budget: Budget, games: int | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        if budget == Budget():
            budget = Budget(games=DEFAULT_GAMES)
        self._budget = budget
        self.games = games or budget.games
        self._certain = budget.certain
        self._minutes = budget.minutes
        self._clock = clock
        self._began = clock()
        self._looks = 0
        self._next_look = 0

    def passed(self, pairing: Pairing, contestants: int) -> int:
        """Count a block of the schedule; return the number of the look due after it, or 0."""
        if not self._next_look:
            self._next_look = first_look(contestants)
        if not pairing.balanced or pairing.block + 1 < self._next_look:
            return 0
        self._looks += 1
        while self._next_look <= pairing.block + 1:
            self._next_look *= 2
        return self._looks

    @property
    def budget(self) -> Budget:
        """The budget, with the default where a definition has none."""
        return self._budget

    def enough(self, pairing: Pairing) -> bool:
        """Whether the wanted games are played and everybody was treated alike."""
        enough = self.games is not None and pairing.games_so_far >= self.games
        return pairing.balanced and enough

    def reached(
        self, pairing: Pairing, ratings: Ratings, contestants: Sequence[int], look: int
    ) -> EndReason | None:
        """Return why the run ends after this block, or None if it goes on."""
        if not pairing.balanced:
            return None
        if self.enough(pairing):
            return "budget"
        level = self._certain
        if look and level is not None and ratings.certainty(contestants, level, look).certain:
            return "certain"
        if self._minutes is not None and self._clock() - self._began >= self._minutes * 60:
            return "time"
        return None

    def text(self, reason: EndReason) -> str:
        """Return a reason in words."""
        return {
            "budget": "all games are played",
            "certain": f"the order of all neighbours is certain to {self._certain or 0:g}",
            "time": "the time is up",
            "host": "the host ended it",
        }[reason]
