"""The chain of records: each carries the hash of the one before it."""

from __future__ import annotations

from arena.records.difference import Difference
from arena.records.record import FIRST, Record, hash_of


def check_hash(record: Record) -> None:
    """Raise `Difference` unless the record's hash is that of its contents."""
    found = hash_of(record)
    if record["hash"] != found:
        raise Difference(
            "hash",
            record["hash"],
            f"{found}; something was changed that the rules do not decide, such as a bot, "
            "a note or a text",
            "its contents have",
        )


class Chain:
    """Follows a chain of records: each must be linked to the one before it."""

    def __init__(self, terms: str = FIRST) -> None:
        self._terms = self.last = terms
        self._number = -1

    def follow(self, record: Record) -> None:
        """Go on to the next record; raise `Difference` if its hash or its place is wrong."""
        check_hash(record)
        self.link(record)

    def link(self, record: Record) -> None:
        """Go on to a record whose hash was checked; raise `Difference` if its place is wrong."""
        if record["previous"] != self.last:
            raise Difference(
                "previous",
                record["previous"],
                f"{self.last}; {self._suspicion}",
                "a chain starts with" if self.last == self._terms else "the chain stands at",
            )
        if record["number"] <= self._number:
            raise Difference(
                "number",
                str(record["number"]),
                f"more than {self._number}, that of the record before",
                "expected",
            )
        self.last = record["hash"]
        self._number = record["number"]

    @property
    def _suspicion(self) -> str:
        if self.last == self._terms != FIRST:
            return "that is the hash of the terms; they were changed, or records removed"
        return "records were removed, added or moved"
