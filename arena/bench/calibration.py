"""Whether the ladder's intervals hold: many simulated ladders of bots of known strength.

A bot's performance in a game is its strength, plus the luck of the hand that it holds (the
same for whoever holds it in the games of a block), plus how the deal suits the bot (the
same in all games of a block), plus noise of its own. Places go by performance, and points are
performances, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import inf, pi, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arena.ladder.rating import Placing, Ratings, Tally, first_look
from arena.ladder.rating.factor_graph import BETA
from arena.ladder.rating.normal import PEAK
from arena.ladder.rating.normal_table import cdf as cdfs
from arena.ladder.rating.ranks import rank_intervals
from arena.ladder.rating.skill import LEVEL, UNIT, Skills, fit
from arena.ladder.rating.stopping import certainty

Array = NDArray[np.float64]
Shape = Literal["normal", "gumbel", "t3"]

SOLVED = 1e-12
BAND = (0.93, 0.97)
"""The share of cases in which 95 % intervals must hold."""
MARGIN = BETA / 2
"""What is a clear margin, in points of the simulated game."""
NODES = 300
"""Quantiles of a noise by which probabilities are computed that have no formula."""
RATED = 20
"""One ladder in so many is rated by TrueSkill as well, which takes most of the time."""


@dataclass(frozen=True)
class Field:
    """Bots of known strength, and the chance in their games."""

    name: str
    strengths: tuple[float, ...]
    tables: tuple[int, ...] = (4,)
    hand: float = 0.6
    """The standard deviation of a hand's luck, in parts of beta."""
    suit: float = 0.4
    """The standard deviation of how a deal suits a bot, in parts of beta."""
    uneven: float = 1.0
    """The factor by which every other bot's noise is larger, and the others' smaller."""
    step: float = 0.0
    """Performances that round to the same multiple of this tie; in parts of beta."""
    shape: Shape = "normal"
    """How a bot's own noise is distributed."""
    seat: float = 0.0
    """How much better each seat is than the next, in parts of beta."""
    faults: float = 0.0
    """How often each bot fails in a game, and is last without points."""
    failing: bool = False
    """Whether the last bot fails in every game."""
    late: float = 0.0
    """When the second half of the bots enters, as a part of the games."""
    arriving: bool = False
    """Whether all bots but the first six enter one after the other, until near the end."""
    leaving: bool = False
    """Whether for each bot that enters after the first eight the oldest one leaves."""
    unjudged: int = 0
    """How many bots, the last ones, are there only for what they do to the others."""

    @property
    def judged(self) -> range:
        """The bots whose intervals must hold."""
        return range(len(self.strengths) - self.unjudged)

    @property
    def fault_rates(self) -> Array:
        """How often each bot fails."""
        rates = np.full(len(self.strengths), self.faults)
        if self.failing:
            rates[-1] = 1.0
        return rates

    @cached_property
    def noises(self) -> Array:
        """Each bot's own noise; if all is even, performances deviate by beta in total."""
        own = BETA * sqrt(1 - self.hand**2 - self.suit**2 - self.step**2 / 6)
        bots = np.arange(len(self.strengths))
        return np.where(bots % 2, own * self.uneven, own / self.uneven)

    def present(self, part: float) -> range:
        """Return the bots that play after this part of the games."""
        bots = len(self.strengths)
        if self.leaving:
            oldest = min(bots - 8, int(part / 0.8 * (bots - 8)))
            return range(oldest, oldest + 8)
        if self.arriving:
            return range(min(bots, 6 + int(part / 0.8 * (bots - 6))))
        return range(bots // 2 if part < self.late else bots)

    def above(self, *, margins: bool) -> Array:
        """Return what each bot has of each other in a game on average."""
        shared = 2 * BETA**2 * (self.hand**2 + self.suit**2 + self.step**2 / 6)
        shared += MARGIN**2 if margins else 0.0
        strengths = np.array(self.strengths)
        gaps = strengths[:, None] - strengths[None, :]
        bots = len(strengths)
        found = np.zeros((bots, bots))
        for change, often in self._seats():
            found += often * self._above(gaps + change, shared)
        fails, others = self.fault_rates[:, None], self.fault_rates[None, :]
        return (1 - fails) * (1 - others) * found + (1 - fails) * others + fails * others / 2

    def _above(self, gaps: Array, shared: float) -> Array:
        if self.shape == "normal":
            return cdfs(gaps / np.sqrt(self.noises[:, None] ** 2 + self.noises**2 + shared))
        at = (np.arange(NODES) + 0.5) / NODES
        nodes = _quantiles(self.shape, at)
        between = (nodes[:, None] - nodes[None, :]).ravel()
        own = float(self.noises[0])
        values = [float(cdfs((gap + own * between) / sqrt(shared)).mean()) for gap in gaps.flat]
        return np.array(values).reshape(gaps.shape)

    def _seats(self) -> list[tuple[float, float]]:
        """Return by how much a seat is better than another, and how often, in a block."""
        found: list[tuple[float, float]] = []
        for size in self.tables:
            part = 1 / len(self.tables) / size / (size - 1)
            found += [
                (self.seat * BETA * (b - a), part)
                for a in range(size)
                for b in range(size)
                if a != b
            ]
        return found if self.seat else [(0.0, 1.0)]

    def truth(self, met: Array, *, margins: bool) -> tuple[Array, Array]:
        """Return the skills that the fit would find in endless games with these meetings.

        They are the strengths if all noise is even. The other array has the weights of the zero.
        """
        return _solved(met, self._chances[margins], np.array(self.strengths) / UNIT, self.failing)

    @cached_property
    def _chances(self) -> tuple[Array, Array]:
        return self.above(margins=False), self.above(margins=True)

    def blocks(self, random: np.random.Generator, games: int) -> Iterator[Block]:
        """Yield the blocks of a ladder; those who are there play equally often at every size.

        Where they come and go, tables are drawn by lot.
        """
        played = 0
        while (self.arriving or self.leaving) and played < games:
            size = self.tables[0]
            there = self.present(played / games)
            yield self.block(random.permutation(there)[:size].tolist(), random)
            played += size
        while played < games:
            for size in self.tables:
                bots = self.present(played / games)
                waiting: list[int] = []
                while not waiting or len(waiting) % size:
                    more = random.permutation(bots).tolist()
                    # Nobody who waits for a table already is seated at it twice.
                    seated = waiting[len(waiting) // size * size :]
                    waiting += sorted(more, key=seated.__contains__)
                for at in range(0, len(waiting), size):
                    yield self.block(waiting[at : at + size], random)
                    played += size

    def block(self, players: Sequence[int], random: np.random.Generator) -> Block:
        """Play a block of these."""
        size = len(players)
        turns = np.arange(size)
        seats = (turns[None, :] + turns[:, None]) % size
        hands = random.normal(0, self.hand * BETA, size) - self.seat * BETA * turns
        base = np.array([self.strengths[bot] for bot in players])
        base = base + random.normal(0, self.suit * BETA, size)
        own = self.noises[list(players)] * _noise(self.shape, random, (size, size))
        shown = base + hands[seats] + own
        if self.step:
            shown = np.floor(shown / (self.step * BETA)) * self.step * BETA
        failed = random.random((size, size)) < self.fault_rates[list(players)]
        ranked = np.where(failed, -np.inf, shown)
        places = 1 + (ranked[:, None, :] > ranked[:, :, None]).sum(axis=2)
        ahead = (shown[:, :, None] - shown[:, None, :]) / MARGIN
        shares = np.where(
            failed[:, :, None] | failed[:, None, :],
            (failed[:, None, :] * 1.0 - failed[:, :, None] + 1) / 2,
            cdfs(ahead),
        )
        won = shares.sum(axis=2) - 0.5
        seated = tuple(players)
        return [(seated, row) for row in places.tolist()], won.tolist()


Block = tuple[list[Placing], list[list[float]]]
"""The games of a block, and the points by margins."""


def _noise(shape: Shape, random: np.random.Generator, size: tuple[int, int]) -> Array:
    """Return noises of standard deviation 1 (t3: of its usual scale)."""
    if shape == "normal":
        return random.normal(size=size)
    if shape == "gumbel":
        return (random.gumbel(size=size) - np.euler_gamma) * sqrt(6) / pi
    return random.standard_t(3, size=size) / sqrt(3)


def _quantiles(shape: Shape, at: Array) -> Array:
    """Return the quantiles of a noise."""
    if shape == "gumbel":
        return np.asarray((-np.log(-np.log(at)) - np.euler_gamma) * sqrt(6) / pi)
    # Student's t with 3 degrees of freedom, by Newton's method; its deviation is sqrt 3.
    x = np.zeros_like(at)
    for _ in range(100):
        below = 0.5 + (np.arctan(x / sqrt(3)) + x * sqrt(3) / (3 + x * x)) / pi
        density = 6 * sqrt(3) / (pi * (3 + x * x) ** 2)
        x = x + np.clip((at - below) / density, -1, 1) * np.maximum(1, np.abs(x) / 2)
    return np.asarray(x / sqrt(3))


def _solved(met: Array, chances: Array, skills: Array, failing: bool) -> tuple[Array, Array]:
    """Return the skills that expect what these chances give, about their zero, and its weights."""
    bots = len(skills)
    if failing:  # nothing but his own faults decides what the last one has
        met = met.copy()
        met[-1] = met[:, -1] = 0.0
    there = np.flatnonzero(met.sum(axis=1))
    met, chances, found = met[np.ix_(there, there)], chances[np.ix_(there, there)], skills[there]
    while True:
        gaps = found[:, None] - found[None, :]
        slopes = met * PEAK * np.exp(-gaps * gaps / 2)
        off = (met * (chances - cdfs(gaps))).sum(axis=1)
        if np.abs(off).max() < SOLVED * met.sum():
            break
        each = slopes.sum(axis=1)
        step = np.linalg.lstsq(np.diag(each) - slopes, off, rcond=None)[0]
        found = found + step / max(1.0, float(np.abs(step).max()))
    weights = np.zeros(bots)
    known = slopes.sum(axis=1)
    counts = known / (known + known @ known / known.sum())
    weights[there] = counts / counts.sum()
    truth = np.full(bots, np.nan)
    truth[there] = (found - weights[there] @ found) * UNIT
    return truth, weights


def spread(bots: int, points: float) -> tuple[float, ...]:
    """Return strengths at equal distances, over `points` from the first to the last."""
    return tuple(points * at / (bots - 1) for at in range(bots))


def _mixed(bots: int, points: float) -> tuple[float, ...]:
    """Return the same strengths in another order: who enters late can be of any strength."""
    even = spread(bots, points)
    return even[::3] + even[1::3] + even[2::3]


FIELDS = (
    Field("4 at one table", spread(4, 4)),
    Field("8, no luck of the deal", spread(8, 8), hand=0, suit=0),
    Field("8, luck of the deal", spread(8, 8)),
    Field("8, every other twice as noisy", spread(8, 8), uneven=1.4),
    Field("8 alike", spread(8, 0)),
    Field("8 within 0.6 points", spread(8, 0.6)),
    Field("8, many ties", spread(8, 8), step=1.0),
    Field("8, one outclasses all", (*spread(7, 3), 14.0)),
    Field("8, tables of 3, 4 and 5, better seats", spread(8, 8), tables=(3, 4, 5), seat=0.2),
    Field("8, deals suit bots", spread(8, 8), hand=0.3, suit=0.8),
    Field("8, Gumbel", spread(8, 8), shape="gumbel"),
    Field("8, t3", spread(8, 8), shape="t3"),
    Field("8, faults in 5 % of games", spread(8, 8), faults=0.05),
    Field("8, half of them from half-time on", spread(8, 8), late=0.5),
    Field("20, newcomers all the time", _mixed(20, 8), arriving=True),
    Field("24 versions that come and go", _mixed(24, 8), leaving=True),
    Field("7, and one 25 points below", (*spread(7, 4), -25.0), unjudged=1),
    Field("7, and one who always fails", (*spread(7, 4), 2.0), failing=True, unjudged=1),
    Field("20", spread(20, 12), uneven=1.2),
)
GAMES = (200, 600, 2000)


@dataclass
class Calibration:
    """How often the statements about a field were true, over `runs` ladders of `games` games.

    All but the first three are sums over the ladders.
    """

    bots: Field
    games: int
    runs: int = 0
    held: list[int] = field(default_factory=list)
    """How often each bot's skill was in its interval."""
    cases: list[int] = field(default_factory=list)
    """How often each bot had played at all."""
    margins_held: float = 0
    """The share of the skills by margins that were in their intervals."""
    differences_held: float = 0
    """The share of the differences of two skills that were in their intervals."""
    ranks: float = 0
    """How often a rank was in its interval."""
    width: float = 0
    """How far the intervals reach to either side, in points."""
    margins_width: float = 0
    """The same by margins."""
    misled: float = 0
    """The share of pairs in which the wrong one was above with a confidence of 97.5 % or more."""
    said_confidence: float = 0
    """The confidence that the one who seemed better is above, over all pairs that differ."""
    said_probability: float = 0
    """The probability that was said of the same."""
    was_above: float = 0
    """How often he was above."""
    stopped: int = 0
    """How often a wrong order would have been called certain."""
    rated: int = 0
    """Ladders that were rated by TrueSkill as well."""
    mu_inside: float = 0
    """How often TrueSkill's mu, on the scale of the skills, was in the interval of the skill."""
    agreed: int = 0
    """How often the cross-check found nothing reversed."""
    listed: int = 0
    """How many pairs it listed."""

    @property
    def skills(self) -> float:
        """The share of all cases in which the 95 % interval of a skill held."""
        return sum(self.held) / sum(self.cases)

    @property
    def holds(self) -> bool:
        """Whether the intervals hold as often as promised."""
        shares = (self.skills, self.margins_held / self.runs)
        return all(BAND[0] <= share <= BAND[1] for share in shares)

    def figures(self) -> Figures:
        """Return all figures, as shares of the cases."""
        rated = max(1, self.rated)
        return Figures(
            bots=self.bots.name,
            games=self.games,
            runs=self.runs,
            skills_held=self.skills,
            least_held=min(self._each()),
            most_held=max(self._each()),
            margins_held=self.margins_held / self.runs,
            differences_held=self.differences_held / self.runs,
            ranks_held=self.ranks / self.runs,
            half_width=self.width / self.runs,
            margins_half_width=self.margins_width / self.runs,
            misled=self.misled / self.runs,
            confidence=self.said_confidence / self.runs,
            probability=self.said_probability / self.runs,
            above=self.was_above / self.runs,
            stopped_wrongly=self.stopped / self.runs,
            mu_inside=self.mu_inside / rated,
            agreed=self.agreed / rated,
            pairs_listed=self.listed / rated,
        )

    def _each(self) -> list[float]:
        return [held / cases for held, cases in zip(self.held, self.cases, strict=True) if cases]

    def run(self, seed: str) -> None:
        """Simulate one more ladder, and compare its statements with the truth."""
        random = np.random.default_rng(list(seed.encode()))
        strengths = self.bots.strengths
        tally = Tally()
        tally.grow(len(strengths))
        ratings = None if self.runs % RATED else Ratings(len(strengths))
        wrong = False
        looks, look_at = 0, first_look(len(strengths))
        for games, margins in self.bots.blocks(random, self.games):
            tally.add(games, margins)
            if ratings is not None:
                ratings.add_block(games, margins)
            if tally.blocks == look_at:
                looks, look_at = looks + 1, 2 * look_at
                now = certainty(fit(tally), self.bots.judged, 0.95, looks)
                misled = any(strengths[a] <= strengths[b] for a, b in pairwise(now.order))
                wrong = wrong or (now.certain and misled)
        self.stopped += wrong
        self.runs += 1
        self.held = self.held or [0] * len(self.bots.judged)
        self.cases = self.cases or [0] * len(self.bots.judged)
        met = np.array(tally.matrix())
        met = met + met.T
        self._judge(fit(tally), met)
        self._judge_margins(fit(tally, margins=True), met)
        if ratings is not None:
            self._judge_ratings(ratings)

    def _judge(self, skills: Skills, met: Array) -> None:
        truth, _ = self.bots.truth(met, margins=False)
        judged = self._played(met)
        strengths = self._shown_strengths()
        part = 1 / len(judged)
        for bot, (first, last) in zip(
            judged, rank_intervals(skills, judged, 1 - LEVEL), strict=True
        ):
            low, high = skills.low[bot], skills.high[bot]
            self.held[bot] += bool(low <= truth[bot] <= high)
            self.cases[bot] += 1
            self.width += (high - low) / 2 * part
            best = 1 + sum(strengths[other] > strengths[bot] for other in range(len(strengths)))
            self.ranks += bool(first <= best <= last) * part
        pairs = [(a, b) for a in judged for b in range(a)]
        noises = skills.noises_of(np.arange(len(self.bots.strengths)), 1 - LEVEL)
        said = probable = above = 0.0
        for a, b in pairs:
            gap = truth[a] - truth[b]
            off = abs(skills.gap(a, b) - gap)
            self.differences_held += bool(off <= noises[a, b]) / len(pairs)
            sure, likely = skills.confidence_above(a, b), skills.probability_above(a, b)
            claim = 1 if sure >= 0.975 else -1 if sure <= 0.025 else 0
            self.misled += bool(claim * gap <= 0 and claim != 0) / len(pairs)
            said += max(sure, 1 - sure)
            probable += max(likely, 1 - likely)
            above += 0.5 if abs(gap) < SOLVED else bool((sure > 0.5) == (gap > 0))
        self.said_confidence += said / len(pairs)
        self.said_probability += probable / len(pairs)
        self.was_above += above / len(pairs)

    def _shown_strengths(self) -> list[float]:
        """Return the strengths; who always fails is below all."""
        strengths = list(self.bots.strengths)
        if self.bots.failing:
            strengths[-1] = -inf
        return strengths

    def _played(self, met: Array) -> list[int]:
        """Return the bots that have played, as far as they are judged."""
        return [bot for bot in self.bots.judged if met[bot].any()]

    def _judge_margins(self, skills: Skills, met: Array) -> None:
        truth, _ = self.bots.truth(met, margins=True)
        judged = self._played(met)
        for bot in judged:
            low, high = skills.low[bot], skills.high[bot]
            self.margins_held += bool(low <= truth[bot] <= high) / len(judged)
            self.margins_width += (high - low) / 2 / len(judged)

    def _judge_ratings(self, ratings: Ratings) -> None:
        skills = ratings.skills()
        mus = np.array([mu for mu, _ in ratings.rated()])
        mus = mus - skills.weights @ mus
        judged = self.bots.judged
        self.rated += 1
        for bot in judged:
            inside = skills.low[bot] <= mus[bot] <= skills.high[bot]
            self.mu_inside += bool(inside) / len(judged)
        check = ratings.check()
        self.agreed += check.agrees
        self.listed += len(check.disagreements)


@dataclass(frozen=True)
class Figures:
    """What came of a calibration, as shares of the cases; widths are in points."""

    bots: str
    games: int
    runs: int
    skills_held: float
    least_held: float
    most_held: float
    margins_held: float
    differences_held: float
    ranks_held: float
    half_width: float
    margins_half_width: float
    misled: float
    confidence: float
    probability: float
    above: float
    stopped_wrongly: float
    mu_inside: float
    agreed: float
    pairs_listed: float


def measure(
    runs: int, games: Sequence[int] = GAMES, kinds: Sequence[str] = ()
) -> Iterator[Calibration]:
    """Simulate `runs` ladders of each field at each length; `kinds` are parts of fields' names."""
    for bots in FIELDS:
        if kinds and not any(kind in bots.name for kind in kinds):
            continue
        for count in games:
            calibration = Calibration(bots, count)
            for run in range(runs):
                calibration.run(f"{bots.name}, {count} games, {run}")
            yield calibration
