"""A bot's skill over the games of a ladder, as lines to draw: one for each of its versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.ladder.history import HistoryPoint, VersionHistory
from arena.pages.axis import Axis, tick_name

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 36, 560, 10, 190
"""The field in which lines are drawn."""
DASHES: Final = ("", "9 5", "2 4", "9 4 2 4", "16 5", "5 8")
LINES: Final = 6
"""How many versions are drawn, the last ones."""
LABEL_HEIGHT, LONGEST_LABEL = 13, 14


@dataclass(frozen=True)
class ChartLine:
    """A version: its skill as a path, its intervals as an area, and where its name stands."""

    name: str
    path: str
    area: str
    dash: str
    x: float
    y: float
    single: bool
    """Whether there is one point alone."""


@dataclass(frozen=True)
class HistoryChart:
    """What is drawn of a bot's history."""

    lines: Sequence[ChartLine]
    ticks: Sequence[tuple[float, str]]
    """Heights, and what stands there."""
    blocks: int
    """What the right end of the field stands for."""
    left_out: int
    """How many earlier versions are not drawn."""

    @classmethod
    def of(cls, history: Sequence[VersionHistory]) -> HistoryChart:
        """Return the chart of a bot's versions, as far as they have played."""
        played = [each for each in history if each.points]
        shown = played[-LINES:]
        points = [point for each in shown for point in each.points]
        axis = Axis.of((point.skill_low, point.skill_high) for point in points)
        blocks = max((point.blocks for point in points), default=1)

        def x(point: HistoryPoint) -> float:
            return LEFT + (RIGHT - LEFT) * point.blocks / blocks

        def y(value: float) -> float:
            return BOTTOM - (BOTTOM - TOP) * axis.at(value)

        lines = []
        above = -LABEL_HEIGHT
        ends = sorted(range(len(shown)), key=lambda at: y(shown[at].points[-1].skill))
        heights = {}
        for at in ends:
            above = max(round(y(shown[at].points[-1].skill)), above + LABEL_HEIGHT)
            heights[at] = above
        for at, each in enumerate(shown):
            tops = [(x(point), y(point.skill_high)) for point in each.points]
            bottoms = [(x(point), y(point.skill_low)) for point in reversed(each.points)]
            lines.append(
                ChartLine(
                    name=f"version {each.version}"[:LONGEST_LABEL],
                    path=_path([(x(point), y(point.skill)) for point in each.points]),
                    area=_path([*tops, *bottoms]) + "Z",
                    dash=DASHES[at % len(DASHES)],
                    x=x(each.points[-1]),
                    y=heights[at],
                    single=len(each.points) == 1,
                )
            )
        ticks = [(round(y(tick), 1), tick_name(tick)) for tick in axis.ticks]
        return cls(lines, ticks, blocks, len(played) - len(shown))


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
