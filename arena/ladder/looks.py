"""The looks at a ladder's results: after which blocks its order is tested, and its widths.

Certainty is tested only at a few points, each at twice as many blocks as the one before; testing
more often inflates false positives. Widths are looked at whenever a twentieth more is played, as
a fit takes time. When the field changes, both distances begin again from there, and looks are
numbered on. So looks depend on the schedule alone, and an interrupted run has the same ones.
"""

from __future__ import annotations

from arena.ladder.rating import first_look
from arena.records.entries import Form

STEP = 20
"""Widths are looked at when one part in so many was added to the blocks."""


class LooksState(Form, frozen=True, kw_only=True):
    """All of the looks so far, so that they can be saved."""

    since: int
    looks: int
    next_look: int
    next_measure: int


class Looks:
    """Counts the looks of a schedule, block by block."""

    def __init__(self) -> None:
        self._since = 0
        """The block at which the field changed last."""
        self._looks = 0
        self._next_look = 0
        """How many blocks are played when the next look is due."""
        self._next_measure = 0

    def enter(self, contestants: int, blocks: int) -> None:
        """Begin again at this block, with so many contestants."""
        self._since = blocks
        self._next_look = self._next_measure = blocks + first_look(contestants)

    def passed(self, block: int, *, balanced: bool, apart: int = 1) -> tuple[int, bool]:
        """Count a block; return the number of the look due after it, or 0, and whether to measure.

        Nothing is due but at balanced points. Widths are looked at after so many blocks at least.
        """
        played = block + 1
        if not balanced:
            return 0, False
        look = 0
        if played >= self._next_look:
            self._looks += 1
            look = self._looks
            while self._next_look <= played:
                self._next_look = self._since + 2 * (self._next_look - self._since)
        measured = played >= self._next_measure
        if measured:
            self._next_measure = played + max(apart, (played - self._since) // STEP)
        return look, measured

    def state(self) -> LooksState:
        """Return all state; `restored` gives it back."""
        return LooksState(
            since=self._since,
            looks=self._looks,
            next_look=self._next_look,
            next_measure=self._next_measure,
        )

    @classmethod
    def restored(cls, state: LooksState) -> Looks:
        """Return the looks that gave this state."""
        found = cls()
        found._since = state.since
        found._looks = state.looks
        found._next_look = state.next_look
        found._next_measure = state.next_measure
        return found
