"""Boards: the standings of each ladder as a part of a page, made once for all who look at it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import Final

from arena.ladder.overview import Overview
from arena.pages.axis import Axis, tick_name
from arena.site.play.known_bots import KnownBots
from arena.site.play.ladders import Ladder, Ladders
from arena.site.web.templates import fragment

FRESH: Final = 1.0
"""Seconds for which nobody asks again who wrote which bot."""


@dataclass(frozen=True)
class Board:
    """The standings of a ladder as they are shown to everybody."""

    html: str
    identity: str
    """What its content is told apart by."""
    overview: Overview | None
    """None while the ladder has not begun."""

    @property
    def closed(self) -> bool:
        """Whether it will never change."""
        return self.overview is not None and self.overview.closed is not None


@dataclass(frozen=True)
class _Beside:
    """What a board shows besides the overview."""

    authors: Mapping[str, str]
    """By the digests of their bots."""
    paused: bool
    """Whether the host has paused the ladder."""


@dataclass
class _Kept:
    """The last board of a ladder."""

    board: Board | None = None
    beside: _Beside | None = None
    until: float = 0.0
    busy: Lock = field(default_factory=Lock)


class Boards:
    """Makes boards, in whichever thread asks for one; others wait and have the same."""

    def __init__(self, ladders: Ladders, known_bots: KnownBots) -> None:
        self._ladders = ladders
        self._known_bots = known_bots
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()

    def of(self, ladder: Ladder) -> Board:
        """Return the board of a ladder."""
        overview = self._ladders.overview(ladder)
        with self._lock:
            kept = self._kept.setdefault(ladder.name, _Kept())
        with kept.busy:
            board, now = kept.board, time.monotonic()
            same = board is not None and board.overview is overview
            if board is not None and same and now < kept.until:
                return board
            beside = self._beside(ladder)
            kept.until = now + FRESH
            if board is not None and same and beside == kept.beside:
                return board
            kept.board, kept.beside = _board(ladder, overview, beside), beside
            return kept.board

    def _beside(self, ladder: Ladder) -> _Beside:
        state = self._ladders.log(ladder)
        paused = state is not None and state.paused
        return _Beside(self._known_bots.authors(ladder), paused)


def _board(ladder: Ladder, overview: Overview | None, beside: _Beside) -> Board:
    rows = overview.standings if overview else ()
    html = fragment(
        "board.html",
        ladder=ladder,
        overview=overview,
        axis=Axis.of((row.skill_low, row.skill_high) for row in rows if row.games),
        tick_name=tick_name,
        authors=beside.authors,
        paused=beside.paused,
    )
    return Board(html, sha256(html.encode()).hexdigest()[:16], overview)
