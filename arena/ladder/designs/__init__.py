"""Balanced designs: groups of contestants in which all pairs meet equally often."""

from __future__ import annotations

from arena.ladder.designs.design import Round, Rounds, RoundsState

__all__ = ["Round", "Rounds", "RoundsState"]
