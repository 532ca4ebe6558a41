"""Which system this is, and what is said where it is not Linux."""

from __future__ import annotations

import sys

from arena.errors import HostError

LINUX = sys.platform.startswith("linux")
"""Whether what needs Linux can be used. A variable, so that both cases are checked by types."""
PAGE = "docs/other-machines.md"
"""The page that says how to have Linux."""


def name() -> str:
    """Return the name of the system, as its users know it."""
    return {"darwin": "macOS"}.get(sys.platform, sys.platform)


class NeedsLinux(HostError):
    """Something that only Linux has; the text says what, and what to do."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: needs Linux, and this is {name()}; {PAGE} says how to have it")
