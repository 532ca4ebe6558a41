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


class StretchState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a stretch, so that it can be saved."""

    points: Sequence[float]
    margins: Sequence[float]
    pairs: Sequence[int]
    meetings: Sequence[int]
    """How often each of these pairs met."""


class TallyState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a tally, so that it can be saved."""

    games: int
    blocks: int
    points: Sequence[Sequence[float]]
    length: int
    stretches: Sequence[StretchState]


class Stretch:
    """The counts of consecutive blocks."""

    __slots__ = ("margins", "meetings", "points")

    def __init__(self, points: list[float], margins: list[float], meetings: dict[int, int]) -> None:
        self.points = points
        """Everybody's points, by places."""
        self.margins = margins
        """Everybody's points, by margins."""
        self.meetings = meetings
        """How often each pair met, by its number; those who did not are left out."""

    def grow(self, contestants: int) -> None:
        """Make room for more contestants."""
        more = [0.0] * (contestants - len(self.points))
        self.points += more
        self.margins += more

    def state(self) -> StretchState:
        """Return the counts; they may change with this stretch."""
        return StretchState(
            points=self.points,
            margins=self.margins,
            pairs=sorted(self.meetings),
            meetings=[self.meetings[number] for number in sorted(self.meetings)],
        )

    def merge(self, other: Stretch) -> Stretch:
        """Return the counts of both together."""
        meetings = self.meetings.copy()
        for number, count in other.meetings.items():
            meetings[number] = meetings.get(number, 0) + count
        return Stretch(
            [a + b for a, b in zip(self.points, other.points, strict=True)],
            [a + b for a, b in zip(self.margins, other.margins, strict=True)],
            meetings,
        )


class Tally:
    """The counts of a log; each meeting of two is worth one point, halved if they tie."""

    def __init__(self) -> None:
        self.contestants = 0
        self.games = 0
        self.blocks = 0
        self.points: list[list[float]] = []
        """`points[a][b]` is what a took from b, by places."""
        self.length = 1
        """How many blocks a stretch has; the last can have fewer."""
        self.stretches: list[Stretch] = []

    def add(self, games: Sequence[Placing], margins: Sequence[Sequence[float]] = ()) -> None:
        """Count the games of a block; `margins` are the players' points by margins, by game."""
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
                    number = pair(a, b)
                    meetings[number] = meetings.get(number, 0) + 1
        for (players, _), game in zip(games, margins, strict=False):
            for a, won in zip(players, game, strict=True):
                stretch.margins[a] += won
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

    def meetings_of(self, contestant: int) -> int:
        """Return how many opponents a contestant has met, counted game by game."""
        others = [pair(contestant, b) for b in range(self.contestants) if b != contestant]
        return sum(each.meetings.get(at, 0) for each in self.stretches for at in others)

    def until(self, stretches: int) -> Tally:
        """Return the tally of the first stretches, from which skills can be fitted."""
        early = Tally()
        early.contestants = self.contestants
        early.length = self.length
        early.stretches = self.stretches[:stretches]
        early.blocks = min(self.blocks, self.length * stretches)
        return early

    def _open(self) -> None:
        """Begin a stretch; merge the others if there are too many."""
        if len(self.stretches) == MOST:
            self.stretches = [
                a.merge(b) for a, b in zip(self.stretches[::2], self.stretches[1::2], strict=True)
            ]
            self.length *= 2
        none = [0.0] * self.contestants
        self.stretches.append(Stretch(none, none.copy(), {}))

    def state(self) -> TallyState:
        """Return the counts, which `from_state` restores. They may change with this tally."""
        return TallyState(
            games=self.games,
            blocks=self.blocks,
            points=self.points,
            length=self.length,
            stretches=[each.state() for each in self.stretches],
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
            Stretch(
                list(each.points),
                list(each.margins),
                dict(zip(each.pairs, each.meetings, strict=True)),
            )
            for each in state.stretches
        ]
        return tally


def pairs(contestants: int) -> int:
    """Return the number of pairs among this many contestants."""
    return contestants * (contestants - 1) // 2


def pair(a: int, b: int) -> int:
    """Return the number of a pair; it stays the same when there are more contestants."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
