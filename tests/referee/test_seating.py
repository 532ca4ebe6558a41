"""Who sits where in a match: every bot in every seat, and nobody always beside the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from arena.referee.deals import Deals
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms

from .matches import CASTORS, RANDOM

BLOCKS = 2000
SECRETS = [b"one", b"two", b"three"]
SIZES = range(2, 7)


def seatings(seats: int, secret: bytes, *, draw_seats: bool = True) -> list[list[Sequence[int]]]:
    """The bots by seat in every game of many deals; no program is started."""
    with Roster([RANDOM] * seats, Terms(CASTORS, CASTORS.rules({}))) as roster:
        deals = Deals.of(secret, "play")
        match = Match(roster, deals, draw_seats=draw_seats)
        return [
            [match.seating(deals.block(block).deal(rotation)) for rotation in range(seats)]
            for block in range(BLOCKS)
        ]


@pytest.mark.parametrize("seats", SIZES)
@pytest.mark.parametrize("draw_seats", [True, False])
def test_every_bot_sits_once_in_every_seat_of_a_deal(seats: int, *, draw_seats: bool) -> None:
    """So everybody plays every hand, whatever order was drawn."""
    for games in seatings(seats, SECRETS[0], draw_seats=draw_seats):
        for seat in range(seats):
            assert sorted(game[seat] for game in games) == list(range(seats))


@pytest.mark.parametrize("seats", SIZES)
@pytest.mark.parametrize("secret", SECRETS)
def test_every_bot_has_every_other_on_its_left_as_often(seats: int, secret: bytes) -> None:
    """To within a fifth in 2,000 deals: places on the command line give nobody a neighbour."""
    left = Counter(
        (game[seat], game[(seat + 1) % seats])
        for games in seatings(seats, secret)
        for game in games
        for seat in range(seats)
    )
    assert len(left) == seats * (seats - 1)
    even = BLOCKS * seats / (seats - 1)
    for pair, times in left.items():
        assert abs(times - even) <= even / 5, pair


def test_an_order_can_be_guessed_by_nobody_who_lacks_the_secret() -> None:
    """Other secrets draw other orders; the same one draws the same."""
    one, two = (seatings(6, secret) for secret in SECRETS[:2])
    assert one == seatings(6, SECRETS[0])
    same = sum(a[0] == b[0] for a, b in zip(one, two, strict=True))
    assert same < BLOCKS / 100


def test_bots_sit_as_given_where_no_order_is_drawn() -> None:
    """Measurements and attacks know who sits where."""
    assert seatings(3, SECRETS[0], draw_seats=False)[5] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
