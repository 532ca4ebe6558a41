"""What the referees of a machine say: to the host why something is not possible, and to stderr."""

from __future__ import annotations

import sys

from arena.errors import ArenaError


def in_one_line(error: Exception) -> str:
    """Return an error in one line; one that nobody expects is named by its type."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    text = " ".join(str(error).split())
    return text if isinstance(error, ArenaError | OSError) else f"{type(error).__name__}: {text}"


def say(text: str) -> None:
    """Say something to whoever looks at the machine."""
    print(f"arena worker: {text}", file=sys.stderr, flush=True)
