"""The cgroup freezer: suspends all processes of a program, children and daemons included.

A process cannot leave its cgroup without writing to the cgroup file system. While the cgroup is
frozen, signals, timers and children wait. Unlike the freezer of version 1, that of version 2 lets
frozen processes be killed. It needs no controller; root can use it wherever version 2 is mounted,
others below a cgroup that has been delegated to them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

from arena.process._cpu_group import cpu_file_of, launch_in, remove
from arena.process.process_tree import children
from arena.process.suspension._tasks import cpu_seconds, running_tasks
from arena.process.suspension.suspender import CannotStop, RanOn, Suspender
from arena.sandbox.control_groups import can_join, make_unlimited, move, sweep, unified_group
from arena.sandbox.launch import Launch
from arena.sandbox.owner import own_prefix

FILES = (("cgroup.freeze", os.O_WRONLY), ("cgroup.events", os.O_RDONLY))
FROZEN = b"frozen 1"
FIRST_BYTES = 64
"""How many bytes of a group's file to read, for what stands at its beginning."""
AT_ONCE_SECONDS = 0.02
"""Seconds in which nearly all programs stop; the core is not left to others for longer."""
FREEZE_SECONDS = 1.0
"""Seconds that a program may take to stop."""
LOOK_SECONDS = 0.001
RAN_SECONDS = 0.1
"""A program that has not stopped, and that ran for longer than this meanwhile, could have stopped.
One that did not run waits for a core, or in the kernel (state D), which is the host's doing."""

_numbers = count()


def freezer_home() -> Path | None:
    """Return the cgroup below which this process can freeze others; None if there is none."""
    home = unified_group()
    if home is None:
        return None
    sweep(home)
    probe = home / f"{own_prefix()}held-probe"
    try:
        make_unlimited(probe)
    except OSError:
        return None
    try:
        return home if (probe / "cgroup.freeze").exists() and can_join(probe) else None
    finally:
        probe.rmdir()


class Freezer(Suspender):
    """Suspends one program, in a cgroup of its own."""

    def __init__(self, launch: Launch, home: Path) -> None:
        self._home = home
        self._wrapped = launch.wrappers > 0
        if launch.cell is not None and launch.cell.unified is not None:
            # With version 2 a process is in one group only, so use the one of its cell.
            self._cgroup = launch.cell.unified
            self._open()
            super().__init__(launch)
            return
        self._cgroup = home / f"{own_prefix()}held-{next(_numbers)}"
        make_unlimited(self._cgroup)
        try:
            self._open()
        except OSError:
            remove(self._cgroup)
            raise
        super().__init__(launch_in(self._cgroup, launch))

    def _open(self) -> None:
        with ExitStack() as undo:
            opened = []
            for name, flags in FILES:
                opened.append(os.open(self._cgroup / name, flags))
                undo.callback(os.close, opened[-1])
            undo.pop_all()
        self._switch, self._events = opened
        self._cpu = cpu_file_of(self._cgroup)

    @property
    def counter(self) -> Callable[[], int]:
        return self._cpu.ns

    @property
    def holds(self) -> bool:
        return True

    def suspend(self) -> None:
        if self._wrapped:
            self._let_wrappers_out()
        with suppress(OSError):  # it has ended
            os.write(self._switch, b"1")
            # A thread stops when it is next given a core. Until then, what it waits for can still
            # wake it, which would disturb the bot that runs next.
            deadline = time.monotonic() + AT_ONCE_SECONDS
            while time.monotonic() < deadline:
                os.sched_yield()
                if self._stands_still():
                    return
            self._await_standstill()

    def _stands_still(self) -> bool:
        return FROZEN in os.pread(self._events, FIRST_BYTES, 0)

    def _await_standstill(self) -> None:
        """Leave the core to a program that has not stopped at once; raise as `suspend` does."""
        before = cpu_seconds(self._cgroup)
        began = time.monotonic()
        while (waited := time.monotonic() - began) < FREEZE_SECONDS:
            time.sleep(LOOK_SECONDS)
            if self._stands_still():
                return
        seen = running_tasks(self._cgroup)
        if self._stands_still():
            return
        ran = cpu_seconds(self._cgroup) - before
        figures = f"after {waited:.1f} s, in which it ran for {ran:.2f} s, {seen}"
        if ran > RAN_SECONDS or not self.tolerated:
            raise RanOn(figures)
        raise CannotStop(self.pid, waited, figures)

    def resume(self) -> None:
        with suppress(OSError):  # it has ended
            os.write(self._switch, b"0")

    def close(self) -> None:
        self._cpu.close()
        for file in (self._switch, self._events):
            os.close(file)
        remove(self._cgroup)  # in case its keeper was killed before it could

    def _let_wrappers_out(self) -> None:
        """Move the sandbox's own processes out: they only wait, and freezing them takes time."""
        self._wrapped = False
        pid = self.pid
        for _ in range(self.launch.wrappers):
            below = children(pid)
            with suppress(OSError):  # it has ended
                move(pid, self._home)
            if len(below) != 1:
                return
            pid = below[0]
