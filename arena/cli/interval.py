"""Intervals drawn in a line of characters, on a common axis, for terminals."""

from __future__ import annotations

from arena.pages.axis import Axis, tick_name


def drawn(axis: Axis, low: float, value: float, high: float, width: int) -> str:
    """Return an interval as characters: its ends, its value, and zero where it is not covered."""

    def at(figure: float) -> int:
        return round(axis.at(figure) * (width - 1))

    cells = [" "] * width
    cells[at(0.0)] = "┊"
    first, last = at(low), at(high)
    cells[first : last + 1] = "─" * (last + 1 - first)
    cells[first], cells[last] = "├", "┤"
    cells[at(value)] = "●"
    return "".join(cells)


def axis_head(axis: Axis, width: int) -> str:
    """Return what stands above drawn intervals: both ends of the axis."""
    low, high = tick_name(axis.ticks[0]), tick_name(axis.ticks[-1])
    return f"{low}{high:>{width - len(low)}}"
