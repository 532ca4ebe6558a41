"""Skills and their intervals: that they hold, and what they do where there is little to go by."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from random import Random

import numpy as np
import pytest

from arena.bench.calibration import FIELDS, Calibration, Field, spread
from arena.ladder.rating import Ratings, Standing, Tally, student
from arena.ladder.rating.meetings import Meetings
from arena.ladder.rating.normal import PEAK
from arena.ladder.rating.scatter import Pulls, restored
from arena.ladder.rating.skill import fit, zero_of
from arena.ladder.schedule import Schedule
from ladder.rating.rounds import all_tied, block, by_number, chance, ladder

pytestmark = pytest.mark.source_only


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_intervals_hold_for_bots_of_known_strength(field: Field) -> None:
    """A 95 % interval holds in about 95 % of cases; `arena bench calibration` is the full test."""
    calibration = Calibration(field, 200)
    for run in range(12):
        calibration.run(f"test {run}")
    # With so few ladders, three standard errors around what is promised.
    assert calibration.skills >= 0.87
    assert calibration.margins_held / calibration.runs >= 0.87
    assert calibration.differences_held / calibration.runs >= 0.87
    assert calibration.ranks / calibration.runs >= 0.95
    assert calibration.misled / calibration.runs <= 0.1
    assert calibration.agreed == calibration.rated


def test_intervals_are_no_wider_than_they_must_be() -> None:
    """Intervals that always hold would say nothing: half as wide ones do fail."""
    calibration = Calibration(replace(FIELDS[2], name="narrow"), 200)
    missed = 0
    for run in range(12):
        calibration.run(f"narrow {run}")
        missed = sum(calibration.cases) - sum(calibration.held)
    assert missed >= 1
    assert calibration.width / calibration.runs < 1.3


def test_an_interval_narrows_with_the_root_of_the_games() -> None:
    """Four times as many games make intervals half as wide."""
    few, many = (ladder(6, blocks, chance(1)).standings() for blocks in (100, 400))
    assert _width(many[2]) / _width(few[2]) == pytest.approx(0.5, rel=0.25)


def test_games_on_the_same_cards_count_once() -> None:
    """A block that repeats itself four times tells no more than its cards do."""
    judge = chance(2)
    repeated, fresh = Ratings(), Ratings()
    for _ in range(100):
        places = judge(range(4))
        repeated.add_block(block(range(4), lambda _, places=places: places))
        fresh.add_block(block(range(4), judge))
    assert _width(repeated.standings()[1]) > 1.6 * _width(fresh.standings()[1])


def test_everything_is_finite_however_little_was_played() -> None:
    """No games, one block, or nothing but ties: wide intervals, and no rank is ruled out."""
    for ratings in (Ratings(4), ladder(4, 1, all_tied), ladder(4, 1, chance(1))):
        for standing in ratings.standings():
            assert standing.skill.high - standing.skill.low > 5
            assert (standing.rank_low, standing.rank_high) == (1, 4)
        assert 0.02 < ratings.skills().confidence_above(0, 1) < 0.98
    assert Ratings().standings() == []
    assert Ratings().check().disagreements == []


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_who_always_wins_has_a_finite_place_above_all(size: int) -> None:
    """A bot that never lost is surely first; how far above, the interval leaves open upwards."""
    standings = ladder(size, 50, by_number, size).standings()
    first, last = standings[0], standings[-1]
    assert (first.contestant, first.rank_low, first.rank_high) == (0, 1, 1)
    assert (last.contestant, last.rank_low, last.rank_high) == (size - 1, size, size)
    assert all(
        isfinite(x) for standing in standings for x in (standing.skill.low, standing.skill.high)
    )
    assert first.skill.high - first.skill.value > first.skill.value - first.skill.low


def test_bots_that_always_tie_are_equal_and_stay_so() -> None:
    """Twins are never told apart."""
    ratings = ladder(4, 100, all_tied)
    assert ratings.skills().confidence_above(0, 3) == pytest.approx(0.5)
    for standing in ratings.standings():
        assert standing.skill.low < 0 < standing.skill.high
        assert (standing.rank_low, standing.rank_high) == (1, 4)


def test_a_newcomer_has_a_wide_interval_and_leaves_the_others_theirs() -> None:
    """Adding a bot to a long ladder does not take from what is known of the rest."""
    judge = chance(3)
    ratings = ladder(4, 300, judge)
    before = {standing.contestant: standing for standing in ratings.standings()}
    ratings.add_block(block((4, 0, 1, 2), judge))
    ratings.grow(6)
    after = {standing.contestant: standing for standing in ratings.standings()}
    for contestant in range(4):
        assert _width(after[contestant]) < 1.1 * _width(before[contestant])
    assert _width(after[4]) > 4 * _width(after[0])
    assert _width(after[5]) > 2 * _width(after[4])


@pytest.mark.parametrize(
    ("bots", "sizes", "each", "ladders"),
    [(60, (3, 4, 5), 100, 4), (6, (3, 4, 5), 300, 6), (6, (2, 3, 4, 5, 6), 300, 6)],
)
def test_a_newcomers_interval_is_as_narrow_as_an_incumbents(
    bots: int, sizes: tuple[int, ...], each: int, ladders: int
) -> None:
    """At the same number of games it is as wide, within a tenth, in small fields and large ones.

    In few stretches of a long log one bot's scatter is unsure, but that of all tells of it; and
    in a small field the zero is partly his own, however many games the others have.
    """
    ratios = []
    between = (bots // 2 - 1, bots // 2)
    for seed in range(ladders):
        random = np.random.default_rng(seed)
        field = Field("a newcomer", (*spread(bots, 8), 4.0))
        schedule, tally = Schedule(f"newcomer {seed}", sizes), Tally()
        for there in (bots, bots + 1):
            schedule.enter(range(there))
            schedule.settle()
            while schedule.meetings.least() < each:
                tally.add(*field.block(schedule.next().contestants, random))
        found = fit(tally)
        wide = [found.high[bot] - found.low[bot] for bot in (*between, bots)]
        games = [schedule.meetings.games(bot) for bot in (*between, bots)]
        first, second, new = np.array(wide) * np.sqrt(games)
        ratios.append(2 * new / (first + second))
    assert 0.9 < sum(ratios) / ladders < 1.1, ratios


def test_the_zero_moves_with_the_skills_as_the_fit_says() -> None:
    """The weights of the zero depend on the skills; its slopes are those of differences."""
    random = np.random.default_rng(9)
    met = Meetings.of(ladder(6, 40, chance(9)).tally)
    counts = random.integers(1, 300, len(met.counts)).astype(float)
    skill = np.array([-3.0, *random.normal(size=5)])

    def zeroed(skill: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        gaps = skill[met.one] - skill[met.other]
        return zero_of(met, counts * PEAK * np.exp(-gaps * gaps / 2), gaps, skill)

    _, weights, slopes = zeroed(skill)
    assert weights.sum() == pytest.approx(1)
    assert weights.argmin() == 0
    for bot, step in enumerate(1e-5 * np.eye(6)):
        slope = (zeroed(skill + step)[0] - zeroed(skill - step)[0]) / 2e-5
        assert slopes[bot] == pytest.approx(slope, abs=1e-8)


def test_of_groups_that_never_met_nothing_is_claimed() -> None:
    """Two groups without a common game are not compared, however long they play."""
    judge = chance(4, points=3)
    ratings = Ratings()
    for _ in range(200):
        ratings.add_block(block((0, 1, 2, 3), judge))
        ratings.add_block(block((4, 5, 6, 7), judge))
    assert ratings.skills().confidence_above(0, 1) > 0.999
    assert all(
        0.1 < ratings.skills().confidence_above(a, b) < 0.9 for a in range(4) for b in range(4, 8)
    )


def test_confidence_and_probability_add_up() -> None:
    """That A is above B and B above A are 1 together, and the better bot has the larger part."""
    skills = ladder(6, 200, chance(5)).skills()
    for said in (skills.confidence_above, skills.probability_above):
        for a in range(6):
            for b in range(a):
                assert said(a, b) + said(b, a) == pytest.approx(1)
        assert said(0, 5) > 0.999
    scores, df = skills.scores_above([2])
    assert student.cdf(scores[0, 4], df[0, 4]) == pytest.approx(skills.confidence_above(2, 4))


def test_in_a_close_field_a_probability_is_less_sure_than_a_confidence_level() -> None:
    """Where all are about equal, who seems better owes it to luck; far apart, it makes none."""
    close = Calibration(replace(FIELDS[2], strengths=(0.0, 0.2) * 4), 200)
    for run in range(12):
        close.run(f"close {run}")
    found = close.figures()
    assert found.confidence > found.above + 0.08
    assert found.probability < found.confidence - 0.08
    skills = ladder(4, 300, chance(6, points=5)).skills()
    gap = skills.confidence_above(0, 1) - skills.probability_above(0, 1)
    assert 0 <= gap < 0.001


def test_who_is_out_of_reach_takes_nothing_from_the_others() -> None:
    """One who loses every game, or fails in it, leaves others their intervals and their zero."""
    judge = chance(7)
    alone, beside = Ratings(), Ratings()
    random = Random(7)
    for number in range(400):
        players = random.sample(range(5), 4)
        games = block(players, judge)
        for ratings in (alone, beside):
            ratings.add_block(games)
        if number % 4 == 0:
            beside.add_block([((*game[0], 5), (*game[1], 5)) for game in block(players, judge)])
    before = {each.contestant: each.skill for each in alone.standings()}
    after = {each.contestant: each.skill for each in beside.standings()}
    for bot in range(5):
        assert after[bot].high - after[bot].low < 1.1 * (before[bot].high - before[bot].low)
        assert before[bot].low < after[bot].value < before[bot].high
    assert beside.skills().weights[5] < 0.05


@pytest.mark.parametrize("size", [3, 12])
def test_the_corrected_scatter_is_that_of_whole_matrices(size: int) -> None:
    """What a stretch's scatter is scaled up by is the root of a matrix, computed without it."""
    tally = ladder(size, 90, chance(8), 3).tally
    met = Meetings.of(tally)
    random = np.random.default_rng(8)
    weights = met.times * random.uniform(0.1, 0.3, len(met.times))
    one, other = met.one[met.pair], met.other[met.pair]

    def drawn(weights: np.ndarray) -> np.ndarray:
        found = np.zeros((size, size))
        np.add.at(found, (one, other), -weights)
        found += found.T
        return found - np.diag(found.sum(axis=1))

    laplacian = drawn(weights)
    root = np.linalg.cholesky(np.linalg.inv(laplacian + 0.05 * np.eye(size)))
    vectors = random.normal(size=(met.stretches, size))
    found = restored(Pulls(met.at, one, other, weights), root, vectors)
    for stretch in range(met.stretches):
        leverage = root.T @ drawn(np.where(met.at == stretch, weights, 0.0)) @ root
        values, axes = np.linalg.eigh(np.eye(size) - leverage)
        wanted = axes @ ((axes.T @ vectors[stretch]) / np.sqrt(values))
        assert found[stretch] == pytest.approx(wanted, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(
    ("probability", "df", "value"),
    [(0.975, 1, 12.7062), (0.975, 5, 2.5706), (0.995, 10, 3.1693), (0.9995, 30, 3.6460)],
)
def test_students_distribution_is_that_of_the_tables(
    probability: float, df: float, value: float
) -> None:
    """The quantiles are those that are printed in every statistics book."""
    assert student.quantile(probability, df) == pytest.approx(value, abs=1e-4)
    assert student.cdf(value, df) == pytest.approx(probability, abs=1e-5)
    several = np.array([[df, 8.0], [300.0, 12.5]])
    found = student.quantiles(probability, several)
    alone = [[student.quantile(probability, each) for each in row] for row in several.tolist()]
    assert found == pytest.approx(np.array(alone), rel=1e-9)
    assert student.cdfs(-found, several) == pytest.approx(1 - probability, rel=1e-9)


def _width(standing: Standing) -> float:
    return standing.skill.high - standing.skill.low
