"""What the names of games, bots and plugins look like."""

from __future__ import annotations

import re

_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
LONGEST = 64


def check_name(what: str, name: object) -> str:
    """The name, or `ValueError` with what is wrong with it."""
    if isinstance(name, str) and len(name) <= LONGEST and _NAME.fullmatch(name):
        return name
    raise ValueError(
        f"{what}: expected a name of lower-case letters and digits, joined by '-', '_' or '.', "
        f"at most {LONGEST} characters, got {name!r}"
    )


def name_like(text: str) -> str:
    """A name that is as much like this text as names can be."""
    name = re.sub(r"[^a-z0-9]+", lambda m: m[0] if m[0] in "-_." else "-", text.lower())
    return name[:LONGEST].strip("-_.") or "bot"
