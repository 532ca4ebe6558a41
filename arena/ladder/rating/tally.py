"""The counts of the log: who had the better place, as a whole and stretch by stretch.

The games of a block share their cards, so a block is one observation, not as many as it has
games. The log is counted in stretches of equally many whole blocks: one block each at first;
when there would be more than `MOST` stretches, neighbours are merged in pairs. So the counts
do not grow with the log, and the scatter between stretches still measures chance. Only pairs that
have met are counted: in a long ladder most contestants are old versions, which never meet later
ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TypeVar

from msgspec import Struct

MOST = 128
"""The most stretches; even, so that they merge in pairs."""

Number = TypeVar("Number", int, float)

Placing = tuple[Sequence[int], Sequence[int]]
"""The players, and their places: 1 is the best, and those who tie share the better place."""


class StretchState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a stretch, so that it can be saved."""

    players: Sequence[int]
    points: Sequence[float]
    """Of each of these players."""
    margins: Sequence[float]
    pairs: Sequence[int]
    meetings: Sequence[int]
    """How often each of these pairs met."""


class TallyState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a tally, so that it can be saved."""

    contestants: int
    games: int
    blocks: int
    pairs: Sequence[int]
    """The numbers of those who have met."""
    later: Sequence[float]
    """What the later contestant of each of these pairs took from the other."""
    earlier: Sequence[float]
    """What the other took."""
    length: int
    stretches: Sequence[StretchState]


class Stretch(Struct, frozen=True, kw_only=True):
    """The counts of consecutive blocks, in the order of players and of pairs.

    Those of a whole log lie in memory, so they are arrays.
    """

    players: array[int]
    points: array[float]
    """The points by places of each of these players."""
    margins: array[float]
    """Their points by margins; nobody's if margins are not counted."""
    pairs: array[int]
    """The numbers of the pairs that met."""
    meetings: array[int]
    """How often each of them did."""

    def state(self) -> StretchState:
        """Return the counts, to be saved."""
        return StretchState(
            players=self.players.tolist(),
            points=self.points.tolist(),
            margins=self.margins.tolist(),
            pairs=self.pairs.tolist(),
            meetings=self.meetings.tolist(),
        )


class _Counts:
    """The counts of a stretch that is not at its end yet."""

    __slots__ = ("margins", "meetings", "points")

    def __init__(self, *of: Stretch | StretchState) -> None:
        """Begin with the counts of these stretches together."""
        self.points: dict[int, float] = {}
        self.margins: dict[int, float] = {}
        self.meetings: dict[int, int] = {}
        for each in of:
            _add(self.points, zip(each.players, each.points, strict=True))
            _add(self.margins, zip(each.players, each.margins, strict=False))
            _add(self.meetings, zip(each.pairs, each.meetings, strict=True))

    def stretch(self) -> Stretch:
        """Return the stretch that ends here."""
        players, pairs = sorted(self.points), sorted(self.meetings)
        margins = players if self.margins else ()
        return Stretch(
            players=array("q", players),
            points=array("d", map(self.points.__getitem__, players)),
            margins=array("d", map(self.margins.__getitem__, margins)),
            pairs=array("q", pairs),
            meetings=array("q", map(self.meetings.__getitem__, pairs)),
        )


def _add(counts: dict[int, Number], others: Iterable[tuple[int, Number]]) -> None:
    """Add counts to those for the same keys."""
    for key, value in others:
        counts[key] = counts[key] + value if key in counts else value


class Tally:
    """The counts of a log; each meeting of two is worth one point, halved if they tie."""

    def __init__(self) -> None:
        self.contestants = 0
        self.games = 0
        self.blocks = 0
        self.points: list[dict[int, float]] = []
        """`points[a][b]` is what a took from b, by places, if they have met."""
        self.length = 1
        """How many blocks a stretch has; the last can have fewer."""
        self._ended: list[Stretch] = []
        self._last: _Counts | None = None
        """The last stretch, to which blocks are added."""

    @property
    def stretches(self) -> list[Stretch]:
        """All stretches, in the order of the log."""
        return self._ended if self._last is None else [*self._ended, self._last.stretch()]

    def add(self, games: Sequence[Placing], margins: Sequence[Sequence[float]] = ()) -> None:
        """Count the games of a block; `margins` are the players' points by margins, by game."""
        self.grow(1 + max(max(players) for players, _ in games))
        stretch = self._last
        if stretch is None or self.blocks == self.length * (len(self._ended) + 1):
            stretch = self._begin()
        mine, meetings, points = stretch.points, stretch.meetings, self.points
        for players, places in games:
            for at, a in enumerate(players):
                place = places[at]
                row = points[a]
                for other in range(at):
                    b = players[other]
                    ahead = places[other] - place
                    won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
                    row[b] = row.get(b, 0.0) + won
                    column = points[b]
                    column[a] = column.get(a, 0.0) + 1 - won
                    mine[a] = mine.get(a, 0.0) + won
                    mine[b] = mine.get(b, 0.0) + 1 - won
                    number = pair(a, b)
                    meetings[number] = meetings.get(number, 0) + 1
        for (players, _), game in zip(games, margins, strict=False):
            for a, won in zip(players, game, strict=True):
                stretch.margins[a] = stretch.margins.get(a, 0.0) + won
        self.games += len(games)
        self.blocks += 1

    def grow(self, contestants: int) -> None:
        """Make room for this many contestants."""
        if contestants <= self.contestants:
            return
        self.points += [{} for _ in range(contestants - self.contestants)]
        self.contestants = contestants

    def opponents_met(self, first: int, end: int) -> list[int]:
        """Return how many opponents each contestant met in some stretches, game by game."""
        found = [0] * self.contestants
        for stretch in self.stretches[first:end]:
            for number, count in zip(stretch.pairs, stretch.meetings, strict=True):
                a, b = both(number)
                found[a] += count
                found[b] += count
        return found

    def shares(self) -> list[float]:
        """Return everybody's share of the opponents met, from 0 to 1; a half if there were none."""
        won = [sum(row.values()) for row in self.points]
        lost = [0.0] * self.contestants
        for row in self.points:
            for other, points in row.items():
                lost[other] += points
        return [a / (a + b) if a + b else 0.5 for a, b in zip(won, lost, strict=True)]

    def took(self, a: int, b: int) -> float:
        """Return what a took from b, by places; 0 if they have not met."""
        return self.points[a].get(b, 0.0) if a < self.contestants else 0.0

    def matrix(self) -> list[list[float]]:
        """Return what everybody took from everybody, by places."""
        everybody = range(self.contestants)
        return [[row.get(other, 0.0) for other in everybody] for row in self.points]

    def until(self, stretches: int) -> Tally:
        """Return the tally of the first stretches, from which skills can be fitted."""
        early = Tally()
        early.contestants = self.contestants
        early.length = self.length
        early._ended = self.stretches[:stretches]
        early.blocks = min(self.blocks, self.length * stretches)
        return early

    def _begin(self) -> _Counts:
        """Begin a stretch; merge the others if there are too many."""
        ended = self.stretches
        if len(ended) == MOST:
            pairs_of_them = zip(ended[::2], ended[1::2], strict=True)
            ended = [_Counts(*two).stretch() for two in pairs_of_them]
            self.length *= 2
        self._ended, self._last = ended, _Counts()
        return self._last

    def state(self) -> TallyState:
        """Return the counts, which `from_state` restores."""
        met = sorted(pair(a, b) for a, row in enumerate(self.points) for b in row if b < a)
        two = [both(number) for number in met]
        return TallyState(
            contestants=self.contestants,
            games=self.games,
            blocks=self.blocks,
            pairs=met,
            later=[self.points[a][b] for a, b in two],
            earlier=[self.points[b][a] for a, b in two],
            length=self.length,
            stretches=[each.state() for each in self.stretches],
        )

    @classmethod
    def from_state(cls, state: TallyState) -> Tally:
        """Return the tally that gave this state."""
        tally = cls()
        tally.grow(state.contestants)
        for number, later, earlier in zip(state.pairs, state.later, state.earlier, strict=True):
            a, b = both(number)
            tally.points[a][b], tally.points[b][a] = later, earlier
        tally.games = state.games
        tally.blocks = state.blocks
        tally.length = state.length
        if state.stretches:
            *ended, last = state.stretches
            tally._ended = [_Counts(each).stretch() for each in ended]
            tally._last = _Counts(last)
        return tally


def pairs(contestants: int) -> int:
    """Return the number of pairs among this many contestants."""
    return contestants * (contestants - 1) // 2


def pair(a: int, b: int) -> int:
    """Return the number of a pair; it stays the same when there are more contestants."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


def both(number: int) -> tuple[int, int]:
    """Return the pair that has this number, the later contestant first."""
    a = (1 + isqrt(1 + 8 * number)) // 2
    return a, number - a * (a - 1) // 2
