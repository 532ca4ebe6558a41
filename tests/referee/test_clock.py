"""Clocks and time controls by themselves: time is a number that a test hands in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.clock import DAY, Clock, TimeControl, changed

SECONDS = st.floats(0, 100, allow_nan=False)


def test_a_quick_decision_costs_nothing() -> None:
    """Bots that stay within the time for a decision keep their bank, but save nothing up."""
    clock = Clock(TimeControl(decision=100, bank=1000))
    for seconds in (0.0, 0.05, 0.1):
        assert clock.charge(seconds)
    assert clock.bank == 1.0
    assert clock.limit == pytest.approx(1.1)


def test_what_is_over_comes_from_the_bank() -> None:
    """The bank is one for the game: what a decision has taken from it is gone."""
    clock = Clock(TimeControl(decision=100, bank=1000))
    assert clock.charge(0.5)
    assert clock.bank == pytest.approx(0.6)
    assert clock.limit == pytest.approx(0.7)
    assert clock.charge(0.7 - 1e-7)
    assert clock.bank == pytest.approx(0, abs=1e-6)
    assert clock.charge(0.1)
    assert not clock.charge(0.101)


def test_without_a_bank_every_decision_has_its_time_and_no_more() -> None:
    """A bank of zero is a strict limit, not none."""
    clock = Clock(TimeControl(decision=100, bank=0))
    assert clock.charge(0.1)
    assert not clock.charge(0.100001)


@given(decision=st.integers(1, DAY), bank=st.integers(0, DAY), spent=st.lists(SECONDS))
def test_no_clock_gives_more_than_it_has(decision: int, bank: int, spent: list[float]) -> None:
    """However it is spent, nobody gets more than the bank and one time for each decision."""
    clock = Clock(TimeControl(decision=decision, bank=bank))
    total = 0.0
    for seconds in spent:
        before = clock.limit
        if not clock.charge(seconds):
            assert seconds > before - 1e-9
            break
        assert seconds <= before + 1e-9
        assert clock.bank >= 0
        total += max(0.0, seconds - decision / 1000)
    assert total <= bank / 1000 + 1e-6


def test_a_time_control_is_changed_by_name() -> None:
    """Commands take NAME=MS, and leave what is not named as it was."""
    control = TimeControl(1, 2, 3)
    assert changed(control, []) == control
    assert changed(control, ["bank=0", "start=9"]) == TimeControl(1, 0, 9)


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("decision", "expected NAME=MS with a name of decision, bank, start, got 'decision'"),
        ("move=5", "expected NAME=MS with a name of decision, bank, start, got 'move=5'"),
        ("", "expected NAME=MS with a name of decision, bank, start, got ''"),
        ("decision=0", "decision: expected 1 to 86400000 milliseconds, got '0'"),
        ("start=0", "start: expected 1 to 86400000 milliseconds, got '0'"),
        ("bank=-1", "bank: expected 0 to 86400000 milliseconds, got '-1'"),
        ("bank=1.5", "bank: expected 0 to 86400000 milliseconds, got '1.5'"),
        ("bank=", "bank: expected 0 to 86400000 milliseconds, got ''"),
        ("bank=86400001", "bank: expected 0 to 86400000 milliseconds, got '86400001'"),
        ("bank=²", "bank: expected 0 to 86400000 milliseconds, got '²'"),
    ],
)
def test_a_wrong_setting_says_what_is_expected(setting: str, text: str) -> None:
    """Whoever mistypes a time is told the names and the range."""
    with pytest.raises(ValueError, match="expected") as caught:
        changed(TimeControl(), [setting])
    assert str(caught.value) == text
