"""What a seat's points are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ScorePart:
    """One part of a seat's points: what it is for, how many, and how they were counted."""

    title: str
    points: int
    how: str = ""
