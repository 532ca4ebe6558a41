"""Commands that start programs of the arena, wherever it is called."""

from __future__ import annotations

import sys


def own_program(module: str) -> list[str]:
    """Return the words that start a module as a program.

    It imports nothing from the folder in which it starts, where a stranger's files may lie.
    """
    return [sys.executable, "-P", "-m", module]
