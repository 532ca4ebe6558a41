"""The referee: one game between programs, its clocks and verdicts, and its record."""

__all__ = [
    "attempts",
    "clock",
    "deals",
    "faults",
    "game_record",
    "match",
    "observer",
    "player",
    "recording",
    "replay",
    "roster",
    "sights",
    "table",
    "terms",
    "verification",
]
"""The modules that other packages import."""
