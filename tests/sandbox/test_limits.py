"""Limits as a host writes them."""

from __future__ import annotations

import pytest

from arena.sandbox.limits import LIMITS, Limits

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]


def test_limits_are_changed_one_by_one() -> None:
    """What is not named stays as it is."""
    limits = Limits().changed(["memory_mb=1024", "processes=8"])
    assert limits == Limits(memory_mb=1024, processes=8)
    assert tuple(limits.as_map()) == LIMITS


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("memory=5", "expected NAME=N with a name of memory_mb, "),
        ("memory_mb", 'got "memory_mb"'),
        ("memory_mb=", 'memory_mb: expected 16 to 1048576, got ""'),
        ("memory_mb=1.5", 'memory_mb: expected 16 to 1048576, got "1.5"'),
        ("memory_mb=15", "memory_mb: expected 16 to 1048576, got 15"),
        ("processes=0", "processes: expected 1 to "),
        ("files=٣٤", "files: expected "),
    ],
)
def test_wrong_limits_are_named(setting: str, text: str) -> None:
    """With what was expected and what was found."""
    with pytest.raises(ValueError, match=r".*") as error:
        Limits().changed([setting])
    assert text in str(error.value)
