"""Patterns of files: `*`, `?` and `[...]` within a name, and `**` for any directories."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import TypeAlias

ANY = "**"
LONGEST = 1024
"""The most characters of a pattern."""
_ESCAPED = re.compile(r"\[([*?[])\]")
"""Matches a sign that stands for itself, as `glob.escape` writes it."""
_MAGIC = re.compile(r"[*?[]")
_Fits: TypeAlias = Callable[[str], object]


class WrongPattern(ValueError):
    """A text that is no pattern; the text says what was expected."""


@dataclass(frozen=True)
class Pattern:
    """A pattern, split at its only `**`, if it has one."""

    text: str
    head: tuple[str, ...]
    tail: tuple[str, ...] | None
    """What comes after the `**`; None if there is none."""

    def matches(self, parts: tuple[str, ...]) -> bool:
        """Whether the pattern matches the file with this path."""
        if self.tail is None:
            return len(parts) == len(self.head) and _all_fit(self.head, parts)
        if not self.tail or len(parts) < len(self.head) + len(self.tail):
            return False  # a pattern that ends with ** means directories
        return _all_fit(self.head, parts) and _all_fit(self.tail, parts[-len(self.tail) :])

    def may_be_below(self, directory: tuple[str, ...]) -> bool:
        """Whether the pattern can match something in this directory or below it."""
        if self.tail is None and len(directory) >= len(self.head):
            return False
        return _all_fit(self.head, directory)

    def literal_at(self, depth: int) -> str | None:
        """Return the only name that can match at this depth; None if there may be several."""
        return _literal(self.head[depth]) if depth < len(self.head) else None


def read_pattern(text: str) -> Pattern:
    """Return the pattern that this text is; raise `WrongPattern`."""
    parts = tuple(part for part in text.split("/") if part not in ("", "."))
    if not parts or text.startswith("/") or ".." in parts or "\0" in text or len(text) > LONGEST:
        raise WrongPattern("a pattern of files in the bot's folder")
    if any(ANY in part != ANY for part in parts):
        raise WrongPattern("a glob pattern in which ** stands alone")
    if parts.count(ANY) > 1:
        raise WrongPattern("a glob pattern with one ** at most")
    if text.endswith("/"):
        parts = (*parts, "")  # which no file is called
    if ANY not in parts:
        return Pattern(text, parts, None)
    at = parts.index(ANY)
    return Pattern(text, parts[:at], parts[at + 1 :])


def _all_fit(patterns: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Whether the names fit the patterns one by one, up to the end of the shorter of both."""
    return all(
        _fits(pattern)(name) is not None for pattern, name in zip(patterns, names, strict=False)
    )


@lru_cache(1024)
def _fits(pattern: str) -> _Fits:
    return re.compile(translate(pattern)).match


@lru_cache(1024)
def _literal(pattern: str) -> str | None:
    name = _ESCAPED.sub(r"\1", pattern)
    return name if _MAGIC.search(_ESCAPED.sub("", pattern)) is None else None


EVERYTHING = (read_pattern("**/*"),)
