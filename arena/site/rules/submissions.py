"""Submissions: what somebody has handed in, and the states that it goes through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.site.rules.people import NotNow


class State(StrEnum):
    """Where a submission stands."""

    QUEUED = "queued"
    EXAMINED = "examined"
    """It is looked at now: unpacked, sealed, built and checked."""
    FAILED = "failed"
    READY = "ready"
    """It was only tried, and has passed: its author can enter it."""
    WAITING = "waiting"
    """It has passed, and enters at the ladder's next block."""
    PLAYING = "playing"
    LEAVING = "leaving"
    """Its author has withdrawn it, and it leaves at the ladder's next block."""
    RETIRED = "retired"
    """It has played, and has left the ladder."""
    WITHDRAWN = "withdrawn"


WORDS: Final = {
    State.QUEUED: "in the queue",
    State.EXAMINED: "being looked at",
    State.FAILED: "did not pass",
    State.READY: "passed; not entered",
    State.WAITING: "passed; enters at the next block",
    State.PLAYING: "on the ladder",
    State.LEAVING: "leaves at the next block",
    State.RETIRED: "no longer on the ladder",
    State.WITHDRAWN: "withdrawn",
}
NEXT: Final = {
    State.QUEUED: frozenset({State.EXAMINED, State.WITHDRAWN}),
    State.EXAMINED: frozenset(
        {State.QUEUED, State.FAILED, State.READY, State.WAITING, State.WITHDRAWN}
    ),
    State.FAILED: frozenset[State](),
    State.READY: frozenset({State.WAITING, State.WITHDRAWN}),
    State.WAITING: frozenset({State.PLAYING, State.FAILED, State.LEAVING}),
    State.PLAYING: frozenset({State.RETIRED, State.LEAVING}),
    # Withdrawn before it had entered, gone, or still there as the ladder needs it.
    State.LEAVING: frozenset({State.WITHDRAWN, State.RETIRED, State.PLAYING}),
    State.RETIRED: frozenset[State](),
    State.WITHDRAWN: frozenset[State](),
}
"""Which state may follow on which; a site that was ended goes back from `examined` to `queued`."""
OPEN: Final = frozenset({State.QUEUED, State.EXAMINED, State.WAITING, State.LEAVING})
"""The states in which something is still to come without its author."""
UNFINISHED: Final = frozenset({State.QUEUED, State.EXAMINED})
"""The states in which the archive has not been looked at to the end."""
ON_LADDER: Final = frozenset({State.WAITING, State.PLAYING, State.LEAVING})
ENTERED: Final = frozenset({State.PLAYING, State.LEAVING, State.RETIRED})
MOST_ATTEMPTS: Final = 3
"""How often it is tried to look at a submission, if the site is ended meanwhile."""


@dataclass(frozen=True)
class Submission:
    """What somebody has handed in for a ladder."""

    number: int
    person: int
    author: str
    ladder: str
    state: State
    made: int
    changed: int
    size: int
    sha256: str
    attempt: int = 0
    reason: str = ""
    """Why it is in this state, in a line for its author."""
    bot: str = ""
    """The bot's name; "" until its description was read."""
    version: str = ""
    digest: str = ""
    trial: bool = False
    """Whether it was handed in to be tried, and enters when its author says so."""

    @property
    def words(self) -> str:
        """Its state in words."""
        return WORDS[self.state]

    @property
    def is_open(self) -> bool:
        """Whether something is still to come."""
        return self.state in OPEN

    @property
    def has_entered(self) -> bool:
        """Whether a ladder may have let it in; only then others learn of it, by the log."""
        return self.state in ENTERED

    @property
    def title(self) -> str:
        """What it is called."""
        return f"{self.bot} {self.version}".strip() or f"submission {self.number}"

    @property
    def can_be_withdrawn(self) -> bool:
        """Whether its author can take it back."""
        return self.state in UNFINISHED or self.state in (
            State.READY,
            State.WAITING,
            State.PLAYING,
        )

    @property
    def when_withdrawn(self) -> State:
        """The state into which withdrawing brings it."""
        if self.state in UNFINISHED or self.state is State.READY:
            return State.WITHDRAWN
        return State.LEAVING

    @property
    def can_enter_again(self) -> bool:
        """Whether its author can enter it once more, as it was handed in."""
        return self.state in (State.RETIRED, State.WITHDRAWN) and bool(self.digest)

    @property
    def can_play(self) -> bool:
        """Whether its author can let it play test games."""
        return self.state not in UNFINISHED and self.state is not State.FAILED and bool(self.digest)


def check_step(old: State, new: State) -> None:
    """Raise `NotNow` if a submission cannot go from the one state to the other."""
    if new not in NEXT[old]:
        raise NotNow(f"it is {WORDS[old]}, so it cannot be: {WORDS[new]}")


def after_a_stop(submission: Submission) -> tuple[State, str]:
    """Return what becomes of a submission that was looked at when the site was ended."""
    if submission.attempt < MOST_ATTEMPTS:
        return State.QUEUED, ""
    return State.FAILED, (
        f"the site was ended {MOST_ATTEMPTS} times while it looked at this; that may be the "
        "site's fault: hand it in again, or ask the host"
    )
