"""Hours of play: at which times of the week a ladder is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEK = timedelta(days=8)
"""Within so long all hours begin once, with some time to spare where clocks are changed."""
STEP = timedelta(minutes=1)


@dataclass(frozen=True)
class Hours:
    """A part of some days of the week; `to` is the first moment after it, midnight for the end."""

    days: frozenset[int]
    """From 0 for Monday."""
    begin: time
    to: time

    def have(self, moment: datetime) -> bool:
        """Whether a local time lies in these hours; they can last past midnight."""
        clock = moment.time()
        if self.to > self.begin:
            return moment.weekday() in self.days and self.begin <= clock < self.to
        if clock >= self.begin:
            return moment.weekday() in self.days
        return clock < self.to and (moment.weekday() - 1) % len(DAYS) in self.days


@dataclass(frozen=True)
class HoursOfPlay:
    """When a ladder is played; always, if no hours are named."""

    hours: Sequence[Hours] = ()
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))

    def open(self, now: datetime) -> bool:
        """Whether it is played now."""
        local = now.astimezone(self.zone)
        return not self.hours or any(each.have(local) for each in self.hours)

    def opens(self, now: datetime) -> datetime:
        """Return when it is played next, in its own zone; at once if it is played now."""
        moment = now
        while not self.open(moment) and moment < now + WEEK:
            moment = moment.replace(second=0, microsecond=0) + STEP
        return moment.astimezone(self.zone)
