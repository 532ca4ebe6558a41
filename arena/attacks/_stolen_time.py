"""How much of the others' time a bot takes: its CPU time while they are asked."""

from __future__ import annotations

import os
import time
from typing import Any

from arena.process.process_tree import descendants
from arena.process.program import Program
from arena.referee.player import Player


class StolenTime:
    """A bystander's transport that measures the watched bot's CPU time during its questions."""

    def __init__(self, bystander: Player, watched: Player) -> None:
        assert isinstance(bystander.transport, Program)
        assert isinstance(watched.transport, Program)
        self._inner = bystander.transport
        self._keeper = watched.transport.keeper
        self._began = (0, 0)
        self.wall = self.stolen = 0
        """Nanoseconds that the bystander was asked, and that the watched bot ran meanwhile."""
        bystander.transport = self

    def write(self, data: bytes, timeout: float) -> float | None:
        """Pass a frame on, and start measuring."""
        self._began = time.monotonic_ns(), cpu_nanoseconds(self._keeper)
        return self._inner.write(data, timeout)

    def read(self, timeout: float) -> bytes | None:
        """Pass an answer on, and stop measuring."""
        data = self._inner.read(timeout)
        if data:
            wall, stolen = self._began
            self.wall += time.monotonic_ns() - wall
            self.stolen += cpu_nanoseconds(self._keeper) - stolen
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def cpu_nanoseconds(keeper: int) -> int:
    """Return the nanoseconds that all threads under this keeper have run."""
    total = 0
    for pid in descendants(keeper):
        try:
            for tid in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{tid}/schedstat", "rb") as file:
                    total += int(file.read().split()[0])
        except OSError:
            continue  # it has just ended
    return total
