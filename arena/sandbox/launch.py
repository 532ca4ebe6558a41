"""How a program is started: its command line, its environment, its directory, its limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.machine.calls import pin
from arena.sandbox.control_groups import Cell
from arena.sandbox.limits import Limits


class StartError(OSError):
    """A program that cannot be run, through no fault of the host."""


def nothing() -> None:
    """Do nothing, where nothing has to be done."""


@dataclass(frozen=True)
class Launch:
    """How a program is started.

    `prepare` runs in the new process before it becomes the program. When the program and all
    that it has started have ended, `clear` runs in its keeper, and then `release` in the
    referee. `wrappers` is the number of the sandbox's own processes between the keeper and
    the bot, each the only child of the one before. If a signal has ended the bot, they end
    with 128 plus its number. If there are any, the keeper enforces `limits`, and the program
    runs in the control group `cell`.

    A worker that keeps many programs pickles what their keepers need: all but `release`. Where
    that cannot be pickled, the keeper takes more memory.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    prepare: Callable[[], None] = nothing
    clear: Callable[[], None] = nothing
    release: Callable[[], None] = nothing
    wrappers: int = 0
    limits: Limits | None = None
    cell: Cell | None = None


def stay_on(core: int | None) -> None:
    """Pin this process to a core, if one is given."""
    if core is not None:
        pin({core})
