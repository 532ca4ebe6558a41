"""Records: the log of a ladder or a match, as typed entries with one codec and one tree of hashes.

Nothing here opens a file or starts a process.
"""

__all__ = [
    "canonical",
    "codec",
    "difference",
    "entries",
    "game_record",
    "ledger",
    "stages",
    "times",
    "tree",
    "verdicts",
]
"""The modules that other packages import."""
