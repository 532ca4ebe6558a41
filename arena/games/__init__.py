"""Games: rules as pure state machines. They import no other package of the arena."""

__all__ = [
    "castors",
    "deal",
    "events",
    "game",
    "gargon",
    "illegal",
    "rare",
    "schema",
    "score_parts",
    "table",
    "telling",
    "variants",
]
"""The modules that other packages import."""
