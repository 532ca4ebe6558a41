"""Meetings: who has played how often, who has met whom, and the next table that follows from it.

Everything is counted by table size. Blocks of each contestant are counted over the whole log,
also while it does not play. Meetings are counted among those who play; who leaves and enters
again has met nobody. Only counts decide who sits at the next table, never results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from arena.records.entries import Form

Counts = npt.NDArray[np.int64]
Pairs = npt.NDArray[np.int32]

MANY = np.iinfo(np.int64).max
"""The least of nobody's games."""


class MeetingsState(Form, frozen=True, kw_only=True):
    """All counts, so that they can be saved."""

    playing: Sequence[int]
    blocks: Sequence[Sequence[int]]
    """By contestant, then by table size."""
    met: Sequence[Sequence[int]]
    """By table size, for each two who play: the pairs below the diagonal, row by row."""


class Meetings:
    """Counts of blocks and meetings, and the tables that make them even."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = tuple(sizes)
        self._at = {size: at for at, size in enumerate(self._sizes)}
        self._factor: Counts = np.array(self._sizes, dtype=np.int64)
        self._blocks: Counts = np.zeros((0, len(self._sizes)), dtype=np.int64)
        self.playing: tuple[int, ...] = ()
        self._place: dict[int, int] = {}
        """The row of each contestant who plays."""
        self._games: Counts = np.zeros((0, len(self._sizes)), dtype=np.int64)
        """Games of those who play, by table size."""
        self._met: list[Pairs] = [np.zeros((0, 0), dtype=np.int32) for _ in self._sizes]
        """Blocks that two played together, by table size; the diagonal means nothing."""
        self._together: Pairs = np.zeros((0, 0), dtype=np.int32)
        """Games that two played together, at all tables."""

    def enter(self, contestants: Sequence[int]) -> None:
        """Let these play from now on, and nobody else."""
        known = len(self._blocks)
        if contestants and max(contestants) >= known:
            more = max(contestants) + 1 - known
            self._blocks = np.concatenate(
                (self._blocks, np.zeros((more, len(self._sizes)), dtype=np.int64))
            )
        self._save_games()
        stay = [number for number in contestants if number in self._place]
        before = [self._place[number] for number in stay]
        self.playing = tuple(contestants)
        self._place = {number: at for at, number in enumerate(self.playing)}
        after = [self._place[number] for number in stay]
        self._games = self._blocks[list(self.playing)] * self._factor
        for at, old in enumerate(self._met):
            met = np.zeros((len(self.playing), len(self.playing)), dtype=np.int32)
            met[np.ix_(after, after)] = old[np.ix_(before, before)]
            self._met[at] = met
        self._add_up()

    def play(self, group: Sequence[int]) -> None:
        """Count a block of these contestants."""
        size = len(group)
        at = self._at[size]
        met = self._met[at]
        rows = [self._place[number] for number in group]
        self._games[rows, at] += size
        for row in rows:
            met[row, rows] += 1
            self._together[row, rows] += size

    def take_back(self, group: Sequence[int]) -> None:
        """Take a block of these off the counts, as it does not count any more.

        Who has left and entered again has met nobody since, so meetings stay at zero at least.
        """
        size = len(group)
        at = self._at[size]
        rows = [self._place[number] for number in group if number in self._place]
        self._games[rows, at] -= size
        for number in group:
            if number not in self._place:
                self._blocks[number, at] -= 1
        met = self._met[at]
        for row in rows:
            less = met[row, rows] > 0
            met[row, rows] -= less
            self._together[row, rows] -= size * less

    def games(self, number: int) -> int:
        """Return how many games a contestant has played."""
        if number in self._place:
            return int(self._games[self._place[number]].sum())
        return int((self._blocks[number] * self._factor).sum()) if number < len(self._blocks) else 0

    def least(self) -> int:
        """Return the games of the one who plays now and has played least."""
        return int(self._games.sum(axis=1).min(initial=MANY))

    def have(self, quota: Mapping[int, int]) -> bool:
        """Whether all who play have so many games at tables of each size."""
        return all(
            int(self._games[:, self._at[size]].min(initial=MANY)) >= games
            for size, games in quota.items()
        )

    def table(
        self, quota: Mapping[int, int] | None = None, sizes: Collection[int] = ()
    ) -> list[int]:
        """Return who sits at the next table, by their numbers; of these sizes, if any are named.

        The first is the one who has played least; with a quota, only games within it count, and
        all games among equals. The size is the one at which this contestant has played least, or
        the smallest part of the quota.

        Then one after the other joins for whom this sum is least: by how much oftener the first
        has met him at this size than the one whom it has met least, plus one for each other at
        the table that has met him oftener than the one whom it has met least. Among equals it is
        the one who has had fewest games with the first, then the one who has played least, then
        the one with the lowest number. So the first meets all alike, whatever the others have
        behind them.
        """
        first = self._first(quota)
        at = self._size(first, quota, sizes or self._sizes)
        met, together = self._met[at], self._together[first]
        total = self._games.sum(axis=1)
        free = np.ones(len(total), dtype=np.bool_)
        free[first] = False
        rows = [first]
        while len(rows) < self._sizes[at]:
            found = free.nonzero()[0]
            cost = met[first][found]
            cost -= cost.min()
            for row in rows[1:]:
                others = met[row][found]
                cost += others > others.min()
            found = found[cost == cost.min()]
            for counts in (together, total):
                keys = counts[found]
                found = found[keys == keys.min()]
            row = int(found[0])
            rows.append(row)
            free[row] = False
        return [self.playing[row] for row in rows]

    def _first(self, quota: Mapping[int, int] | None) -> int:
        total = self._games.sum(axis=1)
        if quota is None:
            return int(total.argmin())
        most = np.array([quota[size] for size in self._sizes], dtype=np.int64)
        within = np.minimum(self._games, most).sum(axis=1)
        found = (within == within.min()).nonzero()[0]
        return int(found[total[found].argmin()])

    def _size(self, row: int, quota: Mapping[int, int] | None, sizes: Collection[int]) -> int:
        def part(size: int) -> float:
            games = int(self._games[row, self._at[size]])
            return games if quota is None else games / quota[size]

        return self._at[min(sorted(sizes), key=part)]

    def _save_games(self) -> None:
        """Keep the blocks of those who play with those of all."""
        if self.playing:
            self._blocks[list(self.playing)] = self._games // self._factor

    def state(self) -> MeetingsState:
        """Return all counts; `restored` gives them back exactly, even through JSON."""
        self._save_games()
        below = np.tril_indices(len(self.playing), -1)
        return MeetingsState(
            playing=self.playing,
            blocks=self._blocks.tolist(),
            met=[met[below].tolist() for met in self._met],
        )

    @classmethod
    def restored(cls, sizes: Sequence[int], state: MeetingsState) -> Meetings:
        """Return the meetings that gave this state."""
        found = cls(sizes)
        found._blocks = np.array(state.blocks, dtype=np.int64).reshape(-1, len(found._sizes))
        found.enter(state.playing)
        below = np.tril_indices(len(found.playing), -1)
        for at, counts in enumerate(state.met):
            found._met[at][below] = counts
            found._met[at] += found._met[at].T
        found._add_up()
        return found

    def _add_up(self) -> None:
        players = len(self.playing)
        self._together = np.zeros((players, players), dtype=np.int32)
        for size, met in zip(self._sizes, self._met, strict=True):
            self._together += size * met
