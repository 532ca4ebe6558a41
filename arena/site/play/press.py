"""The press: writes the published pages of each ladder anew, some time after its log has grown."""

from __future__ import annotations

import logging
import os
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from threading import Lock, Thread
from typing import Final

from arena.errors import ArenaError
from arena.ladder.store_files import LOG
from arena.machine.own_program import own_program
from arena.site.folder import SiteFolder
from arena.site.play.ladders import Ladder, Ladders

EVERY: Final = 2.0
LEAST: Final = 30.0
"""Seconds between two times that the pages of a ladder are made."""
SHARE: Final = 10
"""They are made for at most one second in so many."""
MOST: Final = 3600.0
"""Seconds in which they have to be made."""
POLITE: Final = 10
"""How far the press stands back behind what plays."""
log = logging.getLogger("arena.site.press")


@dataclass(frozen=True)
class _Printed:
    """When the pages of a ladder were made last, and of what."""

    mark: int
    """The size of the log."""
    next: float
    """Not before this time they are made again."""


@dataclass
class Press:
    """Makes the pages of all ladders, one after the other, in a thread of its own."""

    folder: SiteFolder
    ladders: Ladders
    address: str
    """How the site is reached, for the pages' way back."""
    _printed: dict[str, _Printed] = field(default_factory=dict)
    _ending: Flag = field(default_factory=Flag)
    _lock: Lock = field(default_factory=Lock)
    _process: subprocess.Popen[bytes] | None = None
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = Thread(target=self._work, name="press")
        self._thread.start()

    def stop(self) -> None:
        """Stop at once; every file is whole, and the next time goes on from there."""
        with self._lock:
            self._ending.set()
            if self._process is not None:
                self._process.terminate()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while not self._ending.wait(EVERY):
            try:
                for ladder in self.ladders.all():
                    if self._is_due(ladder):
                        self._print(ladder)
            except (ArenaError, OSError) as error:
                log.error("the press: %s", error)

    def _is_due(self, ladder: Ladder) -> bool:
        if self._ending.is_set() or not ladder.begun:
            return False
        last = self._printed.get(ladder.name)
        if last is None:
            return True
        return time.monotonic() >= last.next and last.mark != _size(ladder.store / LOG)

    def _print(self, ladder: Ladder) -> None:
        began, mark = time.monotonic(), _size(ladder.store / LOG)
        words = ["ladder", "publish", str(ladder.store), str(self.folder.public(ladder.name))]
        words += ["--home", f"{self.address}/ladders/{ladder.name}"]
        with self._lock:
            if self._ending.is_set():
                return
            self._process = subprocess.Popen(
                [*own_program("arena"), *words, "--workers", "1"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, POLITE)
        try:
            said = self._process.communicate(timeout=MOST)[1].decode(errors="replace").strip()
        except subprocess.TimeoutExpired:
            self._process.kill()
            said = self._process.communicate()[1].decode(errors="replace").strip()
        code = self._process.returncode
        with self._lock:
            self._process = None
        took = time.monotonic() - began
        rest = max(LEAST, took * SHARE)
        self._printed[ladder.name] = _Printed(mark, time.monotonic() + rest)
        if code and not self._ending.is_set():
            log.error("%s: its pages were not made: %s", ladder.name, said.rpartition("\n")[2])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
