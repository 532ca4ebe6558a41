"""The turn gate: of all the bots at a table only the one that is asked runs.

The bots of a game share a core, so a bot that computes while another is asked would take the
other's time. The cgroup freezer suspends whatever a bot has started, and a bot cannot escape
it. Where no cgroup can be made, signals stop the bot's process groups, which only hinders a
bot that resists.
"""

from __future__ import annotations

from pathlib import Path

from arena.machine.system import LINUX, PAGE
from arena.process.suspension.freezer import Freezer, freezer_home
from arena.process.suspension.signals import SignalSuspender
from arena.process.suspension.suspender import RanOn, Suspender
from arena.sandbox.launch import Launch

FREEZER = "cgroup freezer"
SIGNALS = "signals"
NO_FREEZER = "no-freezer"
"""The word for suspension by signals, in labels of records and in definitions of ladders."""
BY_SIGNALS = "suspending by signals, which only hinders a bot that resists; " + (
    "a writable cgroup of version 2 would hold it (root has one, or: systemd-run --user --scope "
    "-p Delegate=yes)"
    if LINUX
    else f"only Linux could hold it ({PAGE})"
)
"""The message to a host who has asked for more than suspension by signals."""


class TurnGate:
    """Lets one bot run at a time, and none between games.

    No bot runs before the one that ran last stands still. One that does not is ended, which it
    learns when it is asked next. If the host keeps it from stopping, `CannotStop` is raised, and it
    keeps the turn.
    """

    def __init__(self, *, freezer: bool = True) -> None:
        self._home: Path | None = freezer_home() if freezer else None
        self._suspenders: list[Suspender] = []
        self._running: Suspender | None = None

    @property
    def kind(self) -> str:
        """What suspends bots on this host."""
        return SIGNALS if self._home is None else FREEZER

    def admit(self, launch: Launch) -> Suspender:
        """Return a suspender for a program that is about to be started, and give it the turn."""
        self.end_turn()
        suspender = SignalSuspender(launch) if self._home is None else Freezer(launch, self._home)
        self._suspenders.append(suspender)
        self._running = suspender
        return suspender

    def give_turn(self, suspender: Suspender) -> None:
        """Let this program run and no other."""
        if suspender is not self._running:
            self.suspend_others(suspender)
            self._running = suspender
            suspender.resume()

    def suspend_others(self, suspender: Suspender) -> None:
        """Suspend the program that has the turn, if it is another one."""
        if self._running is not suspender:
            self.end_turn()

    def suspend_strays(self) -> None:
        """Suspend again what runs although it is suspended; for use while a bot thinks for long."""
        for suspender in self._suspenders:
            if suspender is not self._running:
                suspender.suspend_strays()

    def end_turn(self) -> None:
        """Let no program run until one is asked."""
        if self._running is None:
            return
        try:
            self._running.suspend()
        except RanOn as ran_on:
            self._running.expel(str(ran_on))
        self._running = None

    def open(self) -> None:
        """Let all programs run, so that they can end."""
        for suspender in self._suspenders:
            if suspender is not self._running:
                suspender.resume()
        self._running = None

    def remove(self, suspender: Suspender) -> None:
        """Forget a program that has ended."""
        if suspender in self._suspenders:
            self._suspenders.remove(suspender)
            suspender.close()
        if suspender is self._running:
            self._running = None
