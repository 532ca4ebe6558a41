"""Verification: records played again under the rules, and their chain followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from arena.games.game import Game, Shuffler
from arena.games.illegal import brief
from arena.referee.difference import Difference
from arena.referee.faults import FINISHED
from arena.referee.form import read
from arena.referee.record import FIRST, Record, hash_of
from arena.referee.replay import Replay, game_of
from arena.referee.table import places


def verify(lines: Iterable[bytes], games: Mapping[str, Game]) -> Iterator[Record]:
    """Each record as soon as it is verified; `Difference`, with its place, at the first fault.

    A chain cannot tell whether records were cut off at its end: for that, compare the hash
    of the last one with one that was published.
    """
    chain = Chain()
    for line, data in enumerate(lines, 1):
        record = None
        try:
            record = read(data)
            check(record, games)
            chain.follow(record)
        except Difference as difference:
            difference.line = line
            if record is not None:
                difference.number = record["number"]
            raise
        yield record


def check(record: Record, games: Mapping[str, Game], stream: Shuffler | None = None) -> None:
    """`Difference` unless the rules, and the deal if it is known, lead to what the record says."""
    game = game_of(record, games)
    replay = Replay(record, game, stream)
    for _ in replay.steps():
        pass
    faults = replay.faults
    scores = replay.state.scores()
    verdicts = [FINISHED] * len(scores)
    for fault in faults:
        verdicts[fault.seat] = fault.verdict
    for key, found in (
        ("scores", scores),
        ("places", places(game, scores, faults)),
        ("verdicts", verdicts),
    ):
        if record[key] != found:
            raise Difference(key, brief(record[key]), brief(found))


def check_hash(record: Record) -> None:
    """`Difference` unless the record's hash is that of its contents."""
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
    """The end of a chain of records, to which the next one must be linked."""

    def __init__(self, terms: str = FIRST) -> None:
        self._terms = self.last = terms
        self._number = -1

    def follow(self, record: Record) -> None:
        """Go on to the next record; `Difference` if its hash or its place is wrong."""
        check_hash(record)
        self.link(record)

    def link(self, record: Record) -> None:
        """Go on to a record whose hash was checked; `Difference` if its place is wrong."""
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
