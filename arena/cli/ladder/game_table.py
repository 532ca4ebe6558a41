"""The table of a list of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.cli.output import print_table
from arena.ladder.game_rows import GameRow


def print_games(rows: Sequence[GameRow], names: Mapping[str, str]) -> None:
    """Print a list of games; the bots have these names by their digests."""
    timed = any(row.slowest_ms for row in rows)
    columns = ["number>", "block>", "bots by seat", "scores", "places", "verdicts"]
    print_table(
        [*columns, *(("slowest ms>",) if timed else ())],
        [
            (
                row.number,
                row.block,
                ", ".join(names[digest] for digest in row.digests),
                " ".join(map(str, row.scores)),
                " ".join(map(str, row.places)),
                ", ".join(sorted(set(row.verdicts))),
                *((f"{max(row.slowest_ms or (0.0,)):.1f}",) if timed else ()),
            )
            for row in rows
        ],
    )
