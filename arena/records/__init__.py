"""Records: games as lines of canonical JSON, with their schema, hash chain and verdicts.

Nothing here opens a file or starts a process.
"""

__all__ = ["chain", "difference", "record", "record_schema", "verdicts"]
"""The modules that other packages import."""
