"""Ladders: their definition, schedule, store, runs, ratings, standings and verification."""

__all__ = [
    "backup",
    "balance",
    "checkup",
    "claims",
    "contest",
    "definition",
    "definition_template",
    "designs",
    "export",
    "goal",
    "labels",
    "lock",
    "log_file",
    "published",
    "rating",
    "results",
    "run",
    "schedule",
    "scorebook",
    "source",
    "standings",
    "store",
    "store_files",
    "verification",
]
"""The modules that other rooms use."""
