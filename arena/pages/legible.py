"""Make words of bots legible: what would be invisible is shown, and what is too long is cut."""

from __future__ import annotations

import unicodedata
from typing import Final

MOST_MARKS: Final = 2
"""How many marks may stand on one letter; more would run into the lines above and below."""
_KEPT: Final = "\n\t"
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, marks of direction, and other characters that a reader would not see."""


def legible(text: str, most: int) -> str:
    """Return about `most` characters of a text, with invisible ones by number: ⟨U+202E⟩."""
    if len(text) <= most and text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    length = marks = 0
    for character in text:
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > MOST_MARKS or (kind in _HIDDEN and character not in _KEPT):
            shown.append(f"⟨U+{ord(character):04X}⟩")
        else:
            shown.append(character)
        length += len(shown[-1])
        if length > most:
            shown[-1] = f"… (cut; it has {len(text):,} characters)"
            break
    return "".join(shown)
