"""How workers share the games of blocks in a large field, so that few processes are needed.

A bot has a separate process for each game of a block. If any worker could play any of them, each
worker would need processes for all games of the largest table. So each worker plays at most its
part of the games of any one block, and the bot has so many processes there: with two workers and
tables of five, three and two. Smaller tables make up for what is uneven; where there are too few
of them, the worker that falls behind may have one game more.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.blocks.block import Block

PATIENCE = 8
"""After how many blocks for each bot it is seen whether a worker falls behind: a schedule often has
one for each at one table, and then so many at another."""
BEHIND = 0.1
"""The part of an even share by which a worker may be behind the first one."""


class Division:
    """Divides the blocks of so many bots among so many workers."""

    def __init__(self, workers: int, bots: int) -> None:
        self._bots = bots
        self._most = [1] * workers
        """How many games of one block each worker plays at most."""
        self._given = [0] * workers
        """How much each worker has been given so far, in seats of games."""
        self._blocks = 0

    def divide(self, blocks: Sequence[Block]) -> list[list[tuple[Block, list[int]]]]:
        """Return the games that each worker plays, by rotation, of all blocks that it has part in.

        A game goes to the worker that has been given least so far, if it may have one more.
        """
        self._make_room(max((block.games for block in blocks), default=0))
        self._help_the_last()
        self._blocks += len(blocks)
        shares: list[list[tuple[Block, list[int]]]] = [[] for _ in self._most]
        for block in blocks:
            rotations: list[list[int]] = [[] for _ in self._most]
            for rotation in range(block.games):
                worker = min(
                    (at for at, own in enumerate(rotations) if len(own) < self._most[at]),
                    key=self._given.__getitem__,
                )
                rotations[worker].append(rotation)
                self._given[worker] += len(block.contestants)
            for share, own in zip(shares, rotations, strict=True):
                if own:
                    share.append((block, own))
        return shares

    def _make_room(self, games: int) -> None:
        """Have each worker play at least its part of blocks of so many games."""
        even, more = divmod(games, len(self._most))
        for worker, most in enumerate(self._most):
            self._most[worker] = max(most, even + (worker < more))

    def _help_the_last(self) -> None:
        """Let the worker with the least have one game more of each block if it is far behind."""
        behind = max(self._given) - min(self._given)
        last = self._given.index(min(self._given))
        if (
            self._blocks >= PATIENCE * self._bots
            and behind * len(self._given) > BEHIND * sum(self._given)
            and self._most[last] < max(self._most)
        ):
            self._most[last] += 1
