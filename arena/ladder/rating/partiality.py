"""Partiality: whether somebody acts against one opponent more or less often than against others.

Who takes from whom is counted by block, beside how often he could have. Everybody has a rate of
his own at each distance at tables of each size, since many take from a neighbour, and everybody
draws the others to himself by some factor, since many take from the leader. Rates times factors
times chances are what is expected of a pair, fitted to all counts. What is tested is the ratio of
what a pair did to what is expected: of the one against the other, the other way round, and of
both.

Honest styles are partial, too, so a ratio is called one only beyond a factor. Blocks are
independent, so the error is that of the sum of what each block has beyond the factor times its
expectation; it is at least that of so many independent acts. The strongest pair leaves the fit
before the next is looked for, so that it accuses nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import student

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

DOUBT = 0.05
"""The allowed probability of a flag in a ladder of honest bots, over all pairs together."""
FEWEST = 30
"""Blocks in which a pair must have met, with a chance to act, to be looked at."""
STEPS = 500
"""Steps of the fit at most."""
CLOSE = 1e-9
"""The fit ends when no factor changes by more than this part of the largest one."""


@dataclass(frozen=True)
class Aims:
    """Who acted against whom in a block, and how often he could have."""

    players: Sequence[int]
    """Who sat there, in order: a distance is one of places in it."""
    acts: Sequence[Sequence[int]]
    """How often each acted against each, by their places in `players`."""
    chances: Sequence[Sequence[int]]
    """How often each could have."""


@dataclass(frozen=True)
class Bias:
    """How often `source` acted against `target`, or both did, beside what is expected."""

    source: int
    target: int
    both: bool
    """Whether it is the sum of both directions."""
    blocks: int
    """Blocks in which there was a chance to act."""
    acts: int
    expected: float
    """How many acts the habits of both lead to expect."""
    p: float
    """How probable such a ratio is if the true one is within the factor, after Bonferroni's
    correction for all that are looked at."""

    @property
    def ratio(self) -> float:
        """Acts of those expected."""
        return self.acts / self.expected


@dataclass(frozen=True)
class Audit:
    """The ratios of a log: those that are beyond the factor, and the strongest of the others."""

    tested: int
    """How many ratios were looked at."""
    skipped: int
    """How many pairs met, but in too few blocks with a chance to act."""
    flags: list[Bias]
    others: list[Bias]
    """The most improbable one of each other pair, the least probable first."""


def audit(blocks: Sequence[Aims], contestants: int, factor: float) -> Audit:
    """Look for pairs in these blocks; honest ones have ratios from 1 / `factor` to `factor`."""
    tables = _tables(blocks, contestants)
    flags: list[Bias] = []
    while True:
        known = [flag.source * contestants + flag.target for flag in flags]
        known += [flag.target * contestants + flag.source for flag in flags]
        found = _Ratios(tables, contestants, known)
        ratios = found.ratios(factor)
        if not ratios or ratios[0].p >= DOUBT:
            return Audit(found.tested, found.skipped, flags, _first_of_pairs(ratios))
        flags.append(ratios[0])


def _first_of_pairs(ratios: Sequence[Bias]) -> list[Bias]:
    """Return the first of each pair."""
    found: dict[frozenset[int], Bias] = {}
    for each in ratios:
        found.setdefault(frozenset((each.source, each.target)), each)
    return list(found.values())


@dataclass(frozen=True)
class _Table:
    """Blocks at tables of one size; each two seats have a column, and another the other way."""

    pairs: Numbers
    """Who acts against whom: the number of the one times all contestants, plus the other's."""
    targets: Numbers
    rates: Numbers
    """Which rate counts: that of the one at this distance."""
    acts: Array
    chances: Array
    back: Numbers
    """The column of the same two, the other way round."""


def _tables(blocks: Sequence[Aims], contestants: int) -> list[_Table]:
    """Return the counts as arrays, by table size."""
    found = []
    distances = 0
    for size in sorted({len(block.players) for block in blocks}):
        there = [block for block in blocks if len(block.players) == size]
        ways = [(one, other) for one in range(size) for other in range(size) if one != other]
        ones, others = np.array(ways).T
        players = np.array([block.players for block in there], np.int64)
        found.append(
            _Table(
                players[:, ones] * contestants + players[:, others],
                players[:, others],
                (distances + (others - ones) % size - 1) * contestants + players[:, ones],
                np.array([block.acts for block in there], np.float64)[:, ones, others],
                np.array([block.chances for block in there], np.float64)[:, ones, others],
                np.array([ways.index((other, one)) for one, other in ways]),
            )
        )
        distances += size - 1
    return found


def _fit(tables: Sequence[_Table], contestants: int, known: Sequence[int]) -> tuple[Array, Array]:
    """Return the rates, and by how much each draws others to himself, without known pairs.

    Both are fitted in turn until what they expect is in sum what happened.
    """
    rates = np.concatenate([table.rates.ravel() for table in tables])
    targets = np.concatenate([table.targets.ravel() for table in tables])
    told = ~np.isin(np.concatenate([table.pairs.ravel() for table in tables]), known)
    cells, cell_of = np.unique(rates[told] * contestants + targets[told], return_inverse=True)
    rate_of, target_of = np.divmod(cells, contestants)
    acts = _by(cell_of, np.concatenate([table.acts.ravel() for table in tables])[told], len(cells))
    chances = np.concatenate([table.chances.ravel() for table in tables])[told]
    chances = _by(cell_of, chances, len(cells))
    width = int(rates.max()) + 1
    by_rate, by_target = _by(rate_of, acts, width), _by(target_of, acts, contestants)
    factors = np.ones(contestants)
    for _ in range(STEPS):
        rate = _parts(by_rate, _by(rate_of, chances * factors[target_of], width))
        before = factors
        factors = _parts(by_target, _by(target_of, chances * rate[rate_of], contestants))
        if np.abs(factors - before).max() < CLOSE * factors.max():
            break
    return rate, factors


def _by(numbers: Numbers, values: Array, count: int) -> Array:
    """Return the sums of the values that have the same number."""
    return np.bincount(numbers, values, count).astype(np.float64)


def _parts(some: Array, all_: Array) -> Array:
    """Return some of all, 0 where there are none."""
    return np.divide(some, all_, out=np.zeros_like(some), where=all_ > 0)


@dataclass(frozen=True)
class _Sums:
    """Sums over blocks of acts and what is expected, and of their products, by pair."""

    blocks: Array
    acts: Array
    expected: Array
    squares: Array
    """Of acts, of acts and expectations, of expectations."""
    across: Array
    """The same, of the one's with the other's."""


class _Ratios:
    """The ratios of a log, where what is expected does not count some pairs."""

    def __init__(self, tables: Sequence[_Table], contestants: int, known: Sequence[int]) -> None:
        self._n = contestants
        self._sums = _sums(tables, contestants, *_fit(tables, contestants, known))
        told = (self._sums.blocks >= FEWEST) & (self._sums.expected > 0)
        told[known] = False
        self._told = np.flatnonzero(told)
        ones, others = np.divmod(self._told, contestants)
        back = others * contestants + ones
        self._both = self._told[(ones < others) & told[back]]
        self.tested = len(self._told) + len(self._both)
        met = (self._sums.blocks > 0) & ~told
        met[known] = False
        missed = (divmod(pair, contestants) for pair in np.flatnonzero(met).tolist())
        self.skipped = len({frozenset(pair) for pair in missed})

    def ratios(self, factor: float) -> list[Bias]:
        """Return the ratios that are looked at, the least probable first."""
        found = [self._ratio(pair, factor, both=False) for pair in self._told.tolist()]
        found += [self._ratio(pair, factor, both=True) for pair in self._both.tolist()]
        return sorted(
            found, key=lambda each: (each.p, -abs(each.acts - each.expected) / each.expected**0.5)
        )

    def _ratio(self, pair: int, factor: float, *, both: bool) -> Bias:
        sums = self._sums
        source, target = divmod(pair, self._n)
        back = target * self._n + source
        blocks = int(sums.blocks[pair])
        acts, expected = float(sums.acts[pair]), float(sums.expected[pair])
        squares = sums.squares[:, pair]
        if both:
            blocks = max(blocks, int(sums.blocks[back]))
            acts += float(sums.acts[back])
            expected += float(sums.expected[back])
            squares = squares + sums.squares[:, back] + 2 * sums.across[:, pair]
        limit = 1 / factor if acts < expected else factor
        beyond = abs(acts - expected) - abs(limit - 1) * expected
        p = 1.0
        if beyond > 0:
            scatter = float(squares @ (1.0, -2 * limit, limit * limit))
            error = max(scatter, limit * expected) ** 0.5
            p = min(1.0, self.tested * student.cdf(-beyond / error, blocks - 1))
        return Bias(source, target, both, blocks, round(acts), expected, p)


def _sums(tables: Sequence[_Table], contestants: int, rates: Array, factors: Array) -> _Sums:
    width = contestants * contestants
    sums = np.zeros((9, width))
    for table in tables:
        acts = table.acts
        expected = table.chances * rates[table.rates] * factors[table.targets]
        acts_back, expected_back = acts[:, table.back], expected[:, table.back]
        for row, each in enumerate(
            (
                table.chances > 0,
                acts,
                expected,
                acts * acts,
                acts * expected,
                expected * expected,
                acts * acts_back,
                (acts * expected_back + acts_back * expected) / 2,
                expected * expected_back,
            )
        ):
            sums[row] += np.bincount(table.pairs.ravel(), each.ravel(), width)
    return _Sums(sums[0], sums[1], sums[2], sums[3:6], sums[6:])
