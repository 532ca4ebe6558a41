"""What happened, told in segments: words, seats and cards, which a page can draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Seat:
    """A seat that is mentioned."""

    number: int


@dataclass(frozen=True)
class Face:
    """One side of a card as it is drawn, and what it is called: "red 9", or "a red card"."""

    suit: str
    """The name of a `Suit` of the game's table."""
    text: str
    """What stands on it; nothing on a back."""
    name: str


Segment: TypeAlias = str | Seat | Face


def plain(segments: Iterable[Segment]) -> str:
    """Return what was told as text."""
    words = []
    for segment in segments:
        if isinstance(segment, Seat):
            words.append(f"seat {segment.number}")
        else:
            words.append(segment.name if isinstance(segment, Face) else segment)
    return "".join(words)


def listed(
    items: Iterable[Sequence[Segment]], between: str = ", ", empty: str = ""
) -> list[Segment]:
    """Return what is told of several things one after the other."""
    told: list[Segment] = []
    for item in items:
        if told:
            told.append(between)
        told += item
    return told or [empty]
