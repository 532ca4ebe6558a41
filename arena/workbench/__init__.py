"""The workbench: what an author asks of his bot, first of all whether it has become better."""

__all__ = [
    "comparison",
    "conclusion",
    "designs",
    "evidence",
    "journal",
    "placings",
    "revisions",
    "scores",
]
"""The modules that other rooms use."""
