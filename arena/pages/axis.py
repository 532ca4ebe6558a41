"""The axis of drawn intervals: it holds zero and every interval, and ends at round values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

MOST_STEPS = 7
"""Between the ends of an axis."""


@dataclass(frozen=True)
class Axis:
    """Round values in ascending order; the first and the last are its ends."""

    ticks: tuple[float, ...]

    @classmethod
    def of(cls, intervals: Iterable[tuple[float, float]]) -> Axis:
        """Return the axis that these intervals fit on."""
        ends = [end for interval in intervals for end in interval]
        low, high = min([-1.0, *ends]), max([1.0, *ends])
        power = 10.0 ** math.floor(math.log10((high - low) / MOST_STEPS))
        step = next(n * power for n in (1, 2, 5, 10) if high - low <= MOST_STEPS * n * power)
        first, last = math.floor(low / step), math.ceil(high / step)
        return cls(tuple(step * n for n in range(first, last + 1)))

    def at(self, value: float) -> float:
        """Return where a value lies, from 0 at the left end to 1 at the right one."""
        low, high = self.ticks[0], self.ticks[-1]
        return (value - low) / (high - low)


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def tick_name(value: float) -> str:
    """Return what stands at a tick."""
    return signed(value).removesuffix(".00") if value else "0"
