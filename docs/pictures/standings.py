"""Draw the standings of a ladder as an SVG picture.

    arena ladder show friday.ladder --json | python3 docs/pictures/standings.py > standings.svg

The input is the JSON of `arena ladder show` or `arena ladder run`: a file, or standard input. The
picture has no times in it, so the same games give the same picture on every machine.
"""

from __future__ import annotations

import json
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

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


def text(x: float, y: float, words: object, kind: str = "") -> str:
    """One piece of text."""
    attribute = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{attribute}>{escape(str(words))}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def signed(value: float) -> str:
    """A skill with its sign, to two places."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def short(words: str, longest: int) -> str:
    """A name or version that fits into its column."""
    return words if len(words) <= longest else words[: longest - 1] + "…"


class Axis:
    """The common axis of all skills: it holds zero and every interval, and ends at round values."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        low = min([-1.0, *(row["skill_low"] for row in rows)])
        high = max([1.0, *(row["skill_high"] for row in rows)])
        power = 10.0 ** math.floor(math.log10((high - low) / 7))
        step = next(n * power for n in (1, 2, 5, 10) if high - low <= 7 * n * power)
        first, last = math.floor(low / step), math.ceil(high / step)
        self.ticks = [step * n for n in range(first, last + 1)]

    def x(self, skill: float) -> float:
        """Where this skill lies in the picture."""
        low, high = self.ticks[0], self.ticks[-1]
        return LEFT + (RIGHT - LEFT) * (skill - low) / (high - low)


def drawn(row: dict[str, Any], y: float, axis: Axis) -> list[str]:
    """One contestant; `y` is the middle of his row."""
    low, skill, high = (axis.x(row[key]) for key in ("skill_low", "skill", "skill_high"))
    version = row["version"] if row["active"] else "gone, " + row["version"]
    best, worst = row["rank_best"], row["rank_worst"]
    return [
        "<g>" if row["active"] else '<g class="gone">',
        text(RANK, y + 5, row["rank"], "end"),
        text(RANK + 6, y + 5, f"({best}–{worst})" if best < worst else "", "quiet"),
        text(NAME, y + 5, short(row["bot"], LONGEST_NAME)),
        text(VERSION, y + 5, short(version, LONGEST_VERSION), "quiet"),
        text(RATING, y + 5, f"{row['rating']:.2f}", "end"),
        line(low, y, high, y, "interval"),
        line(low, y - 5, low, y + 5, "interval"),
        line(high, y - 5, high, y + 5, "interval"),
        f'<circle cx="{skill:.1f}" cy="{y:g}" r="4" class="skill"/>',
        text(SKILL, y + 5, signed(row["skill"]), "end"),
        text(GAMES, y + 5, row["games"], "end"),
        text(FAULTS, y + 5, sum(row["faults"].values()) or "none", "end"),
        "</g>",
    ]


def picture(ladder: dict[str, Any]) -> str:
    """The whole SVG document."""
    rows: list[dict[str, Any]] = ladder["standings"]
    axis, bottom = Axis(rows), TOP + ROW * len(rows)
    height = bottom + 48
    tables = ", ".join(map(str, ladder["tables"]))
    title = f"{ladder['ladder']}: {ladder['games']} games of {ladder['game']} at tables of {tables}"
    told = "; ".join(
        f"{row['rank']}. {row['bot']}, skill {signed(row['skill'])}, "
        f"from {signed(row['skill_low'])} to {signed(row['skill_high'])}"
        for row in rows
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"',
        f' height="{height}" role="img" aria-labelledby="title about">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">Rank, bot, skill and its 95 % interval: {escape(told)}.</desc>',
        f"<style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" class="paper"/>',
        text(EDGE, 36, title, "title"),
        *(text(x, TOP - 10, head, "quiet") for x, head in LEFT_HEADS.items()),
        *(text(x, TOP - 10, head, "quiet end") for x, head in RIGHT_HEADS.items()),
        text((LEFT + RIGHT) / 2, TOP - 10, AXIS_HEAD, "quiet middle"),
        *(line(EDGE, y, WIDTH - EDGE, y, "rule") for y in range(TOP, bottom + 1, ROW)),
    ]
    for tick in axis.ticks:
        x = axis.x(tick)
        parts.append(line(x, TOP, x, bottom + 6, "rule" if tick else "zero"))
        name = signed(tick).removesuffix(".00") if tick else "0"
        parts.append(text(round(x, 1), bottom + 22, name, "quiet middle"))
    for number, row in enumerate(rows):
        parts += drawn(row, TOP + ROW * (number + 0.5), axis)
    return "\n".join((*parts, "</svg>", ""))


def main() -> None:
    """Read JSON from the file that is named, or from standard input; print the picture."""
    source = Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else sys.stdin.read()
    sys.stdout.buffer.write(picture(json.loads(source)).encode())


if __name__ == "__main__":
    main()
