"""When an order may be called certain."""

from __future__ import annotations

import pytest

from arena.ladder.rating import first_look
from ladder.rating.rounds import all_tied, chance, ladder

pytestmark = pytest.mark.source_only


def test_a_clear_order_becomes_certain() -> None:
    """Bots that differ are told apart, in their true order."""
    now = ladder(4, 64, chance(1, points=3)).certainty(range(4), 0.95, 3)
    assert now.certain
    assert now.order == (0, 1, 2, 3)
    assert now.confidence >= now.needed


def test_twins_are_never_in_a_certain_order() -> None:
    """Where two are equal, no order is certain, and it says which two keep it open."""
    now = ladder(4, 64, all_tied).certainty(range(4), 0.9, 3)
    assert not now.certain
    assert now.confidence == pytest.approx(0.5)
    assert {now.above, now.below} <= {0, 1, 2, 3}


def test_only_those_who_count_have_to_be_told_apart() -> None:
    """A contestant that plays no more does not keep a ladder going."""
    ratings = ladder(4, 64, chance(2, points=3))
    ratings.grow(5)
    assert not ratings.certainty(range(5), 0.95, 3).certain
    assert ratings.certainty(range(4), 0.95, 3).certain


def test_all_looks_together_cost_no_more_than_the_doubt() -> None:
    """Looking again and again has its price; over a thousand looks the level still holds."""
    ratings = ladder(3, 20, chance(3), 3)
    doubts = [1 - ratings.certainty(range(3), 0.95, look).needed for look in range(1, 1000)]
    assert 0.04 < 2 * sum(doubts) <= 0.05
    assert doubts == sorted(doubts, reverse=True)


def test_the_first_look_is_not_too_early() -> None:
    """Everybody has played some blocks before anything is called certain."""
    assert first_look(3) == 16
    assert first_look(40) == 160


def test_an_order_needs_two() -> None:
    """One contestant alone has no order."""
    with pytest.raises(ValueError, match="two contestants"):
        ladder(3, 5, chance(1), 3).certainty([1], 0.95, 1)
