"""Deals of a comparison: what a margin is worth, who sits where, and the mean places of a match."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev

import pytest

from arena.games.castors.game import Castors
from arena.games.gargon.game import Gargon
from arena.ladder.margins import shares
from arena.referee.deals import Deals
from arena.workbench.designs import NEW, OLD, Seating, by_seat, difference, seating, sizes
from arena.workbench.placings import Placings

pytestmark = pytest.mark.source_only

DEALS = Deals.of(b"seed", "compare")
KNOWN_T = 2.262157
"""The 97.5 % quantile of Student's t with 9 degrees of freedom, from a table."""


class Placed(Castors):
    """A game that does not say what a clear margin is."""

    margin = None


def test_a_margin_is_worth_what_it_is_in_points() -> None:
    """Ahead by the game's margin is a deviation ahead; the low score is ahead in Castors."""
    one = NormalDist().cdf(1)
    assert shares(Castors(), [10, 15], [1, 2], ()) == pytest.approx([one, 1 - one])
    assert shares(Gargon(), [10, 16, 10], [2, 1, 2], ()) == pytest.approx(
        [(1 - one + 0.5) / 2, one, (1 - one + 0.5) / 2]
    )


def test_without_a_scale_places_count() -> None:
    """A place above is the whole, a shared place a half, however many points apart."""
    assert shares(Placed(), [3, 3, 90], [1, 1, 3], ()) == [0.75, 0.75, 0.0]


def test_who_fails_has_nothing_of_those_who_finished() -> None:
    """However good his points are; among those who failed places count."""
    found = shares(Castors(), [0, 50, 60, 1], [3, 1, 2, 4], (0, 3))
    assert found[0] == pytest.approx(1 / 3)
    assert found[3] == 0
    assert found[1] == pytest.approx((2 + NormalDist().cdf(2)) / 3)


def test_in_a_swap_only_the_two_change_places() -> None:
    """Same deal, same seat, same opponents in the same seats: in one copy each of the two."""
    for number in range(50):
        table = seating("swap", DEALS.block(number), (3, 4), 5)
        first, second = table.games
        seat = first.index(NEW)
        assert second.index(OLD) == seat
        assert [bot for at, bot in enumerate(first) if at != seat] == [
            bot for at, bot in enumerate(second) if at != seat
        ]
        assert len(set(first)) == len(first) == table.seats


def test_at_one_table_everybody_plays_every_hand() -> None:
    """Both sit in all games of a deal, and each contestant sits once in each seat."""
    for number in range(50):
        table = seating("table", DEALS.block(number), (2, 3, 5), 3)
        assert len(table.games) == table.seats
        for seat in range(table.seats):
            assert sorted(game[seat] for game in table.games) == sorted(table.games[0])
        assert {NEW, OLD} <= set(table.games[0])


def test_tables_are_drawn_evenly() -> None:
    """Sizes, seats and opponents come up about equally often, and follow from the seed alone."""
    tables = [seating("swap", DEALS.block(number), (2, 3), 3) for number in range(1200)]
    sizes = Counter(table.seats for table in tables)
    assert abs(sizes[2] - 600) < 90
    seats = Counter(table.games[0].index(NEW) for table in tables if table.seats == 3)
    assert all(abs(seats[seat] - sizes[3] / 3) < 75 for seat in range(3))
    met = Counter(bot for table in tables for bot in table.games[0] if bot > OLD)
    assert all(abs(met[bot] - met.total() / 3) < 120 for bot in (2, 3, 4))
    assert tables[:20] == [seating("swap", DEALS.block(each), (2, 3), 3) for each in range(20)]


def test_a_field_fills_only_some_tables() -> None:
    """Nobody sits twice at a table: with two opponents, a swap has tables of three at most."""
    assert sizes("swap", range(2, 7), 2) == (2, 3)
    assert sizes("table", range(2, 7), 2) == (2, 3, 4)
    assert sizes("swap", range(2, 7), 0) == ()
    assert sizes("table", range(3, 6), 0) == ()


def test_a_deals_difference_is_that_of_its_seats() -> None:
    """The new bot's part of its opponents minus the old one's, seat by seat, on average."""
    table = Seating("table", ((NEW, OLD, 2), (OLD, 2, NEW), (2, NEW, OLD)))
    found = by_seat(table, [[1, 0.5, 0], [0.25, 0.5, 0.75], [1, 0.5, 0]])
    assert [(each.seat, each.new, each.old) for each in found] == [
        (0, 1, 0.25),
        (1, 0.5, 0.5),
        (2, 0.75, 0),
    ]
    assert difference(found) == pytest.approx((0.75 + 0 + 0.75) / 3)


def test_the_interval_of_a_mean_place_is_students() -> None:
    """From ten whole deals it is mean plus or minus t times the error of means of deals."""
    random = Random(1)
    placings = Placings(3)
    means: list[float] = []
    differences: list[float] = []
    for _ in range(10):
        games = [random.sample([1, 2, 3], 3) for _ in range(3)]
        placings.add(games)
        means.append(fmean(game[0] for game in games))
        differences.append(fmean(game[2] - game[0] for game in games))
    place, gap = placings.place(0), placings.difference(0, 2)
    assert place.mean == pytest.approx(fmean(means))
    assert place.half == pytest.approx(KNOWN_T * stdev(means) / sqrt(10), rel=1e-5)
    assert gap.mean == pytest.approx(fmean(differences))
    assert gap.half == pytest.approx(KNOWN_T * stdev(differences) / sqrt(10), rel=1e-5)
    assert placings.difference(2, 0).mean == -gap.mean


def test_intervals_of_places_hold() -> None:
    """Of 400 matches between equals, with a last deal cut short, about 95 % have 0 inside."""
    random = Random(2)
    held = 0
    for _ in range(400):
        placings = Placings(2)
        for games in [4] * 9 + [1]:
            luck = random.random()  # of the deal
            firsts = [1 + (random.random() < luck) for _ in range(games)]
            placings.add([(first, 3 - first) for first in firsts])
        low, high = placings.difference(0, 1).interval or (1, 1)
        held += low <= 0 <= high
    assert 360 <= held <= 396


def test_few_deals_have_no_interval() -> None:
    """Four deals show a mean place only."""
    placings = Placings(2)
    for _ in range(4):
        placings.add([(1, 2), (2, 1)])
    assert placings.place(0).interval is None
    placings.add([(1, 2), (2, 1)])
    assert placings.place(0).interval is not None
