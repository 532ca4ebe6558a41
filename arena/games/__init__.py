"""Games: rules as pure state machines, which import nothing of the rest."""

__all__ = ["castors", "deal", "events", "game", "gargon", "illegal", "rare", "schema", "variants"]
"""The modules that other rooms use."""
