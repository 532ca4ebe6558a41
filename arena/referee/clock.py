"""Clocks: a time for every decision, and a bank in every game for decisions that take longer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TimeControl:
    """Milliseconds for every decision, in the bank of a game, and from start to hello."""

    decision: int = 100
    bank: int = 10_000
    start: int = 10_000

    def as_map(self) -> dict[str, int]:
        """Return the times as the protocol and the record have them."""
        return {"decision": self.decision, "bank": self.bank, "start": self.start}

    def changed(self, settings: Iterable[str]) -> TimeControl:
        """Return a copy with settings of the form NAME=MS; raise `ValueError` if they are wrong."""
        control = self
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name not in self.as_map():
                names = ", ".join(self.as_map())
                raise ValueError(f"expected NAME=MS with a name of {names}, got {setting!r}")
            least = 0 if name == "bank" else 1
            if not (value.isascii() and value.isdecimal()) or not least <= int(value) <= DAY:
                raise ValueError(f"{name}: expected {least} to {DAY} milliseconds, got {value!r}")
            control = replace(control, **{name: int(value)})
        return control

    def on_slower(self, times: float) -> TimeControl:
        """Return the times in which this machine does what one so many times slower does in these.

        None becomes 0 that was not.
        """
        shorter = {
            name: int(value / times) or min(value, 1) for name, value in self.as_map().items()
        }
        return TimeControl(**shorter)


DAY = 86_400_000


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
