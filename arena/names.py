"""What the names of games, bots and plugins look like."""

from __future__ import annotations

import re

NAME = "[a-z0-9]+(?:[-_.][a-z0-9]+)*"
"""A pattern of names."""
LONGEST = 64

_NAME = re.compile(NAME)


def check_name(what: str, name: object) -> str:
    """Return the name; raise `ValueError` with what is wrong if it is not a valid one."""
    if isinstance(name, str) and len(name) <= LONGEST and _NAME.fullmatch(name):
        return name
    raise ValueError(
        f"{what}: expected a name of lower-case letters and digits, joined by '-', '_' or '.', "
        f"at most {LONGEST} characters, got {name!r}"
    )


def name_like(text: str) -> str:
    """Return a valid name that is as close as possible to this text."""
    name = re.sub(r"[^a-z0-9]+", lambda m: m[0] if m[0] in "-_." else "-", text.lower())
    return name[:LONGEST].strip("-_.") or "bot"
