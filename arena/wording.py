"""Format values for messages of one line."""

from __future__ import annotations


def brief(value: object, limit: int = 60, levels: int = 3) -> str:
    """Return a value as text for a message: one line, cut short, like JSON where possible."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = '"' + "".join(c if c.isprintable() else "?" for c in value[:limit]) + '"'
    elif isinstance(value, list | tuple):
        shown = [brief(item, 20, levels - 1) for item in value[:8]] if levels else []
        text = "[" + ", ".join(shown + ["..."] * (len(value) > len(shown))) + "]"
    elif isinstance(value, bytes):
        text = f"{len(value)} bytes"
    elif isinstance(value, dict):
        text = f"a map of {len(value)}"
    elif isinstance(value, int) and abs(value) >= 1 << 64:
        text = f"an integer of {value.bit_length()} bits"
    else:
        text = str(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def short(word: str, limit: int = 60) -> str:
    """Return a word, such as a key, as it is: on one line, cut short."""
    shown = "".join(c if c.isprintable() else "?" for c in word[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, such as `1 game` or `3 games`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
