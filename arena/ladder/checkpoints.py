"""Checkpoints: after which blocks all is stored and decided before any other block is played.

What follows from results, as who is set aside, takes effect there and nowhere else. So it does
not depend on how many blocks were under way, nor on the number of workers. Workers wait at a
checkpoint for those who are not done, so there is some distance between two.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.entries import Form

LEAST = 16
"""Blocks between two checkpoints, at least."""
STEP = 20
"""When one part in so many was added to the blocks of the stage, there is another."""


class CheckpointsState(Form, frozen=True, kw_only=True):
    """All of the checkpoints so far, so that they can be saved."""

    since: int
    next: int


class Checkpoints:
    """Counts the blocks of a schedule up to the next checkpoint for those who keep failing."""

    def __init__(self) -> None:
        self._since = 0
        """The block at which the stage began."""
        self._next = 0
        """How many blocks are played when the next one is due."""

    def begin(self, blocks: int) -> None:
        """Begin again with a stage, at this block."""
        self._since = self._next = blocks

    def passed(self, block: int, last_games: int, players: int, sizes: Sequence[int]) -> bool:
        """Count a block; return whether a checkpoint is due after it.

        The next is due when everybody has played about as many games as are looked at.
        """
        played = block + 1
        if played < self._next:
            return False
        due = self._next > self._since
        new = last_games * players * len(sizes) // sum(size * size for size in sizes)
        self._next = played + max(LEAST, new, (played - self._since) // STEP)
        return due

    def state(self) -> CheckpointsState:
        """Return all state; `restored` gives it back."""
        return CheckpointsState(since=self._since, next=self._next)

    @classmethod
    def restored(cls, state: CheckpointsState) -> Checkpoints:
        """Return the checkpoints that gave this state."""
        found = cls()
        found._since, found._next = state.since, state.next
        return found
