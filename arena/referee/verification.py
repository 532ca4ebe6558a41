"""Verification: replay records under the rules, and follow their chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from arena.games.game import Game, Shuffler
from arena.records.chain import Chain
from arena.records.difference import Difference
from arena.records.record import Record
from arena.records.record_schema import read_record
from arena.records.verdicts import FINISHED
from arena.referee.replay import Replay, game_of
from arena.referee.table import places
from arena.wording import brief


def verify_records(lines: Iterable[bytes], games: Mapping[str, Game]) -> Iterator[Record]:
    """Yield each record once it is verified; raise the first `Difference`, with its place.

    A chain cannot tell whether records were cut off at its end: for that, compare the hash
    of the last one with one that was published.
    """
    chain = Chain()
    for line, data in enumerate(lines, 1):
        record = None
        try:
            record = read_record(data)
            check_record(record, games)
            chain.follow(record)
        except Difference as difference:
            difference.line = line
            if record is not None:
                difference.number = record["number"]
            raise
        yield record


def check_record(record: Record, games: Mapping[str, Game], stream: Shuffler | None = None) -> None:
    """Raise `Difference` unless the rules, and `stream` if given, lead to what the record says."""
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
