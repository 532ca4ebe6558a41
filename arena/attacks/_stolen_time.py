"""Watching a bot while others are asked: how much of their time it takes."""

from __future__ import annotations

import os
import time
from typing import Any

from arena.process.process_tree import descendants
from arena.process.program import Program
from arena.referee.player import Player


class StolenTime:
    """A bystander's line to the referee, on which the watched bot's CPU time is taken."""

    def __init__(self, bystander: Player, watched: Player) -> None:
        assert isinstance(bystander.transport, Program)
        assert isinstance(watched.transport, Program)
        self._inner = bystander.transport
        self._keeper = watched.transport.keeper
        self._began = (0, 0)
        self.wall = self.stolen = 0
        """Nanoseconds that the bystander was asked, and that the watched ran meanwhile."""
        bystander.transport = self

    def write(self, data: bytes, timeout: float) -> float | None:
        """Pass a frame on."""
        self._began = time.monotonic_ns(), ran(self._keeper)
        return self._inner.write(data, timeout)

    def read(self, timeout: float) -> bytes | None:
        """Pass an answer on."""
        data = self._inner.read(timeout)
        if data:
            wall, stolen = self._began
            self.wall += time.monotonic_ns() - wall
            self.stolen += ran(self._keeper) - stolen
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def ran(keeper: int) -> int:
    """Nanoseconds that all threads under this keeper have run."""
    total = 0
    for pid in descendants(keeper):
        try:
            for tid in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{tid}/schedstat", "rb") as file:
                    total += int(file.read().split()[0])
        except OSError:
            continue  # it has just ended
    return total
