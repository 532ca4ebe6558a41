"""A game's table for pages: what lies where after each event, as zones of cards, without script.

A game describes once how its table is laid out (`TableLayout`), and for every moment what lies
on it (`Scene`). Pages draw both; a game has no script and no style of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from arena.games.telling import Face

Symbol: TypeAlias = Literal["", "ring", "triangle", "diamond", "cross", "star", "square"]
Mark: TypeAlias = Literal["", "down", "won", "lost", "kept"]
"""How a card lies there: face down to most but seen here, winner or loser of a fight, or kept."""
ZoneStyle: TypeAlias = Literal["cards", "row", "strip", "cells"]
"""Cards that may shrink, a row of fixed places, a stack of which colours show, or cells."""

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}\Z")


@dataclass(frozen=True)
class Suit:
    """How the cards of a suit look. The symbol tells suits apart for those who see no colours."""

    name: str
    fill: str
    ink: str
    symbol: Symbol = ""

    def __post_init__(self) -> None:
        for colour in (self.fill, self.ink):
            if not _COLOUR.match(colour):
                raise ValueError(f"suit {self.name}: expected a colour like #4aa3e8, got {colour}")


@dataclass(frozen=True)
class Zone:
    """A place on the table where cards lie."""

    title: str
    style: ZoneStyle
    width: int = 0
    """How many pixels it would like to have in a wide window; 0 takes what is left of a row."""
    heads: Sequence[str] = ()
    """In a zone of cells: the name of each cell's suit."""


@dataclass(frozen=True)
class TableLayout:
    """What a game's table consists of. It is the same in all games of a number of seats."""

    suits: Sequence[Suit]
    seat_zones: Sequence[Zone]
    """What lies before every seat."""
    shared_zones: Sequence[Zone]
    """What lies in the middle."""
    period: str
    """What a game falls into: "Round"."""
    plotted: str
    """What the timeline draws of each seat: "Points"."""


@dataclass(frozen=True)
class Card:
    """A card that lies somewhere."""

    face: Face
    mark: Mark = ""
    foot: str = ""
    """What stands beneath it."""


@dataclass(frozen=True)
class Cell:
    """One of several numbers beside each other, and what it is made of."""

    number: str
    lines: Sequence[str] = ()


Pile: TypeAlias = Sequence[Card] | Sequence[Cell]


@dataclass(frozen=True)
class SeatScene:
    """What lies before a seat. Numbers that may not be seen are None."""

    points: int | None
    words: str
    """What else is to be said of it: "passed"."""
    plotted: int | None
    zones: Sequence[Pile]


@dataclass(frozen=True)
class Scene:
    """What lies on the table at one moment, as somebody sees it."""

    period: int
    seats: Sequence[SeatScene]
    shared: Sequence[Pile]
