"""The one writer of a ladder's log: it plays, and between two blocks does what others wish.

It plays towards the goal, and stops handing out blocks when a wish waits, when the definition has
changed, or when it is told to end. What is handed out is played and stored first, so that nobody
sees a deal twice. Then come the entries, and play goes on with the same workers. One that follows
a ladder does not end at the goal, but waits for what comes next.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import TypeAlias

from arena.blocks.runner import Crew, Runner
from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.definition import Definition, DefinitionError
from arena.ladder.desk import Desk, Find
from arena.ladder.field import (
    absent,
    apply_budget,
    apply_stages,
    budget_now,
    enter,
    read_applied,
    regulations_now,
    settle_publishing,
)
from arena.ladder.goal import Goal, RunEnd
from arena.ladder.opening import check_terms
from arena.ladder.regulations import seconds_to, to_state
from arena.ladder.run import Progress, Report, Run
from arena.ladder.state import State, read_state, this_host, write_state
from arena.ladder.store import Store
from arena.programs.spec import BotSpec
from arena.records.difference import Difference
from arena.records.entries import Budget, Changed, Entry
from arena.sandbox.sandbox import Sandbox
from arena.version import VERSION

LOOK_EVERY = 1.0
"""Seconds between two looks at the definition's file."""
IDLE = 0.25
"""Seconds between two looks at the inbox while nothing is played."""
KEEP_CREW = 60.0
"""How many seconds workers and processes of bots are kept while nothing is played."""
STATE_EVERY = 5.0
"""Seconds between two descriptions of what the run does."""

Tell = Callable[[str], object]
FileMark: TypeAlias = tuple[int, int, int]
"""What shows whether a file has changed: when it was written, its size, and its number."""


def file_mark(path: Path) -> FileMark | None:
    """Return what shows whether a file has changed."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass(frozen=True)
class Reading:
    """A definition as it was read, and its programs as they play here, by digest."""

    definition: Definition
    bots: Mapping[str, BotSpec]
    mark: FileMark | None
    """That of its file, before it was read."""


@dataclass
class Orders:
    """What the writer is told from outside while it plays."""

    end: bool = False
    """Whether to end, after what is under way."""
    read: bool = False
    """Whether to read the definition again."""


class Writer:
    """Plays a ladder whose store is open to be written to, and locked."""

    def __init__(
        self,
        store: Store,
        reading: Reading,
        find: Find,
        game: Game,
        ends: Budget,
        tell: Tell,
        orders: Orders | None = None,
    ) -> None:
        self.store = store
        self.orders = orders or Orders()
        self._reading = reading
        self._find = find
        self._tell = tell
        self._found: dict[str, BotSpec] = dict(reading.bots)
        self._desk = Desk(store, find, tell)
        self._desk.take()
        if not store.ledger.closed:
            if store.ledger.fields:
                self._regulate()  # first, as nobody enters when the deadline is over
            enter(store, reading.definition)
            settle_publishing(store, reading.definition)
            self._regulate()
        budget = budget_now(store.ledger, read_applied(store.path), reading.definition)
        self._goal = Goal(budget, ends)
        self.run = Run(store, self._programs(), game, self._goal)
        self._crew: Crew | None = None
        self._hired = ExitStack()
        before, host = read_state(store.path), this_host()
        if before is not None and before.host not in ("", host):
            tell(f"the host is {host}, and was {before.host}")
        self._state = State(
            process=os.getpid(), definition=str(reading.definition.path), arena=VERSION, host=host
        )
        self._described_at = 0.0
        self._described = (store.ledger.games, 0.0)
        """The games, and the seconds of play, when it was last described."""
        self._looked_at = monotonic()
        self._file = reading.mark
        self._read_again: Callable[[], Reading] | None = None
        self._fixed = False
        self._said = ""
        """What was said last while nothing was played."""

    @property
    def reason(self) -> RunEnd | None:
        """Why nothing more is played, if so."""
        return self.run.reason

    @property
    def text(self) -> str:
        """Why nothing more is played, in words."""
        if self.orders.end:
            return "it was told to end"
        if self.store.ledger.closed:
            return "the ladder is closed"
        if self.store.ledger.paused:
            return "the ladder is paused, until `arena ladder go-on`"
        if not self.run.reason and not self._open():
            opens = self._reading.definition.hours.opens(_now())
            return f"it is not played at this time; it goes on at {opens:%a %H:%M %Z}"
        return self._goal.text(self.run.reason) if self.run.reason else ""

    def absent(self) -> list[str]:
        """Return the names of those whom the definition names, and a wish has taken out."""
        return [each.name for each in absent(self.store, self._reading.definition)]

    def play(
        self,
        runner: Runner,
        sandbox: Sandbox,
        workers: int,
        report: Report,
        read_again: Callable[[], Reading] | None = None,
        *,
        fixed: bool = False,
    ) -> None:
        """Play until the goal is reached, or the ladder is closed or paused, or it is to end.

        With `read_again` it follows the ladder: it reads its definition again when that has
        changed, and goes on waiting where it would end, unless its time is up. `fixed` says that
        there are so many workers whatever a definition says that is read again.
        """
        self._read_again = read_again
        self._fixed = fixed
        ledger = self.store.ledger
        first = ledger.blocks
        with self._hired:
            self._announce(sandbox)
            while not ledger.closed and not self.orders.end:
                self._settle()
                if ledger.closed:
                    break
                idle = bool(self.run.reason) or ledger.paused
                # However short its time, a run plays a block if there is one.
                if self._goal.seconds_left == 0.0 and (idle or ledger.blocks > first):
                    self.run.reason = self.run.reason or "time"
                    break
                if not idle and self._open():
                    self._play(runner, sandbox, workers, report)
                elif read_again is None:
                    break
                else:
                    self._idle()
            self._settle()  # what was left while the last blocks were played
            self.run.keep()
            over = ledger.closed is not None or self.orders.end
            self._state = self._state.changed(time_up=self._goal.seconds_left == 0.0 and not over)
            self._describe("ended", self.text)

    def _announce(self, sandbox: Sandbox) -> None:
        """Have the log say what plays from here on, and say what is not as it was."""
        if self.run.reason or self.store.ledger.paused:
            return
        ledger = self.store.ledger
        before = ledger.arena, ledger.sandbox
        change = self.run.announce(sandbox)
        apply_budget(self.store, self._reading.definition)
        if change is not None and before != ("", ""):
            now = {"the arena": change.arena, "the sandbox": change.sandbox}
            for (what, value), was in zip(now.items(), before, strict=True):
                if value is not None:
                    self._tell(f"{what} is {value}, and was {was}: the log says so")

    def _play(self, runner: Runner, sandbox: Sandbox, workers: int, report: Report) -> None:
        if self._crew is None:
            self._announce(sandbox)
            said = None if self._fixed else self._reading.definition.workers
            venue = replace(self.run.venue(sandbox, said or workers), tell=self._tell)
            self._crew = self._hired.enter_context(runner.crew(venue))
            self._state = self._state.changed(workers=venue.workers, sandbox=sandbox.label)

        def told(progress: Progress) -> None:
            report(progress)
            self._progress(progress)

        self.run.go_on(self._crew, told, lambda: self._stirred() or not self._open())
        if self.run.reason not in (None, "budget"):
            self._dismiss()  # its bots have seen deals of blocks that are not in the log

    def _idle(self) -> None:
        """Wait until there is something to do."""
        self.run.keep()
        says = f"{self.text}: {self.store.ledger.games} games; waiting for what comes next"
        if says != self._said:
            self._tell(says)
            self._said = says
        self._describe("paused" if self.store.ledger.paused else "idle", self.text)
        began = monotonic()
        shut = not self._open()
        while not self._stirred() and self._goal.seconds_left != 0.0:
            if shut and self._open():
                return
            sleep(IDLE)
            if self._crew is not None and monotonic() - began > KEEP_CREW:
                self._dismiss()

    def _dismiss(self) -> None:
        self._crew = None
        self._hired.close()

    def _stirred(self) -> bool:
        """Whether something is to be done before the next block."""
        waits = self._desk.inbox.stir() or self._file_changed() or self._deadline_passed()
        return self.orders.end or waits

    def _file_changed(self) -> bool:
        """Whether the definition is to be read again."""
        if self._read_again is None:
            return False
        now = monotonic()
        if now - self._looked_at >= LOOK_EVERY:
            self._looked_at = now
            if file_mark(self._reading.definition.path) != self._file:
                self.orders.read = True
        return self.orders.read

    def _open(self) -> bool:
        """Whether the ladder is played at this time."""
        return self._reading.definition.hours.open(_now())

    def _deadline_passed(self) -> bool:
        """Whether the log is to say that no more bots can enter."""
        ledger, wanted = self.store.ledger, self._reading.definition.regulations.deadline
        return bool(wanted) and ledger.can_enter and not seconds_to(wanted, _now())

    def _regulate(self) -> list[Entry]:
        """Have the log say what the definition says of stages and rules, and of the deadline."""
        definition, store = self._reading.definition, self.store
        wanted = regulations_now(store.ledger, read_applied(store.path), definition)
        change = to_state(wanted, store.ledger, _now())
        if change is not None:
            try:
                store.check(change)
            except Difference as found:
                raise DefinitionError(
                    f"{definition.path}: {found.place}: expected {found.wanted}, got {found.says}"
                ) from None
            store.append(change)
        apply_stages(store, definition)
        if change is None:
            return []
        if change.entries is not None:
            self._tell(f"entries are {change.entries}")
        return [change]

    def _settle(self) -> None:
        """Do what is wished for, and what a definition that has changed says."""
        entries = self._desk.take()
        if self.store.ledger.closed is None and self._file_changed():
            entries += self._read()
        if self.store.ledger.closed is None:
            try:
                entries += self._regulate()
            except DefinitionError as error:
                self._mistaken(error)
        if entries:
            self._goal = self._goal.changed(self._budget())
            self.run.take_up(entries, self._programs(), self._goal)
        self._state = self._state.changed(wishes=self._desk.answered)

    def _budget(self) -> Budget:
        """Return the ladder's budget; the log has it once something was played."""
        ledger = self.store.ledger
        return self._goal.budget if ledger.budget == Budget() else ledger.budget

    def _read(self) -> list[Entry]:
        """Read the definition again; keep what it said before if there is a mistake in it."""
        assert self._read_again is not None
        self.orders.read = False
        path = self._reading.definition.path
        self._file = file_mark(path)
        workers = self._reading.definition.workers
        try:
            reading = self._read_again()
            check_terms(self.store, reading.definition.contest)
        except ArenaError as error:
            return self._mistaken(error)
        definition = reading.definition
        self._found.update(reading.bots)
        before, self._reading = self._reading, reading
        entries: list[Entry] = []
        try:
            entries += self._regulate()
            entered = enter(self.store, definition)
        except DefinitionError as error:
            self._reading = before
            return entries + self._mistaken(error)
        entries += [] if entered is None else [entered]
        ledger = self.store.ledger
        budget = budget_now(ledger, read_applied(self.store.path), definition)
        if ledger.budget not in (Budget(), budget):
            changed = Changed(budget=budget)
            self.store.append(changed)
            entries.append(changed)
        apply_budget(self.store, definition)
        settle_publishing(self.store, definition)
        self._state = self._state.changed(mistake="")
        says = "; ".join(_in_words(entry) for entry in entries) or "nothing that plays is other"
        self._tell(f"{path} was read again: {says}")
        if definition.workers != workers:
            self._dismiss()
        return entries

    def _mistaken(self, error: ArenaError) -> list[Entry]:
        text = "; ".join(str(error).splitlines())
        self._tell(f"{text}; what the definition said before counts")
        self._state = self._state.changed(mistake=text)
        return []

    def _programs(self) -> dict[str, BotSpec]:
        """Return the programs of all who play."""
        ledger = self.store.ledger
        found = {}
        for number in ledger.playing:
            contestant = ledger.contestants[number]
            spec = self._found.get(contestant.digest)
            found[contestant.digest] = self._find(contestant) if spec is None else spec
        self._found = found
        return found

    def _progress(self, progress: Progress) -> None:
        if monotonic() - self._described_at >= STATE_EVERY:
            games, seconds = self._described
            self._described = progress.games, progress.seconds
            rate = (progress.games - games) / max(progress.seconds - seconds, 1e-3)
            self._state = self._state.changed(rate=round(rate, 1), total=progress.total)
            self._describe("playing", "")

    def _describe(self, doing: str, why: str) -> None:
        ledger = self.store.ledger
        self._state = self._state.changed(doing=doing, why=why, games=ledger.games)
        write_state(self.store.path, self._state)
        self._described_at = monotonic()


def _now() -> datetime:
    return datetime.now(UTC)


def _in_words(entry: Entry) -> str:
    if isinstance(entry, Changed):
        return "another budget" if entry.budget is not None else "other regulations"
    come, gone = len(getattr(entry, "contestants", ())), len(getattr(entry, "leave", ()))
    return f"{come} enter, {gone} leave"
