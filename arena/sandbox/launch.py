"""How a program is started: its command line, its environment, its directory, its limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.control_groups import Cell
from arena.sandbox.limits import Limits


class StartError(OSError):
    """A program that cannot be run, through no fault of the host."""


@dataclass(frozen=True)
class Launch:
    """How a program is started.

    `prepare` runs in its process before it becomes the program, `clear` in its keeper when
    all that it has started has ended, and then `release` in the referee. `wrappers` processes
    of the sandbox's own, each the only child of the one before, stand between the keeper and
    the bot; they end with an exit code above 128 where a signal has ended the bot. Its keeper
    holds it to `limits`, and it runs in the group `cell`, where there are any.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    prepare: Callable[[], None] = lambda: None
    clear: Callable[[], None] = lambda: None
    release: Callable[[], None] = lambda: None
    wrappers: int = 0
    limits: Limits | None = None
    cell: Cell | None = None


def stay_on(core: int | None) -> None:
    """Keep this process on a core, if one is given."""
    if core is not None:
        os.sched_setaffinity(0, {core})
