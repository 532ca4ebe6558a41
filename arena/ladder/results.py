"""The results of a ladder: running totals for each contestant, table size and seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.records.entries import Form, Game
from arena.records.times import GameTimes
from arena.records.verdicts import FaultVerdict

Line: TypeAlias = tuple[int, int, int, int, int, float, int, int, int]
"""A contestant, a table size and a seat, and the values of `Totals`."""


class ResultsState(Form, frozen=True, kw_only=True):
    """All results, so that they can be saved."""

    lines: Sequence[Line]
    faults: Sequence[tuple[int, Mapping[FaultVerdict, int]]]
    """By contestant, and by verdict."""
    paces: Sequence[tuple[int, int, int, int]]
    """A contestant, and the values of `Pace`."""


@dataclass(slots=True)
class Totals:
    """The totals of some games of one contestant."""

    games: int = 0
    places: int = 0
    beaten: float = 0
    """Opponents at the table who placed below, and half of those who placed the same."""
    met: int = 0
    """Opponents at the table."""
    wins: int = 0
    """Games in which nobody placed better."""
    scores: int = 0

    def add(self, other: Totals) -> None:
        """Add the totals of other games."""
        self.games += other.games
        self.places += other.places
        self.beaten += other.beaten
        self.met += other.met
        self.wins += other.wins
        self.scores += other.scores

    @property
    def mean_place(self) -> float:
        """The mean place; 1 is the best."""
        return self.places / self.games if self.games else 0.0

    @property
    def mean_score(self) -> float:
        """The mean score, in the points of the game."""
        return self.scores / self.games if self.games else 0.0

    @property
    def share(self) -> float:
        """The share of opponents that were beaten, from 0 to 1."""
        return self.beaten / self.met if self.met else 0.0


@dataclass(slots=True)
class Pace:
    """How long a contestant took for its decisions."""

    decisions: int = 0
    micros: int = 0
    slowest: int = 0

    @property
    def milliseconds(self) -> float:
        """The mean time of a decision."""
        return self.micros / self.decisions / 1000 if self.decisions else 0.0


@dataclass
class Results:
    """The results of all contestants."""

    lines: dict[tuple[int, int, int], Totals] = field(default_factory=dict)
    """By contestant, table size and seat."""
    faults: dict[int, dict[FaultVerdict, int]] = field(default_factory=dict)
    """By contestant and verdict."""
    paces: dict[int, Pace] = field(default_factory=dict)
    _counted: tuple[int, list[int]] = field(default=(0, []), compare=False, repr=False)
    """How many lines there were when sizes were looked for, and the sizes."""

    def add(self, players: Sequence[int], game: Game, times: GameTimes | None) -> None:
        """Count a game; `players` are the contestants by seat."""
        places = game.places
        size = len(players)
        for seat, player in enumerate(players):
            place = places[seat]
            line = self.lines.setdefault((player, size, seat), Totals())
            line.games += 1
            line.places += place
            line.beaten += sum(other > place for other in places)
            line.beaten += (places.count(place) - 1) / 2
            line.met += size - 1
            line.wins += place == 1
            line.scores += game.scores[seat]
        for fault in game.faults:
            counts = self.faults.setdefault(players[fault.seat], {})
            counts[fault.verdict] = counts.get(fault.verdict, 0) + 1
        if times is not None and len(times.paces) == size:
            for player, taken in zip(players, times.paces, strict=True):
                pace = self.paces.setdefault(player, Pace())
                pace.decisions += taken.decisions
                pace.micros += taken.micros
                pace.slowest = max(pace.slowest, taken.slowest)

    def total(self, player: int, size: int | None = None, seat: int | None = None) -> Totals:
        """Return a contestant's results, at all tables or of one size, in all seats or in one."""
        total = Totals()
        sizes = self.sizes() if size is None else [size]
        for at in sizes:
            for sitting in range(at) if seat is None else (seat,):
                line = self.lines.get((player, at, sitting))
                if line is not None:
                    total.add(line)
        return total

    def sizes(self) -> list[int]:
        """Return the table sizes that were played, in ascending order."""
        if len(self.lines) != self._counted[0]:
            self._counted = len(self.lines), sorted({size for _, size, _ in self.lines})
        return self._counted[1]

    def state(self) -> ResultsState:
        """Return all state; `from_state` restores it exactly, even through JSON."""
        return ResultsState(
            lines=[
                (*key, each.games, each.places, each.beaten, each.met, each.wins, each.scores)
                for key, each in self.lines.items()
            ],
            faults=list(self.faults.items()),
            paces=[
                (player, each.decisions, each.micros, each.slowest)
                for player, each in self.paces.items()
            ],
        )

    @classmethod
    def from_state(cls, state: ResultsState) -> Results:
        """Return the results that gave this state."""
        return cls(
            {
                (player, size, seat): Totals(games, places, beaten, met, wins, scores)
                for player, size, seat, games, places, beaten, met, wins, scores in state.lines
            },
            {player: dict(counts) for player, counts in state.faults},
            {player: Pace(*rest) for player, *rest in state.paces},
        )
