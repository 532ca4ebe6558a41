"""Reports: what was found in each submission, an event a line, for its author alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.site.intake.events import Event, read_event


@dataclass(frozen=True)
class Part:
    """A part of a report."""

    events: Sequence[Event]
    ends: Sequence[int]
    """Where each of them ends, in bytes."""
    start: int
    """Where it begins."""
    end: int
    """Where the next part begins, in bytes."""


def read_part(path: Path, start: int = 0) -> Part:
    """Return what a report has from here on, as far as its lines are whole.

    A report that was begun anew, and is shorter now, is read from its start.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(start if start <= size else 0)
            start = file.tell()
            data = file.read()
    except FileNotFoundError:
        return Part((), (), 0, 0)
    whole = data[: data.rfind(b"\n") + 1]
    events, ends, end = [], [], start
    for line in whole.splitlines(keepends=True):
        end += len(line)
        try:
            events.append(read_event(line))
        except msgspec.DecodeError:
            continue  # half of a line, before which the disk was full
        ends.append(end)
    return Part(events, ends, start, start + len(whole))
