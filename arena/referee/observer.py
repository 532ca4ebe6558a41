"""Somebody who watches a game while it is played."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.game import Action, State
from arena.records.entries import SeatFault


class Observer:
    """Is told what happens at a table, as it happens. By default it takes no notice.

    A game that is observed keeps its events. Bots notice nothing, but wait while a method runs.
    """

    def began(self, state: State) -> None:
        """The cards are dealt. The state goes on changing, so look at it now; see `Watch`."""

    def failed(self, fault: SeatFault) -> None:
        """A seat has failed, and is played on by default actions."""

    def decided(self, seat: int, action: Action, note: str, micros: int) -> None:
        """A seat has decided, and the state shows it; of a failed seat there are no `micros`."""

    def ended(self, scores: Sequence[int], places: Sequence[int]) -> None:
        """The game is over."""
