"""Blocks for tests: the same players in every rotation, with places from a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from arena.ladder.rating import Placing, Ratings

Judge = Callable[[Sequence[int]], Sequence[int]]


def block(players: Sequence[int], judge: Judge) -> list[Placing]:
    """A block of as many games as it has players."""
    return [(tuple(players), tuple(judge(players))) for _ in players]


def by_number(players: Sequence[int]) -> list[int]:
    """The contestant with the lower number is always better."""
    return [1 + sum(other < player for other in players) for player in players]


def all_tied(players: Sequence[int]) -> list[int]:
    """Everybody ties for the first place."""
    return [1] * len(players)


def chance(seed: int, points: float = 1.0) -> Judge:
    """Each contestant is so many points better than the next, and the rest is chance."""
    random = Random(seed)

    def judge(players: Sequence[int]) -> list[int]:
        shown = [random.gauss(-player * points, 25 / 6) for player in players]
        return [1 + sum(other > x for other in shown) for x in shown]

    return judge


def ladder(contestants: int, blocks: int, judge: Judge, size: int = 4) -> Ratings:
    """A ladder whose tables are drawn by lot."""
    ratings = Ratings(contestants)
    random = Random(contestants)
    for _ in range(blocks):
        ratings.add_block(block(random.sample(range(contestants), size), judge))
    return ratings
