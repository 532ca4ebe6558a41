"""Failures: in how many of its last games a contestant had a fault."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence

from arena.records.entries import MOST_LAST_GAMES, Form


class FailuresState(Form, frozen=True, kw_only=True):
    """All failures that can still count, so that they can be saved."""

    games: Sequence[tuple[int, int]]
    """A contestant, and how many games it has played."""
    failed: Sequence[tuple[int, Sequence[int]]]
    """A contestant, and the last of its games in which it failed, by their numbers among its own,
    from 1."""


class Failures:
    """Counts games and faults, game by game in the order of the log."""

    def __init__(self, state: FailuresState | None = None) -> None:
        self._games: dict[int, int] = dict(state.games) if state else {}
        self._failed: dict[int, list[int]] = (
            {contestant: list(games) for contestant, games in state.failed} if state else {}
        )

    def add(self, players: Sequence[int], failed: Collection[int]) -> None:
        """Count a game of these, in which some have failed."""
        for player in players:
            self._games[player] = self._games.get(player, 0) + 1
        for player in failed:
            games = self._failed.setdefault(player, [])
            games.append(self._games[player])
            del games[:-MOST_LAST_GAMES]

    def among_last(self, contestant: int, games: int) -> tuple[int, int]:
        """Return in how many of its last games it failed, and how many these are."""
        played = self._games.get(contestant, 0)
        failed = self._failed.get(contestant, [])
        return len(failed) - bisect_right(failed, played - games), min(played, games)

    def state(self) -> FailuresState:
        """Return all state."""
        failed: Mapping[int, Sequence[int]] = self._failed
        return FailuresState(games=list(self._games.items()), failed=list(failed.items()))
