"""The arena's version, and in which form it is installed."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

VERSION = version("bot-arena")


def compiled() -> bool:
    """Whether rules and referee are compiled; as Python they do the same, but slower."""
    found = find_spec("arena.games.illegal")  # one of those that `pyproject.toml` lists
    return found is not None and not str(found.origin).endswith(".py")
