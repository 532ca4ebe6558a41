"""The ratings as a function of the log: its state, its order, its size."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from arena.ladder.rating import Anchor, Ratings, RatingsState
from arena.ladder.rating.tally import MOST
from arena.records.canonical import canonical_bytes
from ladder.rating.rounds import block, by_number, chance, ladder

pytestmark = pytest.mark.source_only


def test_a_state_comes_back_through_json_exactly() -> None:
    """A ladder goes on from its cache as if it had never stopped."""
    judge = chance(1)
    random = Random(1)
    blocks = [block(random.sample(range(7), 4), judge) for _ in range(300)]
    whole, cached = Ratings(), Ratings()
    for games in blocks:
        whole.add_block(games)
        saved = canonical_bytes(cached.state())
        cached = Ratings.from_state(msgspec.json.decode(saved, type=RatingsState))
        cached.add_block(games)
    assert canonical_bytes(cached.state()) == canonical_bytes(whole.state())
    assert cached.standings() == whole.standings()


def test_a_state_of_another_version_is_refused() -> None:
    """An old cache is not taken for a new one."""
    saved = canonical_bytes(Ratings(3).state())
    assert b'"version":3' in saved
    with pytest.raises(msgspec.ValidationError, match="version"):
        msgspec.json.decode(saved.replace(b'"version":3', b'"version":2'), type=RatingsState)


def test_the_state_does_not_grow_with_the_log() -> None:
    """A ladder of days needs no more memory than one of minutes."""
    ratings = ladder(5, 2 * MOST, by_number)
    early = len(canonical_bytes(ratings.state()))
    for _ in range(6 * MOST):
        ratings.add_block(block((0, 1, 2, 3), by_number))
    assert len(canonical_bytes(ratings.state())) < 1.3 * early


def test_the_state_grows_with_those_who_met_and_not_with_all_pairs() -> None:
    """Thousands of old versions, of which each met a few others, do not fill a host's memory."""

    def size(versions: int) -> int:
        ratings = Ratings()
        for first in range(versions):
            ratings.add_block(block((first, first + 1, first + 2), by_number))
        return len(canonical_bytes(ratings.state()))

    assert size(800) < 2.5 * size(400)


def test_merged_stretches_lose_nothing() -> None:
    """However the log is cut, all points and all meetings are in it."""
    ratings = ladder(6, 5 * MOST + 3, chance(2))
    points = [sum(row) for row in ratings.tally.matrix()]
    stretches = ratings.tally.stretches
    assert len(stretches) <= MOST
    for a in range(6):
        assert sum(each.points[each.players.index(a)] for each in stretches) == points[a]
    met = sum(sum(each.meetings) for each in stretches)
    assert met == sum(points) == ratings.games * 6


def test_an_anchor_makes_two_runs_comparable() -> None:
    """The reference bot has the same rating in every run, and the distances are kept."""
    ratings = ladder(5, 60, chance(3))
    free = {standing.contestant: standing for standing in ratings.standings()}
    tied = {standing.contestant: standing for standing in ratings.standings(Anchor(2, 30.0))}
    assert tied[2].mu == pytest.approx(30)
    assert sum(standing.mu for standing in free.values()) / 5 == pytest.approx(25)
    for contestant, standing in tied.items():
        assert standing.mu - tied[2].mu == pytest.approx(free[contestant].mu - free[2].mu)
        assert standing.sigma == free[contestant].sigma
        assert standing.conservative == pytest.approx(standing.mu - 3 * standing.sigma)


def test_contestants_can_come_later() -> None:
    """A ladder that grows counts the same as one that knew all contestants from the start."""
    judge = chance(4)
    early = [block((0, 1, 2), judge) for _ in range(150)]
    late = [block((3, 1, 4, 2), judge) for _ in range(150)]
    growing, grown = Ratings(), Ratings(5)
    for games in early + late:
        growing.add_block(games)
        grown.add_block(games)
    assert growing.state() == grown.state()
