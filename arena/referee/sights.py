"""What viewers see of a game: after every event where the game shows that, else by decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.events import Event
from arena.games.game import ONLOOKER, State, View, Viewer
from arena.games.score_parts import ScorePart


@dataclass(frozen=True)
class Sight:
    """What one viewer sees of a state."""

    view: View
    parts: Sequence[Sequence[ScorePart] | None]
    """Of the points of each seat, None where they are hidden."""


@dataclass(frozen=True)
class Moment:
    """The table right after events, as each viewer sees it."""

    events: Sequence[Event]
    """One event if the game shows its state after each; else all that a decision led to."""
    sights: Sequence[Sight]
    """By viewer."""


class Watch:
    """Follows a state that keeps its events, and says what viewers have seen of it."""

    def __init__(self, state: State, viewers: Sequence[Viewer]) -> None:
        assert state.events is not None
        self._state = state
        self._viewers = viewers
        self._moments: list[Moment] = []
        self._told = len(state.events)
        self.opening = Moment(list(state.events), self._sights())
        """The table before the first decision, after all events that led there."""
        if hasattr(state, "on_event"):
            state.on_event = self._see

    def moments(self) -> Sequence[Moment]:
        """Return what was seen since this was last asked, which is to be after each decision.

        There is one moment at least, and the last one shows the state as it now is.
        """
        events = self._state.events or []
        *found, last = self._moments or [Moment(events[self._told :], ())]
        self._moments = []
        self._told = len(events)
        return [*found, Moment(last.events, self._sights())]

    def _see(self) -> None:
        self._moments.append(Moment((self._state.events or [])[-1:], self._sights()))

    def _sights(self) -> list[Sight]:
        return [_sight(self._state, viewer) for viewer in self._viewers]


def _sight(state: State, viewer: Viewer) -> Sight:
    if viewer is None:
        view = state.full_view()
    else:
        view = state.public_view() if viewer == ONLOOKER else state.view(viewer)
    return Sight(view, state.score_parts(viewer))
