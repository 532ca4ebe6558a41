"""The second opinion: Bradley–Terry from the counts, against TrueSkill from the log."""

from __future__ import annotations

from math import exp

import pytest

from arena.ladder.rating import Ratings
from arena.ladder.rating.bradley_terry import strengths
from ladder.rating.rounds import block, by_number, chance, ladder

pytestmark = pytest.mark.source_only


def test_the_cross_check_agrees_on_an_honest_ladder() -> None:
    """Where bots play as they are, two ways to rate them say the same."""
    ratings = ladder(8, 500, chance(1))
    check = ratings.check()
    assert check.agrees
    assert not check.disagreements
    assert check.strengths == sorted(check.strengths, reverse=True)
    mus = [mu for mu, _ in ratings.rated()]
    assert check.strengths == pytest.approx([mu - 25 for mu in mus], abs=1.0)


def test_a_bot_that_changed_in_the_middle_is_listed() -> None:
    """What TrueSkill says hangs on which games came first; where that matters, it is said."""
    ratings = Ratings()
    for _ in range(300):
        ratings.add_block(block((0, 1, 2), by_number))
    for _ in range(150):
        ratings.add_block(block((0, 1, 2), lambda players: [3 - player for player in players]))
    check = ratings.check()
    assert not check.agrees
    first = check.disagreements[0]
    assert first.reversed
    assert first.rated > 0.5 > first.high >= first.fitted >= first.low


def test_the_order_of_the_log_does_not_matter_to_it() -> None:
    """The second opinion is the same whichever games came first."""
    judge = chance(2)
    blocks = [block((0, 1, 2, 3), judge) for _ in range(60)]
    forth, back = Ratings(), Ratings()
    for games in blocks:
        forth.add_block(games)
    for games in reversed(blocks):
        back.add_block(games)
    assert forth.rated() != back.rated()
    assert forth.check().strengths == back.check().strengths
    assert forth.skills().confidence_above(0, 1) == pytest.approx(
        back.skills().confidence_above(0, 1), abs=0.05
    )


def test_strengths_expect_the_points_that_were_won() -> None:
    """In the fit, everybody wins as many points as he did, but for one drawn game."""
    ratings = ladder(6, 80, chance(3))
    points = ratings.tally.matrix()
    fitted = strengths(ratings.tally.points)
    for a, row in enumerate(points):
        expected = 1 / (1 + exp(-fitted[a]))
        for b in range(6):
            met = row[b] + points[b][a]
            expected += met / (1 + exp(fitted[b] - fitted[a]))
        assert expected == pytest.approx(sum(row) + 0.5, abs=1e-4)


def test_two_bots_have_the_strengths_that_a_pencil_gives() -> None:
    """75 of 100 games won is three to one, with half a game more on both sides."""
    won, lost = strengths([{1: 75.0}, {0: 25.0}])
    assert exp(won - lost) == pytest.approx(3, rel=0.05)
    assert won == pytest.approx(-lost)
