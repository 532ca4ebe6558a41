"""The forms of the programs' interface for the games of a ladder."""

from __future__ import annotations

from arena.ladder.game_rows import GameRow
from arena.records.entries import Form


class GameList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Games of a part of a log, the newest first."""

    ladder: str
    games: tuple[GameRow, ...]
    """There may be none although there is a next part, if one looks for some alone."""
    next: str | None
    """With this as `before` one gets those before; null if there are none."""
