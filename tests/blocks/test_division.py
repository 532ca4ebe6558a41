"""Workers share the games of a large field so that each bot needs few processes."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.blocks.block import Block
from arena.blocks.division import Division
from arena.records.entries import Contestant
from arena.referee.deals import Deals

DEALS = Deals.of(b"secret", "tests")
SEATS = 5
BATCH = 200
BOTS = 150


def blocks(sizes: list[int]) -> list[Block]:
    """Blocks at tables of these sizes."""
    everybody = tuple(Contestant(f"bot-{at}", "1", f"{at:064}") for at in range(SEATS))
    return [Block(at, 5 * at, everybody[:size], DEALS.block(at)) for at, size in enumerate(sizes)]


def divided(workers: int, batches: list[list[int]]) -> tuple[list[int], list[int]]:
    """How many processes a bot has with each worker in the end, and the seats given to each then.

    The seats are those of the last half of the batches. Every game is played once.
    """
    division = Division(workers, BOTS)
    processes, given = [0] * workers, [0] * workers
    for number, sizes in enumerate(batches):
        batch = blocks(sizes)
        played: Counter[tuple[int, int]] = Counter()
        for worker, share in enumerate(division.divide(batch)):
            for block, rotations in share:
                played.update((block.number, rotation) for rotation in rotations)
                processes[worker] = max(processes[worker], len(rotations))
                if 2 * number >= len(batches):
                    given[worker] += len(rotations) * len(block.contestants)
        assert played == Counter((each.number, at) for each in batch for at in range(each.games))
    return processes, given


def mixed(chance: random.Random) -> list[int]:
    """Tables at which as many seats are played of each size."""
    return chance.choices((3, 4, 5), weights=(1 / 9, 1 / 16, 1 / 25), k=BATCH)


@pytest.mark.parametrize(("workers", "processes"), [(1, 5), (2, 5), (3, 6), (4, 5), (5, 5), (8, 8)])
def test_usual_tables_take_few_processes_and_no_worker_waits(workers: int, processes: int) -> None:
    """A bot has hardly more than the largest table has games, and all workers play as much."""
    chance = random.Random(workers)
    each, given = divided(workers, [mixed(chance) for _ in range(20)])
    assert sum(each) <= processes
    assert min(given) > 0.95 * max(given)


def test_rounds_at_one_table_after_the_other_take_no_more_processes() -> None:
    """As a schedule has them: for each bot a block at one size, and then as many at another."""
    rounds = [3, 4, 5, 3, 3, 4, 3, 5, 3, 4, 3, 3] * 4
    each, given = divided(2, [[size] * BOTS for size in rounds])
    assert each == [3, 2]
    assert min(given) > 0.95 * max(given)


def test_where_all_tables_are_large_one_more_process_keeps_two_workers_even() -> None:
    """Five games of each block cannot be shared evenly by three processes and two."""
    each, given = divided(2, [[5] * BATCH] * 40)
    assert each == [3, 3]
    assert min(given) > 0.95 * max(given)
