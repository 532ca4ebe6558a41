"""The standings of a ladder as a picture, which can stand on any page."""

from __future__ import annotations

from html import escape

from arena.ladder.overview import Overview
from arena.ladder.standings import Row
from arena.pages.axis import Axis, signed, tick_name
from arena.pages.legible import legible

WIDTH, EDGE, TOP, ROW = 900, 20, 84, 36  # pixels: the picture, its margin, above the rows, a row
LEFT, RIGHT = 384, 680  # where the axis begins and ends
RANK, NAME, VERSION, RATING, SKILL, GAMES, FAULTS = 36, 94, 240, 354, 750, 822, 880
LEFT_HEADS = {EDGE: "rank", NAME: "bot", VERSION: "version"}
RIGHT_HEADS = {RATING: "rating", SKILL: "skill", GAMES: "games", FAULTS: "faults"}
AXIS_HEAD = "skill and its 95 % interval (0 is the mean)"
LONGEST_NAME, LONGEST_VERSION = 16, 9  # characters; what is longer is cut off

STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328;
  font-variant-numeric: tabular-nums; }
.title { font-size: 16px; font-weight: 600; } .quiet { fill: #59636e; font-size: 12px; }
.end { text-anchor: end; } .middle { text-anchor: middle; }
.paper { fill: #ffffff; stroke: #d1d9e0; }
.rule { stroke: #e4e8ec; } .zero { stroke: #59636e; }
.interval { stroke: #0969da; stroke-width: 2; } .skill { fill: #0969da; }
.gone { opacity: 0.75; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .quiet { fill: #9198a1; }
  .paper { fill: #0d1117; stroke: #3d444d; }
  .rule { stroke: #21262d; } .zero { stroke: #9198a1; }
  .interval { stroke: #58a6ff; } .skill { fill: #58a6ff; }
}
"""


def _text(x: float, y: float, words: object, kind: str = "") -> str:
    """One piece of text."""
    attribute = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{attribute}>{escape(str(words))}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _x(axis: Axis, skill: float) -> float:
    """Where this skill lies in the picture."""
    return LEFT + (RIGHT - LEFT) * axis.at(skill)


def _short(words: str, longest: int) -> str:
    """A name or version that fits into its column."""
    return words if len(words) <= longest else words[: longest - 1] + "…"


def _drawn(row: Row, y: float, axis: Axis) -> list[str]:
    """One contestant; `y` is the middle of his row."""
    low, skill, high = (_x(axis, each) for each in (row.skill_low, row.skill, row.skill_high))
    version = legible(row.version, LONGEST_NAME)
    version = version if row.active else "gone, " + version
    best, worst = row.rank_best, row.rank_worst
    return [
        "<g>" if row.active else '<g class="gone">',
        _text(RANK, y + 5, "–" if row.rank is None else row.rank, "end"),
        _text(RANK + 6, y + 5, f"({best}–{worst})" if best != worst else "", "quiet"),
        _text(NAME, y + 5, _short(row.bot, LONGEST_NAME)),
        _text(VERSION, y + 5, _short(version, LONGEST_VERSION), "quiet"),
        _text(RATING, y + 5, f"{row.rating:.2f}", "end"),
        _line(low, y, high, y, "interval"),
        _line(low, y - 5, low, y + 5, "interval"),
        _line(high, y - 5, high, y + 5, "interval"),
        f'<circle cx="{skill:.1f}" cy="{y:g}" r="4" class="skill"/>',
        _text(SKILL, y + 5, signed(row.skill), "end"),
        _text(GAMES, y + 5, row.games, "end"),
        _text(FAULTS, y + 5, sum(row.faults.values()) or "none", "end"),
        "</g>",
    ]


def standings_picture(ladder: Overview) -> str:
    """Return the standings of a ladder as an SVG picture.

    There are no times in it, so the same games give the same picture on every machine.
    """
    rows = ladder.standings
    axis = Axis.of((row.skill_low, row.skill_high) for row in rows)
    bottom = TOP + ROW * len(rows)
    height = bottom + 48
    tables = ", ".join(map(str, ladder.tables))
    title = f"{ladder.ladder}: {ladder.games} games of {ladder.game} at tables of {tables}"
    told = "; ".join(
        f"{'disqualified: ' if row.rank is None else f'{row.rank}. '}{row.bot}, "
        f"skill {signed(row.skill)}, from {signed(row.skill_low)} to {signed(row.skill_high)}"
        for row in rows
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"',
        f' height="{height}" role="img" aria-labelledby="title about">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">Rank, bot, skill and its 95 % interval: {escape(told)}.</desc>',
        f"<style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" class="paper"/>',
        _text(EDGE, 36, title, "title"),
        *(_text(x, TOP - 10, head, "quiet") for x, head in LEFT_HEADS.items()),
        *(_text(x, TOP - 10, head, "quiet end") for x, head in RIGHT_HEADS.items()),
        _text((LEFT + RIGHT) / 2, TOP - 10, AXIS_HEAD, "quiet middle"),
        *(_line(EDGE, y, WIDTH - EDGE, y, "rule") for y in range(TOP, bottom + 1, ROW)),
    ]
    for tick in axis.ticks:
        x = _x(axis, tick)
        parts.append(_line(x, TOP, x, bottom + 6, "rule" if tick else "zero"))
        parts.append(_text(round(x, 1), bottom + 22, tick_name(tick), "quiet middle"))
    for number, row in enumerate(rows):
        parts += _drawn(row, TOP + ROW * (number + 0.5), axis)
    return "\n".join((*parts, "</svg>", ""))
