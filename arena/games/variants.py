"""Variants: the options of a game's rules, with their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.wording import brief


@dataclass(frozen=True)
class Variant:
    """One option. `kind` is bool, int or list (of integers); `low` and `high` bound integers."""

    name: str
    kind: type
    default: Any
    summary: str
    low: int = 0
    high: int = 1
    length: int = 0

    @property
    def expected(self) -> str:
        """What a value must be, for messages and help."""
        if self.kind is bool:
            return "true or false"
        if self.kind is int:
            return f"an integer from {self.low} to {self.high}"
        return f"{self.length} integers from {self.low} to {self.high}"

    @property
    def unusual(self) -> Any:
        """An uncommon value: for bool the one that is not the default, else the lowest possible."""
        if self.kind is bool:
            return not self.default
        usual = self.default if self.kind is list else [self.default]
        value = self.high if all(each == self.low for each in usual) else self.low
        return [value] * self.length if self.kind is list else value

    @property
    def schema(self) -> dict[str, Any]:
        """The option as JSON Schema."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        shape: dict[str, Any]
        if self.kind is bool:
            shape = {"type": "boolean"}
        elif self.kind is int:
            shape = number
        else:
            size = {"minItems": self.length, "maxItems": self.length}
            shape = {"type": "array", "items": number, **size}
        return {**shape, "default": self.default, "description": self.summary}

    def accept(self, value: object) -> Any:
        """Return the value in its own type, parsed if it is text; raise `ValueError` if wrong."""
        read = self._read(value) if isinstance(value, str) else value
        if isinstance(read, list | tuple):
            read = list(read)  # never the default itself, which the caller might change
        if type(read) is self.kind and self._fits(read):
            return read
        raise ValueError(f"expected {self.expected}, got {brief(value)}")

    def _read(self, text: str) -> object:
        if self.kind is bool:
            return {"true": True, "false": False}.get(text.strip().lower())
        try:
            numbers = [int(word) for word in text.replace(",", " ").split()]
        except ValueError:
            return None
        if self.kind is list:
            return numbers
        return numbers[0] if len(numbers) == 1 else None

    def _fits(self, value: Any) -> bool:
        if self.kind is bool:
            return True
        numbers = value if self.kind is list else [value]
        whole = all(type(number) is int and self.low <= number <= self.high for number in numbers)
        return whole and (self.kind is not list or len(numbers) == self.length)


def settle(game: str, variants: Sequence[Variant], options: Mapping[str, object]) -> dict[str, Any]:
    """Return all rules of a game: the given options, checked, and the others by default."""
    known = {variant.name: variant for variant in variants}
    for name in options:
        if name not in known:
            names = ", ".join(known) or "none"
            raise ValueError(f"{game}: unknown rule {brief(name)}; its rules are: {names}")
    rules = {}
    for name, variant in known.items():
        try:
            rules[name] = variant.accept(options.get(name, variant.default))
        except ValueError as error:
            raise ValueError(f"{game}: rule {name!r}: {error}") from None
    return rules
