"""A wrapper of the `trueskill` package: the reference with which ratings are compared.

The package takes half a millisecond for a game of four, ten times as long as `factor_graph`,
and raises an error if a result was all but impossible. Here its V and W come from `normal`,
which always has a value. If its own messages still cancel, `factor_graph` rates the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import trueskill

from arena.ladder.rating import factor_graph
from arena.ladder.rating.factor_graph import BETA, DRAW_PROBABILITY, MU, SIGMA, Rating
from arena.ladder.rating.normal import cdf, draw, pdf, ppf, win


class _TrueSkill(trueskill.TrueSkill):  # type: ignore[misc] # the package has no types
    """The package with functions V and W that always have a value."""

    def v_win(self, diff: float, draw_margin: float) -> float:
        return win(diff - draw_margin)[0]

    def w_win(self, diff: float, draw_margin: float) -> float:
        return win(diff - draw_margin)[1]

    def v_draw(self, diff: float, draw_margin: float) -> float:
        return draw(diff, draw_margin)[0]

    def w_draw(self, diff: float, draw_margin: float) -> float:
        return draw(diff, draw_margin)[1]


def environment(draw_probability: float = DRAW_PROBABILITY) -> trueskill.TrueSkill:
    """Return the package with the arena's constants; tau is 0, as programs do not drift."""
    return _TrueSkill(MU, SIGMA, BETA, 0.0, draw_probability, (cdf, pdf, ppf))


ENVIRONMENT = environment()


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game; the players are in the order of their places, best first."""
    teams = [(trueskill.Rating(mu, sigma),) for mu, sigma in ratings]
    try:
        rated = ENVIRONMENT.rate(teams, places)
    except (ArithmeticError, ValueError):
        return factor_graph.rate(ratings, places)
    after = [(float(rating.mu), float(rating.sigma)) for (rating,) in rated]
    return after if all(isfinite(mu) for mu, _ in after) else factor_graph.rate(ratings, places)
