"""The counts of the log: who had the better place, as a whole and stretch by stretch.

The games of a block share their cards, so a block is one observation, not as many as it has
games. The log is counted in stretches of equally many whole blocks: one block each at first;
when there would be more than `MOST` stretches, neighbours are merged in pairs. So the counts
do not grow with the log, and the scatter between stretches still measures chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

MOST = 128
"""The most stretches; even, so that they merge in pairs."""

Placing = tuple[Sequence[int], Sequence[int]]
"""The players, and their places: 1 is the best, and those who tie share the better place."""


class TallyState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a tally, so that it can be saved."""

    games: int
    blocks: int
    points: Sequence[Sequence[float]]
    length: int
    stretches: Sequence[tuple[Sequence[float], Sequence[int]]]
    """The points and the meetings of each."""


class Stretch:
    """The counts of consecutive blocks: everybody's points, and how often each pair met."""

    __slots__ = ("meetings", "points")

    def __init__(self, points: list[float], meetings: list[int]) -> None:
        self.points = points
        self.meetings = meetings

    def grow(self, contestants: int) -> None:
        """Make room for more contestants."""
        self.points += [0.0] * (contestants - len(self.points))
        self.meetings += [0] * (pairs(contestants) - len(self.meetings))

    def merge(self, other: Stretch) -> Stretch:
        """Return the counts of both together."""
        return Stretch(
            [a + b for a, b in zip(self.points, other.points, strict=True)],
            [a + b for a, b in zip(self.meetings, other.meetings, strict=True)],
        )


class Tally:
    """The counts of a log; each meeting of two is worth one point, halved if they tie."""

    def __init__(self) -> None:
        self.contestants = 0
        self.games = 0
        self.blocks = 0
        self.points: list[list[float]] = []
        self.length = 1
        self.stretches: list[Stretch] = []

    def add(self, games: Sequence[Placing]) -> None:
        """Count the games of a block."""
        self.grow(1 + max(max(players) for players, _ in games))
        if self.blocks == self.length * len(self.stretches):
            self._open()
        stretch = self.stretches[-1]
        mine, meetings, points = stretch.points, stretch.meetings, self.points
        for players, places in games:
            for at, a in enumerate(players):
                place = places[at]
                row = points[a]
                for other in range(at):
                    b = players[other]
                    ahead = places[other] - place
                    won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
                    row[b] += won
                    points[b][a] += 1 - won
                    mine[a] += won
                    mine[b] += 1 - won
                    meetings[pair(a, b)] += 1
        self.games += len(games)
        self.blocks += 1

    def grow(self, contestants: int) -> None:
        """Make room for this many contestants."""
        if contestants <= self.contestants:
            return
        self.contestants = contestants
        for row in self.points:
            row.extend([0.0] * (contestants - len(row)))
        while len(self.points) < contestants:
            self.points.append([0.0] * contestants)
        for stretch in self.stretches:
            stretch.grow(contestants)

    def _open(self) -> None:
        """Begin a stretch; merge the others if there are too many."""
        if len(self.stretches) == MOST:
            self.stretches = [
                a.merge(b) for a, b in zip(self.stretches[::2], self.stretches[1::2], strict=True)
            ]
            self.length *= 2
        self.stretches.append(Stretch([0.0] * self.contestants, [0] * pairs(self.contestants)))

    def state(self) -> TallyState:
        """Return the counts, which `from_state` restores. They may change with this tally."""
        return TallyState(
            games=self.games,
            blocks=self.blocks,
            points=self.points,
            length=self.length,
            stretches=[(stretch.points, stretch.meetings) for stretch in self.stretches],
        )

    @classmethod
    def from_state(cls, state: TallyState) -> Tally:
        """Return the tally that gave this state."""
        tally = cls()
        tally.points = [list(row) for row in state.points]
        tally.contestants = len(tally.points)
        tally.games = state.games
        tally.blocks = state.blocks
        tally.length = state.length
        tally.stretches = [
            Stretch(list(points), list(meetings)) for points, meetings in state.stretches
        ]
        return tally


def pairs(contestants: int) -> int:
    """Return the number of pairs among this many contestants."""
    return contestants * (contestants - 1) // 2


def pair(a: int, b: int) -> int:
    """Return the number of a pair; it stays the same when there are more contestants."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
