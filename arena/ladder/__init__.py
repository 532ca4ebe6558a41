"""Ladders: their definition, schedule, store, runs, ratings, standings and verification."""

__all__ = [
    "balance",
    "claims",
    "contest",
    "definition",
    "definition_template",
    "designs",
    "export",
    "goal",
    "labels",
    "lock",
    "published",
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
