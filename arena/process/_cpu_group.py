"""A control group that only counts: the CPU time of a program and all that it has ever started.

For programs without a group of their own. Version 2 counts in every group, without a controller,
and what a process used stays counted after it has ended, whoever reaps it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path

from arena.sandbox.control_groups import (
    REMOVAL_PAUSES,
    can_join,
    enter,
    make_unlimited,
    sweep,
    unified_group,
)
from arena.sandbox.cpu_file import CpuFile
from arena.sandbox.launch import Launch
from arena.sandbox.owner import own_prefix

_numbers = count()


def cpu_file_of(group: Path) -> CpuFile:
    """Return the file in which a group of version 2 counts its CPU time."""
    return CpuFile(group / "cpu.stat", "usage_usec", nanoseconds=1000)


@cache
def counting_home() -> Path | None:
    """The group below which this process can make groups that count; None if there is none."""
    home = unified_group()
    if home is None:
        return None
    sweep(home)
    probe = home / f"{own_prefix()}counted-probe"
    try:
        make_unlimited(probe)
    except OSError:
        return None
    try:
        return home if (probe / "cpu.stat").exists() and can_join(probe) else None
    finally:
        probe.rmdir()


class CpuGroup:
    """A group for one program, made here and removed when the program has ended."""

    def __init__(self, launch: Launch, home: Path) -> None:
        self._group = home / f"{own_prefix()}counted-{next(_numbers)}"
        make_unlimited(self._group)
        self._cpu = cpu_file_of(self._group)
        self.cpu_ns = self._cpu.ns
        """Returns the CPU time in nanoseconds."""

        self.launch = launch_in(self._group, launch)
        """How to start the program so that it is counted."""

    def remove(self) -> None:
        """Remove the group, if it still exists; its last process may be leaving it."""
        self._cpu.close()
        remove(self._group)


def launch_in(group: Path, launch: Launch) -> Launch:
    """Return how to start a program in this group, which is removed when the program has ended."""
    return replace(
        launch,
        prepare=partial(_enter, str(group), launch.prepare),
        clear=partial(_leave, str(group), launch.clear),
    )


def _enter(group: str, prepare: Callable[[], None]) -> None:
    enter(Path(group))
    prepare()


def _leave(group: str, clear: Callable[[], None]) -> None:
    clear()
    remove(Path(group))


def remove(group: Path) -> None:
    """Remove a group, if it still exists; its last process may be leaving it."""
    for pause in REMOVAL_PAUSES:
        time.sleep(pause)
        try:
            group.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            continue
        return
