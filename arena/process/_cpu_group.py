"""A control group that only counts: the CPU time of a program and all that it has ever started.

For programs without a group of their own. Version 2 counts in every group, without a controller,
and what a process used stays counted after it has ended, whoever reaps it.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path

from arena.sandbox.control_groups import REMOVAL_PAUSES, can_join, move, sweep, unified_group
from arena.sandbox.launch import Launch
from arena.sandbox.owner import own_prefix

USAGE = b"usage_usec "
_numbers = count()


def cpu_ns_of(group: Path) -> int:
    """The CPU time in nanoseconds that a group of version 2 has counted; 0 if it is gone."""
    try:
        with open(group / "cpu.stat", "rb") as file:
            for line in file:
                if line.startswith(USAGE):
                    return int(line[len(USAGE) :]) * 1000
    except OSError:
        pass
    return 0


@cache
def counting_home() -> Path | None:
    """The group below which this process can make groups that count; None if there is none."""
    home = unified_group()
    if home is None:
        return None
    sweep(home)
    probe = home / f"{own_prefix()}counted-probe"
    try:
        probe.mkdir()
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
        self._group.mkdir()

        def prepare() -> None:
            move(0, self._group)
            launch.prepare()

        def clear() -> None:
            launch.clear()
            self.remove()

        self.launch = replace(launch, prepare=prepare, clear=clear)
        """How to start the program so that it is counted."""

    def cpu_ns(self) -> int:
        """The CPU time in nanoseconds."""
        return cpu_ns_of(self._group)

    def remove(self) -> None:
        """Remove the group, if it still exists; its last process may be leaving it."""
        for pause in REMOVAL_PAUSES:
            time.sleep(pause)
            try:
                self._group.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                continue
            return
