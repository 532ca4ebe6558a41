"""Records: games as lines of canonical JSON, their schema, their chain, their verdicts. Pure."""

__all__ = ["chain", "difference", "record", "record_schema", "verdicts"]
"""The modules that other rooms use."""
