"""The supervisor: keeps a run alive for each ladder, and starts it again after a crash.

A run whose `minutes` are over has not crashed. Another one begins when there is something new for
it: the definition was changed, or somebody has left a wish.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from threading import Lock, Thread
from typing import IO, Final

from arena.errors import WRONG_INPUT, ArenaError
from arena.ladder.inbox import Inbox
from arena.ladder.lock import Locked, locked
from arena.ladder.state import STATE, read_state
from arena.ladder.store import Store
from arena.ladder.writer import LOOK_EVERY
from arena.machine.calls import usable_cores
from arena.machine.own_program import own_program
from arena.programs.vault import PLACE
from arena.site.folder import SiteFolder
from arena.site.play.ladders import Ladder, Ladders
from arena.site.play.left_runs import STARTED_FOR, LeftRun, left_run

EVERY: Final = 1.0
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 300.0
"""Seconds before a run is started again that keeps ending."""
SOUND: Final = 600.0
"""After so many seconds a run counts as one that did not crash at once."""
PATIENCE: Final = 60.0
"""Seconds that runs have to end after the blocks that are under way."""
TIME_IS_UP: Final = (
    "its time is up; another run begins when its definition is changed, or a wish waits"
)
LARGEST_LOG: Final = 4 << 20
LAST: Final = 4096
log = logging.getLogger("arena.site.runs")


@dataclass
class _Watched:
    """A ladder that is watched."""

    ladder: Ladder
    process: subprocess.Popen[bytes] | LeftRun | None = None
    began: float = 0.0
    wait: float = FIRST_WAIT
    again: float = 0.0
    """When it is started again."""
    mark: int = 0
    """When its definition had been written that a run has refused."""
    words: str = "starting"
    restarts: int = 0
    """How often a run has ended that should not."""
    others: bool = False
    """Whether a run was on that this server had not started."""
    rests: bool = False
    """Whether its time was up, and nothing is new."""
    began_by: int = 0
    """When the definition had been written by which its last run began."""
    wishes: frozenset[str] = frozenset()
    """Those that waited when its last run began."""
    unanswered: frozenset[str] = frozenset()
    """Those that a whole run has not answered: no other one would."""


@dataclass(frozen=True)
class RunState:
    """What the supervisor says of a ladder."""

    ladder: str
    words: str
    restarts: int


@dataclass
class Supervisor:
    """Keeps the runs of all ladders alive, in a thread of its own."""

    folder: SiteFolder
    ladders: Ladders
    plays: bool
    _watched: dict[str, _Watched] = field(default_factory=dict)
    _ending: Flag = field(default_factory=Flag)
    _more: Flag = field(default_factory=Flag)
    _lock: Lock = field(default_factory=Lock)
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin; without `plays` nothing is started."""
        if self.plays:
            self._thread = Thread(target=self._work, name="supervisor")
            self._thread.start()

    def stop(self) -> None:
        """Let all runs end after the blocks that are under way, and wait for that."""
        self._ending.set()
        self._more.set()
        if self._thread is not None:
            self._thread.join()
        deadline = time.monotonic() + PATIENCE
        processes = [each.process for each in self._watched.values() if each.process is not None]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)  # the second one ends it at once
                process.wait()

    def look(self) -> None:
        """Look now whether there is a new ladder."""
        self._more.set()

    def states(self) -> list[RunState]:
        """Return what there is to say of each ladder."""
        with self._lock:
            return [
                RunState(name, each.words, each.restarts) for name, each in self._watched.items()
            ]

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                for ladder in self.ladders.all():
                    self._watch(ladder)
            except (ArenaError, OSError) as error:
                log.error("the supervisor: %s", error)
            self._more.wait(EVERY)
            self._more.clear()

    def _watch(self, ladder: Ladder) -> None:
        with self._lock:
            watched = self._watched.setdefault(ladder.name, _Watched(ladder))
        watched.ladder = ladder
        if watched.process is not None:
            code = watched.process.poll()
            if code is None:
                watched.words = "a run is on"
                if time.monotonic() - watched.began > SOUND:
                    watched.wait = FIRST_WAIT
                return
            ended, watched.process = watched.process, None
            if not isinstance(ended, LeftRun):
                self._ended(watched, code)
        if watched.rests and not self._has_news(watched):
            return
        if time.monotonic() >= watched.again and not self._waits_for_host(watched):
            self._begin(watched)

    def _ended(self, watched: _Watched, code: int) -> None:
        """Decide when a run that has ended is started again."""
        if _closed(watched.ladder):
            watched.words = "closed"
            watched.again = float("inf")
            return
        if code == 0:
            self._ended_well(watched)
            return
        said = _last_line(self._log_path(watched.ladder))
        watched.restarts += 1
        if code == WRONG_INPUT:
            watched.mark = _written(watched.ladder.path)
        watched.again = time.monotonic() + watched.wait
        watched.words = f"its run has ended with {code}: {said}"
        log.error(
            "%s: its run has ended with %d, and is started again in %.0f s: %s",
            watched.ladder.name, code, watched.wait, said,
        )  # fmt: skip
        watched.wait = min(LONGEST_WAIT, watched.wait * 2)

    def _ended_well(self, watched: _Watched) -> None:
        """Note that a run has ended as it should: its time was up, or somebody has ended it."""
        state = read_state(watched.ladder.store)
        was_told = state is not None and state.doing == "ended" and not state.time_up
        watched.rests = not was_told
        watched.words = "its run was ended, and begins again" if was_told else TIME_IS_UP
        watched.again = time.monotonic() + FIRST_WAIT
        watched.wait = FIRST_WAIT
        watched.unanswered = watched.wishes.intersection(Inbox(watched.ladder.store).waiting())
        log.info("%s: %s", watched.ladder.name, watched.words)

    def _has_news(self, watched: _Watched) -> bool:
        """Whether there is something that the last run did not know, whose time was up."""
        ladder = watched.ladder
        ended = _written(ladder.store / STATE)
        # In its last second a run may not have looked at its definition.
        changed = _written(ladder.path)
        if changed != watched.began_by and changed > ended - int(LOOK_EVERY * 1e9):
            return True
        return not watched.unanswered.issuperset(Inbox(ladder.store).waiting())

    def _waits_for_host(self, watched: _Watched) -> bool:
        """Whether a definition was refused, and nobody has changed it since."""
        changed = _written(watched.ladder.path) != watched.mark
        return (
            bool(watched.mark) and not changed and time.monotonic() < watched.again + LONGEST_WAIT
        )

    def _begin(self, watched: _Watched) -> None:
        ladder = watched.ladder
        try:
            with locked(ladder.store):
                pass
        except Locked as busy:
            watched.process = left_run(busy.process, ladder.store)
            if watched.process is not None:
                log.info(
                    "%s: process %s plays it, which a server has left", ladder.name, busy.process
                )
            watched.began = time.monotonic()
            watched.words = f"{busy.holder} plays it, which this server has not started"
            watched.others = True
            return
        if watched.others:
            watched.others = False
            state = read_state(ladder.store)
            if state is not None and state.doing == "ended":
                self._ended_well(watched)
                return
        if _closed(ladder):
            watched.words = "closed"
            watched.again = float("inf")
            return
        watched.began_by = _written(ladder.path)
        watched.wishes = frozenset(Inbox(ladder.store).waiting())
        workers = max(1, len(usable_cores()) - 1)  # one core is left for the site
        words = ["ladder", "run", str(ladder.path), "--store", str(ladder.store), "--follow"]
        with _opened(self._log_path(ladder)) as kept:
            watched.process = subprocess.Popen(
                [*own_program("arena"), *words, "--workers", str(workers)],
                stdin=subprocess.DEVNULL,
                stdout=kept,
                stderr=kept,
                start_new_session=True,  # Ctrl-C is for the server, which ends its runs itself
                cwd=self.folder.ladders,
                env={
                    **os.environ,
                    PLACE: str(self.folder.vault),
                    STARTED_FOR: str(ladder.store),
                },
            )
        watched.began = time.monotonic()
        watched.rests = False
        watched.mark = 0
        watched.words = "a run is on"
        log.info("%s: a run has begun, process %d", ladder.name, watched.process.pid)

    def _log_path(self, ladder: Ladder) -> Path:
        return self.folder.ladders / f"{ladder.name}.log"


def _opened(path: Path) -> IO[bytes]:
    """Open a log to write on; one that has become large begins anew."""
    large = path.exists() and path.stat().st_size > LARGEST_LOG
    return path.open("wb" if large else "ab")


def _closed(ladder: Ladder) -> bool:
    if not ladder.begun:
        return False
    try:
        with Store.open(ladder.store) as store:
            return store.ledger.closed is not None
    except ArenaError:
        return False


def _written(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _last_line(path: Path) -> str:
    """Return the last line that a run has written."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LAST))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return "nothing"
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else "nothing"
