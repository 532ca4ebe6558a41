"""The ending of a ladder, as its log tells it: whether the budget allows it where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ladder.claims import END, Findings
from arena.ladder.goal import shown_by
from arena.ladder.rating import Ratings
from arena.ladder.schedule import Pairing, Schedule
from arena.records.difference import malformed
from arena.records.entries import Budget, Changed, Closed, EndReason, Entered, StageEnded
from arena.records.ledger import Ledger

RUNNING = "would need an entry `close`: it is still running"
WORDS: dict[EndReason, str] = {
    "host": "the host ended it: would need his reason",
    "time": "the time was up, says its host: would need a clock of somebody else",
}
"""What is said of ends that the log cannot show."""


@dataclass(frozen=True)
class Reached:
    """Where a budget says that a ladder ends, and why."""

    reason: EndReason
    block: int
    entered: int
    """How often somebody had entered."""


class Ending:
    """Follows a log, finds where its budget says that it ends, and compares its entry `close`."""

    def __init__(self) -> None:
        self._entered = 0
        self._rebudgeted_at: int | None = None
        """The entry that changed the budget after the first block."""
        self._reached: Reached | None = None
        """Where the budget first said that it ends, since somebody entered."""
        self._closed_at: int | None = None

    def enter(self, entry: Entered) -> None:
        """Follow an entry; newcomers play on, even where the budget is reached."""
        self._entered += bool(entry.contestants)

    def change(self, number: int, entry: Changed, ledger: Ledger) -> None:
        """Follow an entry."""
        changed = entry.budget is not None or entry.stages is not None
        if changed and ledger.blocks:
            self._rebudgeted_at = number

    def look(self, pairing: Pairing, schedule: Schedule, budget: Budget, ratings: Ratings) -> None:
        """Look at the budget of a ladder without stages, when this block is rated."""
        if not pairing.balanced:
            return
        if self._reached is not None and self._reached.entered == self._entered:
            return  # it went on
        self._reached = None
        reason: EndReason | None = "budget" if schedule.has_played(budget) else None
        reason = reason or shown_by(budget, pairing, ratings, schedule.contestants)
        if reason is not None:
            self._reached = Reached(reason, pairing.block, self._entered)

    def stage(self, entry: StageEnded, block: int) -> None:
        """Follow the end of a stage, after which the last block is this one."""
        if not entry.qualified and entry.reason != "few":
            self._reached = Reached(entry.reason, block, self._entered)

    def close(self, number: int) -> None:
        """Follow the entry `close`."""
        self._closed_at = number

    def decide(self, ledger: Ledger, found: Findings) -> None:
        """Decide on the claim, at the end of the log."""
        closed = ledger.closed
        if closed is None:
            found.not_shown(END, RUNNING)
            return
        if closed.reason in WORDS:
            found.not_shown(END, WORDS[closed.reason])
            return
        says = _words(closed, ledger)
        if self._rebudgeted_at is not None:
            needs = "when results were known: would need the host's reason"
            found.not_shown(END, f"entry {self._rebudgeted_at} changed the budget {needs}")
        elif closed.reason in ("certain", "width") and ledger.annulled:
            needs = "would need what was known of the annulled blocks when it ended"
            found.not_shown(END, f"{says}, it says: {needs}")
        elif self._reached is None or self._reached.reason != closed.reason:
            wanted = "a point at which the budget says that it ends"
            found.fails(END, self._closed_at, malformed("reason", says, wanted))
        elif self._reached.entered < self._entered:
            found.not_shown(END, "bots entered and have not played: would need the host's reason")
        elif self._reached.block < ledger.blocks - 1:
            block = self._reached.block
            after = f"its budget said so after block {block}, and it went on"
            found.not_shown(END, f"{after}: would need the host's reason")
        found.holds(END, says)


def _words(closed: Closed, ledger: Ledger) -> str:
    stages = ledger.stages
    if stages.listed:
        last = stages.listed[-1].name
        return f"{closed.reason} (of the stage {last}), {ledger.games} games in all"
    budget = ledger.budget
    if closed.reason == "width":
        return f"width (of {budget.width} points)"
    if closed.reason == "certain":
        return f"certain (to {budget.certain})"
    if budget.games is not None:
        return f"budget ({ledger.games} games of {budget.games})"
    if budget.each is not None:
        return f"budget ({budget.each} games of each, {ledger.games} in all)"
    by_size = ", ".join(f"{games} at {size}" for size, games in (budget.each_at or {}).items())
    return f"budget (of each {by_size or 'no games'}, {ledger.games} in all)"
