"""The ratings of a ladder, updated block by block, and the standings that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from arena.ladder.rating.factor_graph import MU, SIGMA, Rating, rate
from arena.ladder.rating.tally import Placing, Tally, TallyState

if TYPE_CHECKING:
    from arena.ladder.rating.agreement import CrossCheck
    from arena.ladder.rating.skill import Skills
    from arena.ladder.rating.stopping import Certainty

MOST_COMPARED = 1000
"""Where more than so many are ranked, those who have left have no interval of their rank."""
Rate = Callable[[Sequence[Rating], Sequence[int]], list[Rating]]
"""Takes the ratings before a game and the places, best first; returns the ratings after it."""


@dataclass(frozen=True)
class Anchor:
    """A contestant whose rating is shown at a fixed mu, so that ladders can be compared."""

    contestant: int
    mu: float


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """One contestant's place in the ladder; ratings and skills are in TrueSkill's points."""

    contestant: int
    mu: float
    sigma: float
    conservative: float
    """Mu - 3 sigma, by which the ladder is ordered."""
    skill: Estimate
    """The fitted skill; zero is a mean by how much is known of each."""
    rank: int | None
    """By the conservative rating; equals share the better rank. None for those without a rank."""
    rank_low: int | None
    """The best rank that the intervals allow, with 95 % confidence. None for those without a rank,
    and where many are ranked for those who have left."""
    rank_high: int | None
    """The worst rank that they allow."""


class RatingsState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All ratings and counts, so that they can be saved."""

    version: Literal[3] = 3
    """Of what the values mean; one of another version is refused when it is read."""
    ratings: Sequence[Rating]
    tally: TallyState


class Ratings:
    """The ratings and counts of a ladder's games; add the blocks in the log's order.

    `rate` updates the ratings after a game. `package.rate` does the same with the `trueskill`
    package itself, ten times as slowly, to check a ladder.
    """

    def __init__(self, contestants: int = 0, rate: Rate = rate) -> None:
        self._rate = rate
        self._ratings: list[Rating] = []
        self._tally = Tally()
        self._skills: dict[bool, Skills] = {}
        """The fits by places (False) and by margins (True), until there is another block."""
        self.grow(contestants)

    @property
    def contestants(self) -> int:
        """The number of contestants."""
        return len(self._ratings)

    @property
    def games(self) -> int:
        """The number of games added."""
        return self._tally.games

    @property
    def blocks(self) -> int:
        """The number of blocks added."""
        return self._tally.blocks

    def grow(self, contestants: int) -> None:
        """Grow to at least `contestants`; `add_block` does this automatically."""
        if contestants > len(self._ratings):
            self._ratings += [(MU, SIGMA)] * (contestants - len(self._ratings))
            self._tally.grow(contestants)
            self._skills = {}

    def add_block(self, games: Sequence[Placing], margins: Sequence[Sequence[float]] = ()) -> None:
        """Add all games of a block, in their order; `margins` are points by margins, by game."""
        self._tally.add(games, margins)
        self.grow(self._tally.contestants)
        ratings = self._ratings
        for players, places in games:
            # The chain needs an order even for those who tie: it is by contestant.
            order = sorted(zip(places, players, strict=True))
            before = [ratings[player] for _, player in order]
            after = self._rate(before, [place for place, _ in order])
            for (_, player), rating in zip(order, after, strict=True):
                ratings[player] = rating
        self._skills = {}

    def state(self) -> RatingsState:
        """Return all state; `from_state` restores it exactly, even through JSON."""
        return RatingsState(ratings=tuple(self._ratings), tally=self._tally.state())

    @classmethod
    def from_state(cls, state: RatingsState) -> Ratings:
        """Return the ratings that gave this state."""
        ratings = cls()
        ratings._ratings = list(state.ratings)
        ratings._tally = Tally.from_state(state.tally)
        return ratings

    def rated(self, anchor: Anchor | None = None) -> list[Rating]:
        """Return everybody's mu and sigma, with the anchor at its mu, or else the mean at 25."""
        if anchor is not None:
            shift = anchor.mu - self._ratings[anchor.contestant][0]
        else:
            shift = MU - sum(mu for mu, _ in self._ratings) / max(1, len(self._ratings))
        return [(mu + shift, sigma) for mu, sigma in self._ratings]

    def standings(
        self,
        anchor: Anchor | None = None,
        unranked: Collection[int] = (),
        playing: Collection[int] | None = None,
    ) -> list[Standing]:
        """Return everybody's standing by rank; equals are in the order of contestants.

        Those who are unranked come last; their games count for the others. Where many have
        entered, only those who play have an interval of their rank: to compare each with each
        would take ever longer.
        """
        from arena.ladder.rating.ranks import rank_intervals, ranks  # noqa: PLC0415
        from arena.ladder.rating.skill import LEVEL  # noqa: PLC0415

        if not self._ratings:
            return []
        rated = self.rated(anchor)
        conservative = [mu - 3 * sigma for mu, sigma in rated]
        skills = self.skills()
        ranked = [each for each in range(self.contestants) if each not in unranked]
        places = dict(zip(ranked, ranks([conservative[each] for each in ranked]), strict=True))
        compared = ranked
        if playing is not None and len(ranked) > MOST_COMPARED:
            compared = [each for each in ranked if each in playing]
        found = rank_intervals(skills, compared, 1 - LEVEL, ranked)
        intervals = dict(zip(compared, found, strict=True))
        standings = []
        for contestant in range(self.contestants):
            best, worst = intervals.get(contestant, (None, None))
            standings.append(
                Standing(
                    contestant,
                    *rated[contestant],
                    conservative[contestant],
                    estimate(skills, contestant),
                    places.get(contestant),
                    best,
                    worst,
                )
            )
        last = len(standings) + 1
        return sorted(standings, key=lambda each: (each.rank or last, each.contestant))

    def check(self, playing: Sequence[int] | None = None) -> CrossCheck:
        """Compare the ratings with a fit that ignores the order of games.

        Those who play now are compared with each other, by default all, and all others with whom
        they met.
        """
        from arena.ladder.rating.agreement import check  # noqa: PLC0415

        among = range(self.contestants) if playing is None else playing
        return check([mu for mu, _ in self._ratings], self._tally, self.skills(), among)

    def certainty(self, among: Sequence[int], level: float, look: int) -> Certainty:
        """Return how certain the order of neighbours among these is; see `stopping`."""
        from arena.ladder.rating.stopping import certainty  # noqa: PLC0415

        return certainty(self.skills(), among, level, look)

    def widest(self, among: Sequence[int]) -> float:
        """Return how wide the widest 95 % interval among these is, in points."""
        skills = self.skills()
        return max(skills.high[a] - skills.low[a] for a in among)

    def skills(self, *, margins: bool = False) -> Skills:
        """Return the skills by places or by margins; they are fitted once between two blocks."""
        if margins not in self._skills:
            from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

            self._skills[margins] = fit(self._tally, margins=margins)
        return self._skills[margins]

    @property
    def tally(self) -> Tally:
        """The counts of the log."""
        return self._tally


def estimate(skills: Skills, contestant: int) -> Estimate:
    """Return a contestant's skill."""
    at = contestant
    return Estimate(skills.points[at], skills.low[at], skills.high[at])


def difference(skills: Skills, a: int, b: int) -> Estimate:
    """Return how many points A is above B; the interval is of this difference alone."""
    from arena.ladder.rating.skill import LEVEL  # noqa: PLC0415

    gap, noise = skills.gap(a, b), skills.noise(a, b, 1 - LEVEL)
    return Estimate(gap, gap - noise, gap + noise)
