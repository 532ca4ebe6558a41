"""Clocks: a time for every decision, and a bank in every game for decisions that take longer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict, replace

from arena.records.entries import DAY, TimeControl

NAMES = TimeControl.__struct_fields__
"""Of the times that can be set."""


def changed(control: TimeControl, settings: Iterable[str]) -> TimeControl:
    """Return these times with settings of the form NAME=MS; `ValueError` if they are wrong."""
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in NAMES:
            names = ", ".join(NAMES)
            raise ValueError(f"expected NAME=MS with a name of {names}, got {setting!r}")
        least = 0 if name == "bank" else 1
        if not (value.isascii() and value.isdecimal()) or not least <= int(value) <= DAY:
            raise ValueError(f"{name}: expected {least} to {DAY} milliseconds, got {value!r}")
        control = replace(control, **{name: int(value)})
    return control


def on_slower(control: TimeControl, times: float) -> TimeControl:
    """Return the times in which this machine does what one so many times slower does in these.

    None becomes 0 that was not.
    """
    shorter = {name: int(value / times) or min(value, 1) for name, value in asdict(control).items()}
    return TimeControl(**shorter)


class Clock:
    """One seat's clock in one game. It takes times as arguments and reads no clock itself."""

    __slots__ = ("bank", "decision")

    def __init__(self, control: TimeControl) -> None:
        self.decision = control.decision / 1000
        self.bank = control.bank / 1000

    @property
    def limit(self) -> float:
        """The most seconds that the current decision may take."""
        return self.decision + self.bank

    def charge(self, seconds: float) -> bool:
        """Charge a decision; return False if it took too long."""
        over = seconds - self.decision
        if over > 0:
            self.bank -= over
        return self.bank >= 0
