"""The regulations of a competition: its stages, who is set aside, and until when bots enter.

All of them stand in the log before the games that they concern.
"""

from __future__ import annotations

from datetime import UTC, datetime

from arena.records.entries import Changed, Form, SetAside, Stage
from arena.records.ledger import Ledger

WRITTEN = "%Y-%m-%dT%H:%M:%SZ"
"""How the log has times."""
NOBODY = SetAside(faults=0, games=0)
"""The rule by which nobody is set aside."""


class Regulations(Form, frozen=True, kw_only=True):
    """What a definition says of the course of its competition."""

    stages: tuple[Stage, ...] = ()
    set_aside: SetAside | None = None
    deadline: str = ""
    """Until when bots can enter, in UTC as the log has it; empty if there is no such time."""


def written(moment: datetime) -> str:
    """Return a time as the log has it."""
    return moment.astimezone(UTC).strftime(WRITTEN)


def seconds_to(deadline: str, now: datetime) -> float:
    """Return how long it is to a deadline, 0 if it is over."""
    end = datetime.strptime(deadline, WRITTEN).replace(tzinfo=UTC)
    return max(0.0, (end - now).total_seconds())


def to_state(wanted: Regulations, ledger: Ledger, now: datetime) -> Changed | None:
    """Return what the log has to say of these regulations, if it does not say it yet.

    When the deadline is over, it says that entries are closed; if it has been moved to later,
    that they are open again.
    """
    if ledger.closed is not None or ledger.stages.over:
        return None
    entries = None
    if wanted.deadline and not ledger.stages.ended:
        over = not seconds_to(wanted.deadline, now)
        if over is ledger.entries_open:
            entries = "closed" if over else "open"
    change = Changed(
        stages=None if wanted.stages == ledger.stages.listed else wanted.stages,
        set_aside=None if wanted.set_aside == ledger.set_aside else wanted.set_aside or NOBODY,
        deadline=None if wanted.deadline == ledger.deadline else wanted.deadline,
        entries=entries,  # type: ignore[arg-type]
        reason="the deadline is over" if entries == "closed" else "",
    )
    return None if change == Changed(reason=change.reason) else change
