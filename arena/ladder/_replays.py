"""Replays of a ladder's blocks: their games are played again under the rules, in batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from arena.blocks.checking import Checker, LoggedBlock, Verdict
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed

CHUNK = 5
"""Blocks that a process checks at a time."""
AHEAD = 4
"""Chunks for each process that are read ahead."""


@dataclass(frozen=True)
class Followed:
    """A block that follows from what is before it; its games are still to be played again."""

    at: int
    """The number of the entry."""
    first_game: int
    line: bytes
    entry: BlockPlayed


@dataclass(frozen=True)
class Batch:
    """Some blocks in their order."""

    blocks: list[Followed]
    wrong: tuple[int, Difference] | None = None
    """The entry, and what is wrong with its first game that does not follow the rules."""


def checked(checker: Checker, batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield the batches in order, with what is wrong with their games."""
    rest = iter(batches)
    waiting: deque[tuple[Batch, Verdict]] = deque()
    for batch in islice(rest, AHEAD * checker.processes):
        waiting.append((batch, _submit(checker, batch)))
    while waiting:
        batch, verdict = waiting.popleft()
        wrong = verdict.result()
        if wrong is None:
            yield batch
        else:
            yield Batch(batch.blocks, (wrong.entry, wrong.restored()))
        for more in islice(rest, 1):
            waiting.append((more, _submit(checker, more)))


def _submit(checker: Checker, batch: Batch) -> Verdict:
    return checker.submit(
        [LoggedBlock(block.at, block.first_game, block.line) for block in batch.blocks]
    )
