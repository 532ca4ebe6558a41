"""How often a ladder finds the best bot, and the best three: `python tests/ladder/podiums.py`.

It simulates one long ladder and ladders with stages, all with the same number of games, by the
schedule, the ratings and the decisions of the arena. For each number of games and each way to
spend them it prints how often the best of the field wins, and how often the first three are the
best three in their order, by what decides the places.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from arena.bench.calibration import MARGIN, Field
from arena.ladder.decisions import qualified, stage_places
from arena.ladder.margins import Scale
from arena.ladder.schedule import Schedule
from arena.ladder.scorebook import Scorebook
from arena.records.entries import Budget, Figure, Stage

BOTS, POINTS, TABLES = 40, 10.0, (4,)
ORDERS: tuple[Figure, ...] = ("rating", "skill", "margins")


@dataclass(frozen=True)
class Part:
    """A stage: how many play in it, which part of all games it has, and who gets into it."""

    players: int
    games: float
    allowed: bool = False


WAYS = {
    "one long ladder": (Part(BOTS, 1.0),),
    "1/2, then 8": (Part(BOTS, 0.5), Part(8, 0.5)),
    "1/2, then 5": (Part(BOTS, 0.5), Part(5, 0.5)),
    "1/3, then 12, then 5": (Part(BOTS, 1 / 3), Part(12, 1 / 3), Part(5, 1 / 3)),
    "1/2, then those allowed among 4": (Part(BOTS, 0.5), Part(4, 0.5, allowed=True)),
}


@cache
def plan(players: int, games: int) -> list[tuple[int, ...]]:
    """The tables of so many players up to so many games, or a block more."""
    schedule = Schedule("podiums", TABLES)
    schedule.enter(range(players))
    found = []
    while not schedule.has_played(Budget(games=games)):
        found.append(tuple(schedule.next().contestants))
    return found


@dataclass
class Count:
    """What came of the ladders that were played in one way."""

    ladders: int = 0
    games: int = 0
    finalists: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    podiums: Counter[str] = field(default_factory=Counter)


def play(parts: Sequence[Part], games: int, seed: int, count: Count) -> None:
    """Play one ladder of bots whose strengths are drawn, and count what it has found."""
    random = np.random.default_rng(seed)
    strengths = np.sort(random.normal(0, POINTS / 4, BOTS))[::-1]
    bots = Field("", tuple(strengths.tolist()))
    book = Scorebook(BOTS, Scale(margin=MARGIN, low_wins=False))
    playing: Sequence[int] = range(BOTS)
    for number, part in enumerate(parts):
        for table in plan(len(playing), round(games * part.games)):
            seated = [playing[place] for place in table]
            outcomes, margins = bots.block(seated, random)
            book.ratings.add_block(outcomes, margins)
            if 0 < number == len(parts) - 1:
                book.stage(number).add_block(outcomes, margins)
            count.games += len(seated)
        if number + 1 < len(parts):
            following = parts[number + 1]
            stage = Stage(name="x", budget=Budget(games=1))
            after = Stage(
                name="y", best=following.players, allowed=following.allowed, budget=Budget(games=1)
            )
            placed = stage_places(stage, number, playing, book)
            playing = qualified(after, placed, book.ratings.skills())
    count.ladders += 1
    count.finalists += len(playing)
    for games_of in ("all", "stage") if len(parts) > 1 else ("all",):
        for order in ORDERS:
            stage = Stage(
                name="x",
                order=(order,),
                counts="all" if games_of == "all" else "stage",
                budget=Budget(games=1),
            )
            placed = stage_places(stage, len(parts) - 1, playing, book)
            count.wins[f"{order}, {games_of}"] += placed[0] == (0,)
            count.podiums[f"{order}, {games_of}"] += placed[:3] == ((0,), (1,), (2,))


def lines(games: int, ladders: int) -> Iterator[str]:
    """A line for each way, and each of what can decide places."""
    for name, parts in WAYS.items():
        count = Count()
        for seed in range(ladders):
            play(parts, games, seed, count)
        for by, wins in count.wins.items():
            yield (
                f"{games:6} games ({count.games / ladders:.0f} played), {name}, places by {by}: "
                f"the best won in {wins / ladders:.1%}, the podium was right in "
                f"{count.podiums[by] / ladders:.1%}; {count.finalists / ladders:.1f} in the last"
            )


if __name__ == "__main__":
    ladders = int(sys.argv[1])
    for games in map(int, sys.argv[2:]):
        for line in lines(games, ladders):
            print(line, flush=True)
