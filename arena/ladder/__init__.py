"""Ladders: their definition, schedule, store, runs, ratings, standings and verification."""

__all__ = [
    "balance",
    "definition",
    "definition_template",
    "designs",
    "export",
    "goal",
    "labels",
    "ladder",
    "lock",
    "rating",
    "results",
    "run",
    "schedule",
    "scorebook",
    "source",
    "standings",
    "store",
    "verification",
]
"""The modules that other rooms use."""
