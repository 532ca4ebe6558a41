"""The ratings of a ladder, block by block, and what can be told from them at any time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.ladder.rating.factor_graph import MU, SIGMA, Rating, rate
from arena.ladder.rating.tally import Placing, Tally

if TYPE_CHECKING:
    from arena.ladder.rating.agreement import CrossCheck
    from arena.ladder.rating.skill import Skills
    from arena.ladder.rating.stopping import Certainty

Rate = Callable[[Sequence[Rating], Sequence[int]], list[Rating]]
"""Ratings after a game from those before it, and the places, best first."""
STATE = 1
"""The version of the state."""


@dataclass(frozen=True)
class Anchor:
    """A contestant whose rating stays where it is, so that runs can be compared."""

    contestant: int
    mu: float


@dataclass(frozen=True)
class Standing:
    """One contestant's place in the ladder. Points are TrueSkill's everywhere."""

    contestant: int
    mu: float
    sigma: float
    conservative: float
    """Mu - 3 sigma, by which the ladder is ordered."""
    skill: float
    """From the fit; the mean over all games is zero."""
    low: float
    """Where the 95 % interval of the skill begins."""
    high: float
    """Where it ends."""
    rank: int
    """By the conservative rating; equals share the better rank."""
    rank_low: int
    """The best rank that the intervals allow, with 95 % confidence."""
    rank_high: int
    """The worst."""


class Ratings:
    """Everything that is derived from the log of games; blocks go in in the log's order.

    `rate` is how a game is rated: `package.rate` is the same by the `trueskill` package itself,
    ten times as slow, for those who check a ladder.
    """

    def __init__(self, contestants: int = 0, rate: Rate = rate) -> None:
        self._rate = rate
        self._ratings: list[Rating] = []
        self._tally = Tally()
        self._skills: Skills | None = None
        self.grow(contestants)

    @property
    def contestants(self) -> int:
        """How many there are."""
        return len(self._ratings)

    @property
    def games(self) -> int:
        """How many games were added."""
        return self._tally.games

    @property
    def blocks(self) -> int:
        """How many blocks were added."""
        return self._tally.blocks

    @property
    def points(self) -> list[list[float]]:
        """Row by row, the points that each took from each: 1 for placing above, half for a tie."""
        return [list(row) for row in self._tally.points]

    def grow(self, contestants: int) -> None:
        """Let there be so many contestants; a block that names more does so by itself."""
        if contestants > len(self._ratings):
            self._ratings += [(MU, SIGMA)] * (contestants - len(self._ratings))
            self._tally.grow(contestants)
            self._skills = None

    def add_block(self, games: Sequence[Placing]) -> None:
        """Add all games of a block, in their order."""
        self._tally.add(games)
        self.grow(self._tally.contestants)
        ratings = self._ratings
        for players, places in games:
            # The chain of neighbours has an order where places have none: by contestant.
            order = sorted(zip(places, players, strict=True))
            before = [ratings[player] for _, player in order]
            after = self._rate(before, [place for place, _ in order])
            for (_, player), rating in zip(order, after, strict=True):
                ratings[player] = rating
        self._skills = None

    def state(self) -> dict[str, Any]:
        """All of it as plain data; through JSON and `from_state` it comes back exactly."""
        ratings = [list(rating) for rating in self._ratings]
        return {"version": STATE, "ratings": ratings, "tally": self._tally.state()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Ratings:
        """The ratings that gave this state; ValueError for that of another version."""
        if state.get("version") != STATE:
            raise ValueError(f"rating state: expected version {STATE}, got {state.get('version')}")
        ratings = cls()
        ratings._ratings = [(mu, sigma) for mu, sigma in state["ratings"]]
        ratings._tally = Tally.from_state(state["tally"])
        return ratings

    def rated(self, anchor: Anchor | None = None) -> list[Rating]:
        """Mu and sigma of everybody; the anchor at its mu, or else the mean at 25."""
        if anchor is not None:
            shift = anchor.mu - self._ratings[anchor.contestant][0]
        else:
            shift = MU - sum(mu for mu, _ in self._ratings) / max(1, len(self._ratings))
        return [(mu + shift, sigma) for mu, sigma in self._ratings]

    def standings(self, anchor: Anchor | None = None) -> list[Standing]:
        """Everybody by rank; equals in the order of contestants."""
        from arena.ladder.rating.ranks import rank_interval, ranks  # noqa: PLC0415
        from arena.ladder.rating.skill import LEVEL  # noqa: PLC0415

        if not self._ratings:
            return []
        rated = self.rated(anchor)
        conservative = [mu - 3 * sigma for mu, sigma in rated]
        skills = self._fitted()
        standings = []
        for contestant, rank in enumerate(ranks(conservative)):
            best, worst = rank_interval(skills, contestant, 1 - LEVEL)
            standings.append(
                Standing(
                    contestant,
                    *rated[contestant],
                    conservative[contestant],
                    skills.points[contestant],
                    skills.low[contestant],
                    skills.high[contestant],
                    rank,
                    best,
                    worst,
                )
            )
        return sorted(standings, key=lambda standing: (standing.rank, standing.contestant))

    def above(self, a: int, b: int) -> float:
        """How sure it is that A is above B, from 0 to 1."""
        return self._fitted().above(a, b)

    def check(self) -> CrossCheck:
        """Where the ratings disagree with a fit that knows no order of games."""
        from arena.ladder.rating.agreement import check  # noqa: PLC0415

        return check([mu for mu, _ in self._ratings], self._tally, self._fitted())

    def certainty(self, among: Sequence[int], level: float, look: int) -> Certainty:
        """Whether the order of all neighbours among these is certain; see `stopping`."""
        from arena.ladder.rating.stopping import certainty  # noqa: PLC0415

        return certainty(self._fitted(), among, level, look)

    def _fitted(self) -> Skills:
        """The skills, fitted once for all that is asked between two blocks."""
        if self._skills is None:
            from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

            self._skills = fit(self._tally)
        return self._skills
