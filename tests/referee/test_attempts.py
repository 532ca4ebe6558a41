"""Attempts at a block: what follows from a stall of the host, and what a bot can gain by one."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict

from arena.records.entries import Contestant
from arena.referee.attempts import FAULT_AT, MOST, Attempts
from arena.referee.deals import Deals
from arena.referee.faults import HostStalled

ADA, BOB = (Contestant(name, "1", name[0] * 64) for name in ("ada", "bob"))
DEALS = Deals.of(b"secret", "tests")


def stall(seat: int, *, stopped: float = 0.0) -> HostStalled:
    """A stall of ten seconds while this seat was asked."""
    found = HostStalled(10.1, stopped)
    found.seat, found.decision = seat, 5
    return found


def test_what_was_broken_off_is_kept_with_its_figures() -> None:
    """A host who plays a block again does so in the open."""
    attempts = Attempts()
    attempts.break_off(stall(1), 2, [ADA, BOB])
    assert attempts.number == 1
    assert [asdict(each) for each in attempts.broken_off] == [
        {
            "attempt": 0,
            "rotation": 2,
            "seat": 1,
            "bot": "bob",
            "decision": 5,
            "seconds": 10.1,
            "stopped": 0.0,
        }
    ]


def test_the_third_stall_of_a_bot_is_its_fault() -> None:
    """Of that bot alone, in whatever seats it sat."""
    attempts = Attempts()
    for rotation in range(FAULT_AT - 1):
        assert attempts.tolerated([ADA, BOB]) == [True, True]
        seated = [ADA, BOB] if rotation else [BOB, ADA]
        attempts.break_off(stall(seated.index(BOB)), rotation, seated)
    assert attempts.tolerated([ADA, BOB]) == [True, False]


def test_stops_of_the_referee_count_for_nobody_and_come_to_an_end() -> None:
    """A host that is put to sleep again and again fails; no bot is blamed for it."""
    attempts = Attempts()
    for _ in range(MOST - 1):
        attempts.break_off(stall(0, stopped=10.0), 0, [ADA, BOB])
    with pytest.raises(HostStalled):
        attempts.break_off(stall(0, stopped=10.0), 0, [ADA, BOB])
    assert attempts.tolerated([ADA, BOB]) == [True, True]


def test_each_attempt_has_cards_and_seeds_of_its_own() -> None:
    """Whatever a bot saw before the stall tells it nothing of the block that counts."""
    seen = set()
    for attempt in range(4):
        deal = DEALS.block(7).deal(0, attempt)
        cards = list(range(52))
        deal.stream.shuffle(cards, 0)
        seen.add((*cards, deal.seed(0)))
        other = list(range(52))
        DEALS.block(7).deal(3, attempt).stream.shuffle(other, 0)
        assert other == cards, "the games of an attempt share its cards"
    assert len(seen) == 4
