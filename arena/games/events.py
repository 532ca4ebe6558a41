"""Events: what happened in a game, and which part of it each seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Event: TypeAlias = tuple[Any, ...]
"""The event's name, then the values of all fields of its form in order, private ones included."""


@dataclass(frozen=True)
class EventForm:
    """The shape of one kind of event.

    `fields` are JSON Schemas by name, in the order in which an `Event` holds the values.
    The fields named in `private` are seen only by the seat in the event's field `seat`;
    all other fields are seen by everybody.
    """

    name: str
    summary: str
    fields: Mapping[str, dict[str, Any]]
    private: frozenset[str] = field(default=frozenset())

    def show(self, event: Event, seat: int | None) -> dict[str, Any]:
        """Return the event as a map without what this seat may not see; None sees everything."""
        shown = dict(zip(self.fields, event[1:], strict=True))
        if self.private and seat is not None and shown["seat"] != seat:
            for name in self.private:
                del shown[name]
        return {"event": self.name, **shown}

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what `show` returns."""
        return {
            "type": "object",
            "description": self.summary,
            "properties": {"event": {"const": self.name}, **self.fields},
            "required": ["event", *(name for name in self.fields if name not in self.private)],
            "additionalProperties": False,
        }
