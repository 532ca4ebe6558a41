"""The runs of a site's ladders: which are begun again, and when."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.discovery import discover
from arena.ladder.inbox import Inbox
from arena.ladder.store import Store
from arena.ladder.store_files import is_store
from arena.ladder.wishes import ChangeBudget
from arena.records.entries import Budget
from arena.site.folder import SiteFolder
from arena.site.play.ladders import Ladders
from arena.site.play.supervisor import TIME_IS_UP, RunState, Supervisor

pytestmark = pytest.mark.source_only
SECONDS = 120.0
LADDER = """\
game = "gargon"
tables = [3]
sandbox = "none"
contestants = ["random", "gargon-hand", "gargon-backs", "gargon-majority"]

[budget]
minutes = {minutes}
"""
"""With no time at all a run plays a block."""


class Runs:
    """A folder with one ladder, whose run a supervisor keeps."""

    def __init__(self, path: Path) -> None:
        self.folder = SiteFolder(path)
        self.folder.make()
        self.definition = self.folder.ladders / "test.toml"
        self.store = self.folder.ladders / "test.ladder"
        self.definition.write_text(LADDER.format(minutes=0.001))
        self.supervisor = self.new()

    def new(self) -> Supervisor:
        """Return a supervisor, as a new server has it."""
        return Supervisor(self.folder, Ladders(self.folder, discover()), plays=True)

    @property
    def state(self) -> RunState:
        """What is said of the ladder."""
        return next(iter(self.supervisor.states()), RunState("", "", 0))

    @property
    def games(self) -> int:
        """How many games are played."""
        if not is_store(self.store):
            return 0
        with Store.open(self.store) as store:
            return store.ledger.games

    @property
    def log(self) -> str:
        """What its runs have written."""
        return (self.folder.ladders / "test.log").read_text()

    def reach(self, wanted: Callable[[], bool]) -> None:
        """Wait for something."""
        deadline = time.monotonic() + SECONDS
        while not wanted():
            assert time.monotonic() < deadline, (self.state, self.log)
            time.sleep(0.1)

    def rest(self, games: int = 0) -> None:
        """Wait until the time of a run is up that has played more than this."""
        self.reach(lambda: self.state.words == TIME_IS_UP and self.games > games)

    def stays(self) -> None:
        """Nothing is played in a time in which a run would have been begun."""
        before = self.games
        time.sleep(4)
        assert self.games == before
        assert self.state == RunState("test", TIME_IS_UP, 0)


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    """A ladder that is kept running."""
    found = Runs(tmp_path / "own")
    found.supervisor.start()
    yield found
    found.supervisor.stop()


def test_a_run_whose_time_is_up_is_no_crash(runs: Runs) -> None:
    """A ladder with minutes plays them once: it is not begun again and again, and says why."""
    runs.rest()
    runs.stays()
    assert runs.log.count("the time is up") == 1


def test_another_run_begins_when_the_definition_changes(runs: Runs) -> None:
    """Whoever writes other minutes into the file does not have to restart the site."""
    runs.rest()
    before = runs.games
    runs.definition.write_text(LADDER.format(minutes=0.002))
    runs.rest(before)
    runs.stays()


def test_another_run_begins_when_a_wish_waits(runs: Runs) -> None:
    """What is wished for is not left lying because the time of the last run is over."""
    runs.rest()
    before = runs.games
    inbox = Inbox(runs.store)
    name = inbox.leave(ChangeBudget(budget=Budget(minutes=0.002), reason="once more"))
    runs.rest(before)
    answer = inbox.answered(name)
    assert answer is not None
    assert answer.granted


def test_what_no_run_can_answer_begins_none(runs: Runs) -> None:
    """Something in the inbox that cannot be removed does not have the ladder play for ever."""
    runs.rest()
    before = runs.games
    (runs.store / "inbox" / "a-folder" / "within").mkdir(parents=True)
    runs.rest(before)
    runs.stays()


def test_a_run_that_somebody_ends_begins_again(runs: Runs) -> None:
    """A host who ends a run, such as after an update, has another one, and no crash is told."""
    runs.definition.write_text(LADDER.format(minutes=1000))
    runs.reach(lambda: runs.state.words == "a run is on" and runs.games > 0)
    first = _holder(runs.store)
    os.kill(first, signal.SIGTERM)
    runs.reach(lambda: _holder(runs.store) not in (0, first))
    assert runs.state.restarts == 0
    assert "it was told to end" in runs.log


def test_the_run_of_a_server_that_was_killed_is_no_crash_either(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A new server finds the run of the old one, and says of it the same when its time is up."""
    caplog.set_level("INFO", "arena.site")
    runs = Runs(tmp_path / "own")
    runs.definition.write_text(LADDER.format(minutes=0.15))
    runs.supervisor.start()
    runs.reach(lambda: _holder(runs.store) != 0)
    old, runs.supervisor = runs.supervisor, runs.new()
    runs.supervisor.start()
    try:
        runs.reach(lambda: "plays it, which a server has left" in caplog.text)
        runs.rest()
        assert runs.log.count("the time is up") == 1
        runs.stays()
    finally:
        runs.supervisor.stop()
        old.stop()


def _holder(store: Path) -> int:
    with suppress(OSError, ValueError):
        return int(store.with_name(f"{store.name}.lock").read_text())
    return 0
