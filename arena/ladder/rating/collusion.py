"""Collusion: whether two contestants do better or worse with each other than chance explains.

What is looked at is everybody's mean share in a block, less what the skills at tables of its size
expect: who is far below all loses to anybody, whoever is there. Least squares give everybody an
effect of his own, and an effect on the others. What is left on average in a pair's blocks is
three effects: of the one on the other's share, the other way round, and their sum. Blocks are
independent, so the standard error of an effect is its deviation when the signs of whole blocks
are flipped at random and all is fitted again; it has a closed form.

Honest styles suit each other a little, so an effect is called one only beyond a margin. Effects
are not scaled up by what the model takes of them: among few bots all pairs have effects, and then
that multiplies what the others do. The strongest pair goes into the model before the next is
looked for, so that it accuses nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import student
from arena.ladder.rating.elimination import Plan
from arena.ladder.rating.meetings import Meetings
from arena.ladder.rating.normal_table import cdf
from arena.ladder.rating.skill import solve
from arena.ladder.rating.tally import MOST

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

DOUBT = 0.05
"""The allowed probability of a flag in a ladder of honest bots, over all effects together."""
FEWEST = 30
"""Blocks in which a pair must have met for its effects to be looked at."""
OPPONENTS = 3
"""Opponents at the tables for which margins are said; of fewer, each one counts for more."""
SEPARABLE = 1e-6
"""The least part of a pair's meetings that the model must leave unexplained."""
CHUNK = 1024
"""Blocks at a time."""

Shares = tuple[Sequence[int], Sequence[float]]
"""The players of a block, and their mean shares in it."""


@dataclass(frozen=True)
class Effect:
    """What the presence of `source` does to the share of `target`, or both to both."""

    source: int
    target: int
    both: bool
    """Whether it is the sum of both directions."""
    blocks: int
    """Blocks in which they met."""
    value: float
    """What is left of the share on average when they meet, in shares of the opponents."""
    error: float
    """Its standard error."""
    p: float
    """How probable so large an effect is if the true one is within the margin, after Bonferroni's
    correction for all effects."""


@dataclass(frozen=True)
class Audit:
    """The effects of a log: those that are beyond the margin, and the strongest of the others."""

    tested: int
    """How many effects were looked at."""
    skipped: int
    """How many pairs met, but too seldom, or always with the same others."""
    flags: list[Effect]
    others: list[Effect]
    """The most improbable one of each other pair, the least probable first."""


def audit(blocks: Sequence[Shares], contestants: int, margin: float) -> Audit:
    """Look for pairs in these blocks; honest ones have effects within the margin."""
    tables = _tables(blocks, contestants)
    flags: list[Effect] = []
    while True:
        known = [(flag.source, flag.target) for flag in flags]
        known += [(target, source) for source, target in known]
        found = _Effects(tables, contestants, known)
        effects = found.effects(margin)
        if not effects or effects[0].p >= DOUBT:
            return Audit(found.tested, found.skipped, flags, _first_of_pairs(effects))
        flags.append(effects[0])


def _first_of_pairs(effects: Sequence[Effect]) -> list[Effect]:
    """Return the first of each pair."""
    found: dict[frozenset[int], Effect] = {}
    for each in effects:
        found.setdefault(frozenset((each.source, each.target)), each)
    return list(found.values())


@dataclass(frozen=True)
class Table:
    """Blocks at tables of one size."""

    players: Numbers
    """Who sat there, by block and seat."""
    rest: Array
    """What each had beyond the share that the skills expect."""


def _tables(blocks: Sequence[Shares], contestants: int) -> list[Table]:
    """Return players and unexpected shares as arrays, by table size, a chunk at a time."""
    sizes = sorted({len(players) for players, _ in blocks})
    found = []
    for size in sizes:
        there = [block for block in blocks if len(block[0]) == size]
        players = np.array([players for players, _ in there], np.int64)
        shares = np.array([shares for _, shares in there])
        rest = shares - _expected(players, shares, contestants)
        for at in range(0, len(there), CHUNK):
            part = slice(at, at + CHUNK)
            found.append(Table(players[part], rest[part]))
    return found


def _expected(players: Numbers, shares: Array, contestants: int) -> Array:
    """Return the shares that the skills expect, fitted to these blocks."""
    size = players.shape[1]
    seats, others = np.tril_indices(size, -1)
    low, high = (np.sort((players[:, seats], players[:, others]), axis=0)).reshape(2, -1)
    at = np.repeat(np.arange(len(players)) * MOST // len(players), len(seats))
    numbers = high * (high - 1) // 2 + low
    met = Meetings.counted(contestants, MOST, at, numbers, np.ones(len(numbers)))
    got = np.zeros(contestants)
    np.add.at(got, players, shares * (size - 1))
    skills = solve(met, Plan.of(met), got)[players]
    chances = cdf(skills[:, :, None] - skills[:, None, :])
    return np.asarray((chances.sum(axis=2) - 0.5) / (size - 1))


def _seated(players: Numbers, contestants: int) -> list[tuple[int, int, Numbers]]:
    """Return for each two seats the number of the pair: who is there, and whose share it is."""
    size = players.shape[1]
    return [
        (seat, other, players[:, other] * contestants + players[:, seat])
        for seat in range(size)
        for other in range(size)
        if seat != other
    ]


class _Effects:
    """A fit of a log, in which some pairs have effects of their own."""

    def __init__(
        self,
        tables: Sequence[Table],
        contestants: int,
        known: Sequence[tuple[int, int]],
    ) -> None:
        self._n = contestants
        self._known = known
        width = 2 * contestants + len(known)
        square, right = np.zeros((width, width)), np.zeros(width)
        met, parts = np.zeros((2, contestants * contestants))
        for table in tables:
            part = OPPONENTS / (table.players.shape[1] - 1)
            for _, _, numbers in _seated(table.players, contestants):
                there = np.bincount(numbers, minlength=len(met))
                met += there
                parts += part * there
        # Both directions of every pair that met often enough; the place of all others is last.
        self._numbers = np.flatnonzero(met >= FEWEST)
        pairs = len(self._numbers)
        self._places = np.full(len(met), pairs)
        self._places[self._numbers] = np.arange(pairs)
        self._met = met[self._numbers]
        self._part = parts[self._numbers] / self._met
        ones, others = np.divmod(self._numbers, contestants)
        self._back = self._places[others * contestants + ones]
        drawn = np.zeros((pairs + 1, width))
        for table in tables:
            rows = self._rows(table)
            square += np.tensordot(rows, rows, ((0, 1), (0, 1)))
            right += np.tensordot(rows, table.rest, ((0, 1), (0, 1)))
            for seat, _, numbers in _seated(table.players, contestants):
                np.add.at(drawn, self._places[numbers], rows[:, seat])
        drawn = drawn[:-1]
        inverse = np.linalg.pinv(square, hermitian=True)
        effects = inverse @ right
        # What the model takes of each pair's indicator; a pair of which it takes all has no effect.
        self._taken = drawn @ inverse
        self._value, self._spread, self._both_spread = self._spreads(tables, effects)
        told = self._met - (self._taken * drawn).sum(axis=1) > SEPARABLE * self._met
        told &= told[self._back]
        for source, target in known:
            told[self._places[source * contestants + target]] = False
        self._told = np.flatnonzero(told)
        self.skipped = (int((met > 0).sum()) - len(self._told) - len(known)) // 2
        self.tested = len(self._told) // 2 * 3

    def _rows(self, table: Table) -> Array:
        """Return the model's rows: own effects, the others' effects, those of known pairs."""
        players = table.players
        blocks, size = players.shape
        n = self._n
        rows = np.zeros((blocks, size, 2 * n + len(self._known)))
        at = np.arange(blocks)
        for seat in range(size):
            rows[at, seat, players[:, seat]] = 1.0
            for other in range(size):
                if other != seat:
                    rows[at, seat, n + players[:, other]] = 1 / (size - 1)
            for number, (source, target) in enumerate(self._known):
                there = (players == source).any(axis=1) & (players[:, seat] == target)
                rows[there, seat, 2 * n + number] = 1.0
        return rows

    def _spreads(self, tables: Sequence[Table], effects: Array) -> tuple[Array, Array, Array]:
        """Return the effects of all pairs, and their variances alone and of both directions.

        A block adds to an effect what its residuals have of the pair's own part of the indicator:
        v - u c, where v is the residual of who is concerned, u the block's residuals by the
        model's columns, and c what the model takes of the indicator.
        """
        pairs, width = self._taken.shape
        scatter = np.zeros((width, width))
        own = np.zeros((pairs + 1, width))
        total, squares, products = np.zeros((3, pairs + 1))
        for table in tables:
            rows = self._rows(table)
            rest = table.rest - rows @ effects
            by_column = np.einsum("bs,bsw->bw", rest, rows)
            scatter += by_column.T @ by_column
            for seat, other, numbers in _seated(table.players, self._n):
                pair, here = self._places[numbers], rest[:, seat]
                total += np.bincount(pair, here, pairs + 1)
                squares += np.bincount(pair, here * here, pairs + 1)
                products += np.bincount(pair, here * rest[:, other], pairs + 1)
                np.add.at(own, pair, here[:, None] * by_column)
        taken, back, own = self._taken, self._back, own[:-1]
        total, squares, products = total[:-1], squares[:-1], products[:-1]
        spread = squares - 2 * (taken * own).sum(axis=1) + ((taken @ scatter) * taken).sum(axis=1)
        across = products - (taken[back] * own).sum(axis=1) - (taken * own[back]).sum(axis=1)
        across += ((taken @ scatter) * taken[back]).sum(axis=1)
        alone = np.maximum(spread, 0) / self._met**2
        both = alone + alone[back] + 2 * across / self._met**2
        return total / self._met, alone, np.maximum(both, 0)

    def effects(self, margin: float) -> list[Effect]:
        """Return the effects that are looked at, the least probable first."""
        found = []
        for pair in self._told.tolist():
            source, target = divmod(int(self._numbers[pair]), self._n)
            value = float(self._value[pair])
            found.append(self._effect(pair, value, float(self._spread[pair]), margin, both=False))
            if source < target:
                value += float(self._value[self._back[pair]])
                spread = float(self._both_spread[pair])
                found.append(self._effect(pair, value, spread, margin, both=True))
        return sorted(
            found, key=lambda each: (each.p, -abs(each.value) / max(each.error, SEPARABLE))
        )

    def _effect(
        self, pair: int, value: float, spread: float, margin: float, *, both: bool
    ) -> Effect:
        source, target = divmod(int(self._numbers[pair]), self._n)
        blocks = int(self._met[pair])
        error = spread**0.5
        beyond = abs(value) - margin * float(self._part[pair])
        if beyond <= 0 or not error:
            p = 1.0
        else:
            p = min(1.0, self.tested * student.cdf(-beyond / error, blocks - 1))
        return Effect(source, target, both, blocks, value, error, p)
