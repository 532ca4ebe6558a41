"""Ladders of many versions: standings cost what those cost who play, whoever has left."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import numpy as np
import pytest

from arena.ladder.evenness import evenness
from arena.ladder.overview import overview
from arena.ladder.rating import Tally, ratings, student
from arena.ladder.rating.elimination import Elimination, Plan
from arena.ladder.rating.meetings import Meetings
from arena.ladder.rating.ranks import rank_intervals, ranks
from arena.ladder.rating.skill import fit
from ladder.months import simulated
from ladder.rating import dense
from ladder.rating.rounds import block, chance, ladder

pytestmark = pytest.mark.source_only


def coming_and_going(versions: int, playing: int, blocks: int) -> Tally:
    """The counts of a ladder in which versions come and go, and some stay for long."""
    random, judge, tally = Random(versions), chance(versions, 8 / versions), Tally()
    tally.grow(versions + 1)  # the last has not played
    there, coming = list(range(playing)), iter(range(playing, versions))
    for number in range(1, blocks + 1):
        tally.add(block(random.sample(there, 4), judge))
        if number % (blocks // (versions - playing + 1)) == 0:
            there[random.randrange(2, playing)] = next(coming, there[2])
    return tally


def apart() -> Tally:
    """The counts of two groups that never met, and one contestant who has not played."""
    judge, tally = chance(4, points=3), Tally()
    for _ in range(60):
        tally.add(block((0, 1, 2, 3), judge))
        tally.add(block((5, 6, 7, 8), judge))
    return tally


TALLIES = {
    "everybody plays": ladder(9, 70, chance(1)).tally,
    "versions come and go": coming_and_going(90, 12, 700),
    "groups that never met": apart(),
    "one block": ladder(5, 1, chance(3)).tally,
}


@pytest.mark.parametrize("name", TALLIES)
def test_the_fit_is_that_of_whole_matrices(name: str) -> None:
    """Skills, intervals and every difference are as the formulas say, only found otherwise."""
    tally = TALLIES[name]
    found, wanted = fit(tally), dense.fit(tally)
    assert found.points == pytest.approx(wanted.points.tolist(), abs=1e-8)
    assert found.low == pytest.approx(wanted.low.tolist(), abs=1e-6)
    assert found.high == pytest.approx(wanted.high.tolist(), abs=1e-6)
    variance, df = found.gaps.rows(np.arange(tally.contestants))
    np.testing.assert_allclose(variance, wanted.variance, rtol=1e-6)
    np.testing.assert_allclose(df, wanted.df, rtol=1e-6)
    met = found.gaps.met
    for found_pairs, rows in zip(found.gaps.pairs(), (variance, df), strict=True):
        np.testing.assert_allclose(found_pairs, rows[met.one, met.other], rtol=1e-9)


def test_fronts_are_as_wide_as_the_field() -> None:
    """Whoever has left is in no equation of those who came later."""
    tally = coming_and_going(400, 12, 3000)
    met = Meetings.of(tally)
    plan = Plan.of(met)
    order = np.concatenate([*(each.out for each in plan.fronts), plan.alone])
    assert sorted(order.tolist()) == list(range(401))
    assert 400 in plan.alone
    assert plan.widest < 60
    diagonal = met.sums(met.counts, met.counts) + 1
    whole = np.diag(diagonal)
    whole[met.one, met.other] = whole[met.other, met.one] = -met.counts
    wanted = np.random.default_rng(1).normal(size=(401, 3))
    found = Elimination(plan, diagonal, -met.counts).solve(wanted)
    assert whole @ found == pytest.approx(wanted, abs=1e-9)


def test_ranks_are_those_of_holm_s_method() -> None:
    """Which ranks are possible is found without the p of every difference, and is the same."""
    skills = fit(TALLIES["versions come and go"])
    among = [each for each in range(91) if each % 5]
    found = list(rank_intervals(skills, among, 0.05, among))
    for contestant, interval in zip(among, found, strict=True):
        scores, df = skills.scores_above([contestant])
        others = [each for each in among if each != contestant]
        p = {each: student.cdf(-abs(scores[0, each]), df[0, each]) for each in others}
        better = worse = 0
        for done, each in enumerate(sorted(others, key=p.__getitem__)):
            if p[each] > 0.025 / (len(others) - done):
                break
            worse += scores[0, each] > 0
            better += scores[0, each] < 0
        assert interval == (1 + better, len(among) - worse)
    assert any(high - low < len(among) - 1 for low, high in found)
    assert ranks([3.0, 5.0, 3.0, 1.0]) == [2, 1, 2, 4]


def test_where_many_have_entered_those_who_left_have_no_interval_of_their_rank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who plays is compared with all as before; nobody is compared with all for those who left."""
    month = simulated(60, 10)
    every = {row.digest: row for row in overview(month.ledger, month.book).standings}
    monkeypatch.setattr(ratings, "MOST_COMPARED", 50)
    for row in overview(month.ledger, month.book).standings:
        before = every[row.digest]
        ranked = (before.rank_best, before.rank_worst) if row.active else (None, None)
        assert (row.rank_best, row.rank_worst) == ranked
        assert (row.rank, row.skill_low) == (before.rank, before.skill_low)


@contextmanager
def peak() -> Iterator[list[int]]:
    """The bytes that are allocated meanwhile at most."""
    found: list[int] = []
    tracemalloc.start()
    try:
        yield found
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def test_standings_grow_with_the_retired_and_not_with_their_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four times as many who have left take about four times the memory, and no pair of them."""
    monkeypatch.setattr(ratings, "MOST_COMPARED", 20)
    peaks, eliminated, compared = [], [], []
    for versions in (200, 800):
        month = simulated(versions, 12, 8)
        evenness(month.book.ratings.tally, month.ledger.playing)
        with peak() as found:
            shown = overview(month.ledger, month.book)
        peaks.append(found[0])
        skills = month.book.ratings.skills()
        plan = skills.gaps.matrix.plan
        eliminated.append(sum(each.eliminated * len(each.members) ** 2 for each in plan.fronts))
        compared.append(len(skills.gaps.met.counts))
        assert len(shown.standings) == versions
    for small, large in (peaks, eliminated, compared):
        assert large < 7 * small, (peaks, eliminated, compared)
