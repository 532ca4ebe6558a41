"""Balanced designs: which groups of contestants meet, so that everybody meets everybody."""

from __future__ import annotations

from arena.ladder.designs.design import Round, rounds

__all__ = ["Round", "rounds"]
