"""The arena's version, and whether it is installed in compiled form."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

VERSION = version("bot-arena")


def compiled() -> bool:
    """Whether rules and referee are compiled; uncompiled they do the same, but slower."""
    found = find_spec("arena.games.illegal")  # one of the compiled modules in `pyproject.toml`
    return found is not None and not str(found.origin).endswith(".py")
