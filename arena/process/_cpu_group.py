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
        self._cpu = cpu_file_of(self._group)
        self.cpu_ns = self._cpu.ns
        """Returns the CPU time in nanoseconds."""

        def prepare() -> None:
            move(0, self._group)
            launch.prepare()

        def clear() -> None:
            launch.clear()
            self.remove()

        self.launch = replace(launch, prepare=prepare, clear=clear)
        """How to start the program so that it is counted."""

    def remove(self) -> None:
        """Remove the group, if it still exists; its last process may be leaving it."""
        self._cpu.close()
        for pause in REMOVAL_PAUSES:
            time.sleep(pause)
            try:
                self._group.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                continue
            return
