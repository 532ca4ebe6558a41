"""Whether the ladder's intervals hold: many simulated ladders of bots of known strength.

A bot's performance in a game is its strength, plus the luck of the hand that it holds (the
same for whoever holds it in the games of a block), plus how the deal suits the bot (the
same in all games of a block), plus noise of its own. Places go by performance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import floor, sqrt
from random import Random
from typing import Any

from arena.ladder.rating import Placing, Ratings, first_look
from arena.ladder.rating.factor_graph import BETA
from arena.ladder.rating.normal import cdf
from arena.ladder.rating.skill import UNIT

SOLVED = 1e-12
BAND = (0.93, 0.97)
"""The share of cases in which 95 % intervals must hold."""


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

    def noise(self, bot: int) -> float:
        """Return a bot's own noise; if all noise is even, performances deviate by beta in total."""
        own = BETA * sqrt(1 - self.hand**2 - self.suit**2 - self.step**2 / 6)
        return own * self.uneven if bot % 2 else own / self.uneven

    @cached_property
    def truth(self) -> list[float]:
        """The skills that the fit would find in endless games.

        They are the strengths if all noise is even.
        """
        bots = range(len(self.strengths))
        # Rounding adds a twelfth of a squared step to each, and half a point for a tie (the
        # trapezoid rule instead of the integral) as much again.
        shared = BETA**2 * (self.hand**2 + self.suit**2 + self.step**2 / 6)
        above = [[self._above(a, b, 2 * shared) for b in bots] for a in bots]
        skills = [strength / UNIT for strength in self.strengths]
        while True:
            off = [
                sum(above[a][b] - cdf(skills[a] - skills[b]) for b in bots if b != a) for a in bots
            ]
            if max(map(abs, off)) < SOLVED:
                mean = sum(skills) / len(skills)
                return [(skill - mean) * UNIT for skill in skills]
            skills = [skill + x / len(skills) for skill, x in zip(skills, off, strict=True)]

    def _above(self, a: int, b: int, shared: float) -> float:
        deviation = sqrt(self.noise(a) ** 2 + self.noise(b) ** 2 + shared)
        return cdf((self.strengths[a] - self.strengths[b]) / deviation)

    def blocks(self, random: Random) -> Iterator[list[Placing]]:
        """Yield blocks without end, in which everybody plays equally often at every table size."""
        bots = list(range(len(self.strengths)))
        while True:
            for size in self.tables:
                waiting: list[int] = []
                while not waiting or len(waiting) % size:
                    random.shuffle(bots)
                    # Nobody who waits for a table already is seated at it twice.
                    waiting += sorted(bots, key=waiting[len(waiting) // size * size :].__contains__)
                for at in range(0, len(waiting), size):
                    yield self._block(waiting[at : at + size], random)

    def _block(self, players: list[int], random: Random) -> list[Placing]:
        size = len(players)
        hands = [random.gauss(0, self.hand * BETA) for _ in players]
        base = [self.strengths[bot] + random.gauss(0, self.suit * BETA) for bot in players]
        noise = [self.noise(bot) for bot in players]
        games: list[Placing] = []
        for rotation in range(size):
            shown = [
                base[at] + hands[(at + rotation) % size] + random.gauss(0, noise[at])
                for at in range(size)
            ]
            if self.step:
                shown = [floor(x / (self.step * BETA)) for x in shown]
            games.append((tuple(players), tuple(1 + sum(y > x for y in shown) for x in shown)))
        return games


def spread(bots: int, points: float) -> tuple[float, ...]:
    """Return strengths at equal distances, over `points` from the first to the last."""
    return tuple(points * at / (bots - 1) for at in range(bots))


FIELDS = (
    Field("4 at one table", spread(4, 4)),
    Field("8, no luck of the deal", spread(8, 8), hand=0, suit=0),
    Field("8, luck of the deal", spread(8, 8)),
    Field("8, every other twice as noisy", spread(8, 8), uneven=1.4),
    Field("8 alike", spread(8, 0)),
    Field("8, many ties", spread(8, 8), step=1.0),
    Field("8, one outclasses all", (*spread(7, 3), 14.0)),
    Field("8, tables of 3, 4 and 5", spread(8, 8), tables=(3, 4, 5)),
    Field("8, deals suit bots", spread(8, 8), hand=0.3, suit=0.8),
    Field("20", spread(20, 12), uneven=1.2),
)
GAMES = (200, 600, 2000)


@dataclass
class Calibration:
    """How often the statements about a field were true, over `runs` ladders of `games` games."""

    bots: Field
    games: int
    runs: int = 0
    held: list[int] = field(default_factory=list)
    """How often each bot's skill was in its interval."""
    misled: float = 0
    """The share of pairs in which the wrong one was said to be above, with 97.5 % or more."""
    ranks: float = 0
    """How often a rank was in its interval."""
    width: float = 0
    """How far the intervals reach to either side, in points."""
    rated: float = 0
    """How often TrueSkill's mu, centred, was in the interval of the skill."""
    agreed: int = 0
    """How often the cross-check found nothing reversed."""
    differed: int = 0
    """How many pairs it listed, over all ladders."""
    stopped: int = 0
    """How often a wrong order would have been called certain."""

    @property
    def skills(self) -> float:
        """The share of all cases in which the 95 % interval of a skill held."""
        return sum(self.held) / len(self.held) / self.runs

    @property
    def holds(self) -> bool:
        """Whether the intervals hold as often as promised."""
        return BAND[0] <= self.skills <= BAND[1]

    def figures(self) -> dict[str, Any]:
        """Return all figures, as shares of the cases."""
        return {
            "bots": self.bots.name,
            "games": self.games,
            "runs": self.runs,
            "skills_held": self.skills,
            "least_held": min(self.held) / self.runs,
            "most_held": max(self.held) / self.runs,
            "ranks_held": self.ranks / self.runs,
            "half_width": self.width / self.runs,
            "misled": self.misled / self.runs,
            "mu_inside": self.rated / self.runs,
            "agreed": self.agreed / self.runs,
            "pairs_listed": self.differed / self.runs,
            "stopped_wrongly": self.stopped / self.runs,
        }

    def run(self, seed: str) -> None:
        """Simulate one more ladder, and compare its statements with the truth."""
        truth = self.bots.truth
        bots = range(len(truth))
        ratings = Ratings(len(truth))
        wrong = False
        looks, look_at = 0, first_look(len(truth))
        for block in self.bots.blocks(Random(seed)):
            ratings.add_block(block)
            if ratings.blocks == look_at:
                looks, look_at = looks + 1, 2 * look_at
                now = ratings.certainty(bots, 0.95, looks)
                misled = any(truth[a] <= truth[b] for a, b in pairwise(now.order))
                wrong = wrong or (now.certain and misled)
            if ratings.games >= self.games:
                break
        self.stopped += wrong
        self.runs += 1
        self.held = self.held or [0] * len(truth)
        mean = sum(mu for mu, _ in ratings.rated()) / len(truth)
        for standing in ratings.standings():
            bot = standing.contestant
            self.held[bot] += standing.low <= truth[bot] <= standing.high
            self.rated += (standing.low <= standing.mu - mean <= standing.high) / len(truth)
            self.width += (standing.high - standing.low) / 2 / len(truth)
            best = 1 + sum(truth[other] > truth[bot] for other in bots)
            self.ranks += (standing.rank_low <= best <= standing.rank_high) / len(truth)
        pairs = [(a, b) for a in bots for b in range(a)]
        for a, b in pairs:
            sure = ratings.above(a, b)
            said = 1 if sure >= 0.975 else -1 if sure <= 0.025 else 0
            self.misled += (said * (truth[a] - truth[b]) <= 0 and said != 0) / len(pairs)
        check = ratings.check()
        self.agreed += check.agrees
        self.differed += len(check.disagreements)


def measure(runs: int, games: Sequence[int] = GAMES) -> Iterator[Calibration]:
    """Simulate `runs` ladders of each field at each length."""
    for bots in FIELDS:
        for count in games:
            calibration = Calibration(bots, count)
            for run in range(runs):
                calibration.run(f"{bots.name}, {count} games, {run}")
            yield calibration
