"""The floor: of all the bots at a table only the one that is asked runs, the others are suspended.

The bots of a game share a core, so one that computes while another is asked would take that
one's time. The cgroup freezer holds whatever a bot has started and cannot be left from within.
Where no cgroup can be made, signals stop the bot's process groups; a bot that resists is only
hindered by them.
"""

from __future__ import annotations

from pathlib import Path

from arena.process.freezer import Freezer, freezer_home
from arena.process.hold import Hold
from arena.process.launch import Launch
from arena.process.stopper import Stopper

FREEZER = "cgroup freezer"
SIGNALS = "signals"
BY_SIGNALS = (
    "suspending by signals, which only hinders a bot that resists; a writable cgroup of version 2 "
    "would hold it (root has one, or: systemd-run --user --scope -p Delegate=yes)"
)
"""What to tell a host who has asked for more than this."""


class Floor:
    """Given to one bot at a time; nobody has it between games."""

    def __init__(self, *, freezer: bool = True) -> None:
        self._home: Path | None = freezer_home() if freezer else None
        self._holds: list[Hold] = []
        self._holder: Hold | None = None

    @property
    def kind(self) -> str:
        """What suspends bots on this host."""
        return SIGNALS if self._home is None else FREEZER

    def hold_for(self, launch: Launch) -> Hold:
        """What suspends a program that is about to be started; it gets the floor."""
        hold = Stopper(launch) if self._home is None else Freezer(launch, self._home)
        self._holds.append(hold)
        self.give(hold)
        return hold

    def give(self, hold: Hold) -> None:
        """Let this one run and nobody else."""
        if hold is not self._holder:
            self.await_silence(hold)
            self._holder = hold
            hold.resume()

    def await_silence(self, hold: Hold) -> None:
        """Suspend whoever else has the floor."""
        if self._holder is not None and self._holder is not hold:
            self._holder.suspend()
            self._holder = None

    def sweep(self) -> None:
        """Suspend again what has got round it, for somebody thinks for long."""
        for hold in self._holds:
            if hold is not self._holder:
                hold.sweep()

    def clear(self) -> None:
        """Let nobody run until one is asked."""
        if self._holder is not None:
            self._holder.suspend()
            self._holder = None

    def open(self) -> None:
        """Let everybody run, to come to an end."""
        for hold in self._holds:
            if hold is not self._holder:
                hold.resume()
        self._holder = None

    def leave(self, hold: Hold) -> None:
        """Forget one that has ended."""
        if hold in self._holds:
            self._holds.remove(hold)
            hold.close()
        if hold is self._holder:
            self._holder = None
