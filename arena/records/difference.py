"""The first place where a record and the rules disagree."""

from __future__ import annotations

from arena.errors import ArenaError


class Difference(ArenaError):
    """A place at which a log does not say what it should.

    `place` is a path into an entry or a game (`scores`, `actions[12]`). `says` is what the log has
    there. `wanted` is what the rules say, or, with another `by`, what the format or the secret
    requires. `line`, `number` (of the game) and `decision` are filled in by the code that
    reads the records, as only it knows them.
    """

    def __init__(self, place: str, says: str, wanted: str, by: str = "the rules say") -> None:
        super().__init__(place, says, wanted)
        self.place = place
        self.says = says
        self.wanted = wanted
        self.by = by
        self.line: int | None = None
        self.number: int | None = None
        self.decision: int | None = None

    def __str__(self) -> str:
        where = [
            f"{name} {value}"
            for name, value in (
                ("line", self.line),
                ("game", self.number),
                ("decision", self.decision),
            )
            if value is not None
        ]
        text = f"{self.place}: the record says {self.says}; {self.by} {self.wanted}"
        return f"{', '.join(where)}: {text}" if where else text

    def as_map(self) -> dict[str, int | str | None]:
        """Return the difference as a map, for JSON."""
        return {
            "line": self.line,
            "game": self.number,
            "decision": self.decision,
            "place": self.place,
            "record": self.says,
            "rules": self.wanted,
            "text": str(self),
        }


def malformed(place: str, says: str, wanted: str) -> Difference:
    """Return a difference between a record and the format of records."""
    return Difference(place, says, wanted, "expected")
