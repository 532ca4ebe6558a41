"""The second rater: the `trueskill` package rates a ladder anew, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType

from arena.ladder.rating import Ratings
from arena.ladder.rating.factor_graph import Rating
from arena.ladder.rating.tally import Placing
from arena.machine.calls import end_with_parent
from arena.process.forked import ignore_interrupts, interrupts_held

BATCH = 200
"""Blocks that are sent at a time."""


class RaterEnded(Exception):
    """The process of the second rater was ended from outside."""


class SecondRater:
    """Rates the blocks that it is given, beside whatever else is done.

    Its methods raise `RaterEnded` if its process is killed from outside.
    """

    def __init__(self) -> None:
        context = get_context("fork")
        self._line, self._other = context.Pipe()
        self._process = context.Process(target=_rate, args=(self._other,), daemon=True)
        self._waiting: list[list[Placing]] = []

    def __enter__(self) -> SecondRater:
        with interrupts_held():
            self._process.start()
        self._other.close()  # so that the end of that process is the end of the line
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()

    def add_block(self, games: list[Placing]) -> None:
        """Rate the games of a block after those before."""
        self._waiting.append(games)
        if len(self._waiting) == BATCH:
            self._send()

    def ratings(self, contestants: int) -> Sequence[Rating]:
        """Return everybody's mu and sigma after all blocks."""
        self._send()
        try:
            self._line.send(contestants)
            found: Sequence[Rating] = self._line.recv()
        except (OSError, EOFError):
            raise RaterEnded from None
        return found

    def _send(self) -> None:
        try:
            self._line.send(self._waiting)
        except OSError:
            raise RaterEnded from None
        self._waiting = []


def _rate(line: Connection) -> None:
    from arena.ladder.rating.package import rate  # noqa: PLC0415 - only this process needs it

    end_with_parent()
    ignore_interrupts()
    ratings = Ratings(rate=rate)
    while isinstance(blocks := line.recv(), list):
        for games in blocks:
            ratings.add_block(games)
    ratings.grow(blocks)
    line.send(ratings.rated())
