"""The queue: what waits is done one at a time, and each kind of work in its turn.

So builds, checks and unrated games take one core between them, and however many of one kind
wait, those of the other do not wait for all of them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Event as Flag
from threading import Thread
from typing import Final, Protocol

IDLE: Final = 1.0
"""Seconds between two looks into the queue, if nobody says that there is something."""
log = logging.getLogger("arena.site.queue")


class Work(Protocol):
    """One kind of what waits."""

    def go_on(self) -> None:
        """Put back into the queue what was under way when the last server ended."""

    def serve_next(self) -> bool:
        """Do what waits first, to its end; return whether anything waited."""

    def stop(self) -> None:
        """End what is under way; it goes back into the queue."""


class Queue:
    """Does what waits, in a thread of its own."""

    def __init__(self, works: Sequence[Work]) -> None:
        self._works = works
        self._ending = Flag()
        self._more = Flag()
        self._thread = Thread(target=self._work, name="queue")

    def start(self) -> None:
        """Begin with what the last server left, and go on until `stop`."""
        for work in self._works:
            work.go_on()
        self._thread.start()

    def stop(self) -> None:
        """Stop; what is under way goes back into the queue."""
        self._ending.set()
        self._more.set()
        for work in self._works:
            work.stop()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Look into the queue now."""
        self._more.set()

    def _work(self) -> None:
        while not self._ending.is_set():
            served = [self._serve(work) for work in self._works]
            if not any(served):
                self._more.wait(IDLE)
                self._more.clear()

    def _serve(self, work: Work) -> bool:
        if self._ending.is_set():
            return False
        try:
            return work.serve_next()
        except Exception:
            log.exception("the queue goes on after a failure")
            return False
