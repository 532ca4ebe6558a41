"""TrueSkill's numbers: as published, as the package's, and at any distance."""

from __future__ import annotations

from math import hypot, isfinite
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ladder.rating import Ratings, package
from arena.ladder.rating.factor_graph import MU, SIGMA, draw_margin, rate
from arena.ladder.rating.normal import draw, win
from ladder.rating.rounds import block, chance

pytestmark = pytest.mark.source_only

TAU = 25 / 300
"""What the published cases add to every sigma; the arena's ladders add nothing."""
NEW = (25.0, 25 / 3)

PUBLISHED = {
    # From the tests of Jeff Moser's Skills (TrueSkillCalculatorTests.cs), which are from
    # Microsoft's calculator and Ralf Herbrich's implementation.
    "2": ([NEW] * 2, [1, 2], [(29.39583201999924, 7.171475587326186), (20.60416798, 7.17147558)]),
    "2, tied": ([NEW] * 2, [1, 1], [(25.0, 6.4575196623173081)] * 2),
    "2, far apart, tied": ([NEW, (50, 12.5)], [1, 1], [(31.662, 7.137), (35.010, 7.910)]),
    "3": (
        [NEW] * 3,
        [1, 2, 3],
        [(31.675352419172107, 6.65598537), (25.0, 6.20789664), (18.32464758, 6.65598537)],
    ),
    "3, tied": ([NEW] * 3, [1, 1, 1], [(25.0, 5.698), (25.0, 5.695), (25.0, 5.698)]),
    "4": (
        [NEW] * 4,
        [1, 2, 3, 4],
        [
            (33.206680965631264, 6.3481091698077057),
            (27.401454693843323, 5.7871629348447584),
            (22.598545306188374, 5.7871629348413451),
            (16.793319034361271, 6.3481091698144967),
        ],
    ),
    "5": (
        [NEW] * 5,
        [1, 2, 3, 4, 5],
        [
            (34.363135705841188, 6.1361528798112692),
            (29.058448805636779, 5.5358352402833413),
            (25.000000000031758, 5.4200805474429847),
            (20.941551194426314, 5.5358352402709672),
            (15.636864294158848, 6.136152879829349),
        ],
    ),
    "8, tied": (
        [NEW] * 8,
        [1] * 8,
        [(25.0, sigma) for sigma in (4.592, 4.583, 4.576, 4.573, 4.573, 4.576, 4.583, 4.592)],
    ),
    "8, upset": (
        [(10 + 5 * at, 8 - at) for at in range(8)],
        list(range(1, 9)),
        [
            (35.135, 4.506),
            (32.585, 4.037),
            (31.329, 3.756),
            (30.984, 3.453),
            (31.751, 3.064),
            (34.051, 2.541),
            (38.263, 1.849),
            (44.118, 0.983),
        ],
    ),
    "16": (
        [NEW] * 16,
        list(range(1, 17)),
        [
            (40.53945776946920, 5.27581643889050),
            (36.80951229454210, 4.71121217610266),
            (34.34726355544460, 4.52440328139991),
            (32.33614722608720, 4.43258628279632),
            (30.55048814671730, 4.38010805034365),
            (28.89277312234790, 4.34859291776483),
            (27.30952161972210, 4.33037679041216),
            (25.76571046519540, 4.32197078088701),
            (24.23428953480470, 4.32197078088703),
            (22.69047838027800, 4.33037679041219),
            (21.10722687765220, 4.34859291776488),
            (19.44951185328290, 4.38010805034375),
            (17.66385277391300, 4.43258628279643),
            (15.65273644455550, 4.52440328139996),
            (13.19048770545810, 4.71121217610273),
            (9.46054223053080, 5.27581643889032),
        ],
    ),
    # The example of Microsoft Research's page on the details of TrueSkill, as the tests of the
    # `trueskill` package have it.
    "8": (
        [NEW] * 8,
        list(range(1, 9)),
        [
            (36.771, 5.749),
            (32.242, 5.133),
            (29.074, 4.943),
            (26.322, 4.874),
            (23.678, 4.874),
            (20.926, 4.943),
            (17.758, 5.133),
            (13.229, 5.749),
        ],
    ),
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_published_cases_come_out_to_a_thousandth(case: str) -> None:
    """The ratings are TrueSkill's: they match what others have published."""
    ratings, places, published = PUBLISHED[case]
    drifted = [(mu, hypot(sigma, TAU)) for mu, sigma in ratings]
    for rated, expected in zip(rate(drifted, places, draw_margin(0.1)), published, strict=True):
        assert rated == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("players", range(2, 9))
def test_ratings_are_those_of_the_trueskill_package(players: int) -> None:
    """Whoever checks a ladder with the `trueskill` package gets the same numbers."""
    random = Random(players)
    ours = [(MU, SIGMA)] * 10
    theirs = list(ours)
    for _ in range(100):
        table = random.sample(range(10), players)
        places = sorted(random.randint(1, players) for _ in table)
        for rater, ratings in ((rate, ours), (package.rate, theirs)):
            rated = rater([ratings[player] for player in table], places)
            for player, rating in zip(table, rated, strict=True):
                ratings[player] = rating
    for our, their in zip(ours, theirs, strict=True):
        assert our == pytest.approx(their, abs=1e-9)


def test_a_ladder_can_be_checked_with_the_package_itself() -> None:
    """The published six decimals of standings are the same by either way."""
    judge = chance(6)
    ours, theirs = Ratings(), Ratings(rate=package.rate)
    for _ in range(100):
        games = block((3, 1, 0, 2), judge)
        ours.add_block(games)
        theirs.add_block(games)
    assert ours.state() != Ratings(4).state()
    for our, their in zip(ours.rated(), theirs.rated(), strict=True):
        assert our == pytest.approx(their, abs=5e-10)


far = st.floats(-1e308, 1e308) | st.floats(-1e6, 1e6) | st.floats(-100, 100)
rating = st.tuples(far, st.floats(1e-3, SIGMA))


@given(st.lists(st.tuples(rating, st.integers(1, 3)), min_size=2, max_size=8))
def test_no_distance_is_too_far(players: list[tuple[tuple[float, float], int]]) -> None:
    """A result that was all but impossible is rated like any other; nothing ever raises."""
    players.sort(key=lambda player: player[1])
    before = [rating for rating, _ in players]
    places = [place for _, place in players]
    for rater in (rate, package.rate):
        for (_, sigma), (mu, new) in zip(before, rater(before, places), strict=True):
            assert isfinite(mu)
            assert 0 < new <= sigma * (1 + 1e-9)


def test_the_impossible_upset_comes_out_as_by_other_implementations() -> None:
    """Where the package raises, the result is Microsoft's, and mpmath's to its own precision."""
    margin = draw_margin(0.1)
    upset = rate([(-323.263, hypot(2.965, TAU)), (-48.441, hypot(2.190, TAU))], [1, 2], margin)
    assert upset[0] == pytest.approx((-273.092, 2.683), abs=0.05)
    assert upset[1] == pytest.approx((-75.830, 2.080), abs=0.05)
    upset = rate([(25, hypot(25 / 3, TAU)), (1000, hypot(25 / 3, TAU))], [1, 2], margin)
    assert upset[0] == pytest.approx((415.298, 6.455), abs=0.5)
    assert upset[1] == pytest.approx((609.702, 6.455), abs=0.5)


@pytest.mark.parametrize("t", [20.0, 34.9, 35.1, 80.0, 1e4])
def test_far_tails_follow_their_series(t: float) -> None:
    """V and W are right where erfc has nothing left, and nothing jumps where the method changes."""
    v, w = win(-t)
    assert v == pytest.approx(t + 1 / t - 2 / t**3 + 10 / t**5, rel=1e-8)
    assert 1 - w == pytest.approx(1 / t**2 - 6 / t**4 + 50 / t**6, rel=1e-3, abs=1e-15)
    # A tie far away is, at its near edge, the same tail.
    v, w = draw(t + 30, 30)
    assert v == pytest.approx(-(t + 1 / t - 2 / t**3 + 10 / t**5), rel=1e-8)


def test_tied_players_are_rated_in_the_order_of_contestants() -> None:
    """In whatever order a record lists those who tied, the ratings are the same."""
    one, other = Ratings(4), Ratings(4)
    one.add_block([((3, 1, 0, 2), (1, 2, 2, 2))])
    other.add_block([((2, 3, 1, 0), (2, 1, 2, 2))])
    assert one.state() == other.state()


def test_sigma_falls_with_every_game() -> None:
    """Programs do not drift: what is known of one is never forgotten."""
    ratings = Ratings(2)
    last = SIGMA
    for number in range(300):
        ratings.add_block([((0, 1), (1 + number % 2, 2 - number % 2))])
        sigma = ratings.rated()[0][1]
        assert sigma < last
        last = sigma
