"""The terms of games: the settings that all games of a match or a ladder share."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from arena.games.game import Game, Rules
from arena.process.suspension.turn_gate import NO_FREEZER, SIGNALS
from arena.records.entries import TimeControl
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import NO_CGROUP, NONE, UNCONFINED, Sandbox

LACKS = MappingProxyType(
    {
        NO_CGROUP: "limits hold for each process only",
        NO_FREEZER: "a bot that resists can think while others are asked",
    }
)
"""What a host may lack to hold sandboxed bots, by the word in labels, with what follows."""


def lacking(sandbox: Sandbox, suspends_by: str | None) -> tuple[str, ...]:
    """Return the words for what this host lacks to hold bots in this sandbox.

    `suspends_by` is what suspends the bots that are not asked; None if nothing is to. Without a
    sandbox nobody is to be held.
    """
    if sandbox.name == NONE:
        return ()
    return (*sandbox.lacks, *((NO_FREEZER,) if suspends_by == SIGNALS else ()))


def label(sandbox: Sandbox, suspends_by: str | None) -> str:
    """Return what a log says of how bots are held: the sandbox, and what the host lacks for it."""
    not_in_label = lacking(sandbox, suspends_by)[len(sandbox.lacks) :]
    return "+".join((sandbox.label, *not_in_label))


@dataclass(frozen=True)
class Terms:
    """What is played, against which clock, and how the bots are run."""

    game: Game
    rules: Rules
    """The full rules, as `Game.rules` returns them."""
    control: TimeControl = field(default_factory=TimeControl)
    sandbox: Sandbox = UNCONFINED
    limits: Limits = field(default_factory=Limits)
    suspend: bool = False
    """Whether a bot is suspended while it is not asked."""
    fresh: bool = False
    """Whether every game is played by new processes."""
