"""The terms of games: the settings that all games of a match or a ladder share."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.games.game import Game, Rules
from arena.records.entries import TimeControl
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import UNCONFINED, Sandbox


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
