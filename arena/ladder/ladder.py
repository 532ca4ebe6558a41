"""A ladder's terms: they are fixed when it begins, and published with its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arena.games.game import Rules
from arena.records.record import canonical
from arena.referee.clock import TimeControl
from arena.sandbox.limits import Limits


@dataclass(frozen=True)
class Ladder:
    """The terms of a ladder, which cannot change; other terms need another store."""

    name: str
    game: str
    version: str
    rules: Rules
    tables: tuple[int, ...]
    control: TimeControl
    sandbox: str
    limits: Limits
    suspend: bool
    fresh: bool
    seed: str | None
    """The public seed of a practice ladder's deals; None if a secret is drawn."""
    anchor: str | None
    """The bot whose mu is shown as 25, so that ladders can be compared; else the mean is 25."""

    def as_map(self) -> dict[str, Any]:
        """Return the terms as stores and exports have them."""
        return {
            "name": self.name,
            "game": self.game,
            "version": self.version,
            "rules": self.rules,
            "tables": list(self.tables),
            "time": self.control.as_map(),
            "sandbox": self.sandbox,
            "limits": self.limits.as_map(),
            "suspend": self.suspend,
            "fresh": self.fresh,
            "seed": self.seed,
            "anchor": self.anchor,
        }

    @classmethod
    def from_map(cls, values: Mapping[str, Any]) -> Ladder:
        """Return the ladder with these terms from a store or an export."""
        return cls(
            name=values["name"],
            game=values["game"],
            version=values["version"],
            rules=values["rules"],
            tables=tuple(values["tables"]),
            control=TimeControl(**values["time"]),
            sandbox=values["sandbox"],
            limits=Limits(**values["limits"]),
            suspend=values["suspend"],
            fresh=values["fresh"],
            seed=values["seed"],
            anchor=values["anchor"],
        )

    @property
    def hash(self) -> str:
        """The hash to which the first record is chained, so that the chain covers the terms."""
        return sha256(canonical(self.as_map()).encode()).hexdigest()

    def changes(self, other: Ladder) -> list[str]:
        """Return the differences to another ladder's terms, one text each."""
        mine, others = self.as_map(), other.as_map()
        return [
            f"{key}: {canonical(mine[key])} before, {canonical(others[key])} now"
            for key in mine
            if mine[key] != others[key]
        ]


def published(secret: bytes) -> str:
    """Return the hash that is published before the secret is revealed."""
    return sha256(secret).hexdigest()
