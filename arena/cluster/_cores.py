"""Cores for referees: each takes one that no other machine process of this host has, if it can."""

from __future__ import annotations

import os
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from tempfile import gettempdir

from arena.machine.calls import usable_cores


class Cores:
    """Some cores; they are taken as long as this object, or its process, lives."""

    def __init__(self, wanted: int) -> None:
        self._claims: list[int] = []
        usable = sorted(usable_cores(), reverse=True)
        free = [core for core in usable if len(self._claims) < wanted and self._claim(core)]
        others = [core for core in usable if core not in free] or usable
        missing = wanted - len(free)
        self.numbers = free + [others[at % len(others)] for at in range(missing)]

    def close(self) -> None:
        """Let others have them."""
        for fd in self._claims:
            os.close(fd)
        self._claims.clear()

    def _claim(self, core: int) -> bool:
        place = Path(gettempdir()) / f"arena-cores-{os.geteuid()}"
        try:
            place.mkdir(mode=0o700, exist_ok=True)
            if place.is_symlink() or place.stat().st_uid != os.geteuid():
                return True  # somebody else's: then no core is claimed, and all are used in turn
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            fd = os.open(place / str(core), flags, 0o600)
        except OSError:
            return True
        try:
            flock(fd, LOCK_EX | LOCK_NB)
        except OSError:
            os.close(fd)
            return False
        self._claims.append(fd)
        return True
