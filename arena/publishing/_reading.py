"""A ladder as it is read to be published: what its log says, and all that is derived from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from arena.games.game import Game
from arena.ladder.margins import scale_of
from arena.ladder.scorebook import Scorebook, scorebook
from arena.ladder.source import Source, StoreSource
from arena.records.entries import BlockPlayed, Contestant, Entered, Leaving, StageEnded
from arena.records.ledger import Ledger, follow_lines


@dataclass(frozen=True)
class Passage:
    """When a contestant entered or left."""

    entry: int
    block: int
    contestant: int
    enters: bool
    reason: str


@dataclass(frozen=True)
class LadderReading:
    """A ladder up to one entry of its log."""

    source: Source
    game: Game
    ledger: Ledger
    book: Scorebook
    passages: Sequence[Passage]
    roots: Mapping[int, str]
    """Roots of the log, by the sizes that were asked for."""
    written: datetime
    """When the log was last written to."""
    log_bytes: int
    """The size of the log as it is exported."""

    @property
    def contestants(self) -> Sequence[Contestant]:
        """All that ever entered."""
        return self.ledger.contestants


def read_ladder(source: Source, game: Game, size: int = 0) -> LadderReading:
    """Read a ladder; of the log's first entries of this size the root is kept."""
    written = datetime.fromtimestamp(int(source.log.stat().st_mtime), UTC)
    ledger = Ledger()
    passages: list[Passage] = []
    roots: dict[int, str] = {}
    log_bytes = 0

    def lines() -> Iterator[bytes]:
        nonlocal log_bytes
        for line in source.lines():
            log_bytes += len(line) + 1
            yield line

    for entry in follow_lines(lines(), ledger):
        if isinstance(entry, Entered):
            passages += _passages(entry, ledger)
        elif isinstance(entry, StageEnded):
            passages += _not_qualified(entry, ledger)
        if ledger.tree.size == size:
            roots[size] = ledger.root
    if isinstance(source, StoreSource):
        book = scorebook(source.store, game)
    else:
        book = _book(source, ledger, game)
    return LadderReading(source, game, ledger, book, passages, roots, written, log_bytes)


def _book(source: Source, ledger: Ledger, game: Game) -> Scorebook:
    """Count the blocks of a log."""
    book = Scorebook(len(ledger.contestants), scale_of(game))
    for entry in follow_lines(source.lines(), Ledger()):
        if not isinstance(entry, BlockPlayed):
            continue
        if entry.number in ledger.annulled:
            book.leave_out()
        else:
            book.add_block(entry, stage=ledger.stages.of(entry.number))
    return book


def _why(leaving: Leaving) -> str:
    """Return in words why somebody leaves."""
    told = ("set-aside", "disqualified")
    return f"{leaving.kind}: {leaving.reason}" if leaving.kind in told else leaving.reason


def _not_qualified(entry: StageEnded, ledger: Ledger) -> list[Passage]:
    at, block = ledger.tree.size - 1, ledger.blocks
    following = ledger.stages.current
    if following is None:
        return []
    placed = [number for place in entry.places for number in place]
    reason = f"not qualified for {following.name}"
    return [
        Passage(at, block, number, False, reason)
        for number in placed
        if number not in entry.qualified
    ]


def _passages(entry: Entered, ledger: Ledger) -> list[Passage]:
    numbers = {each.digest: number for number, each in enumerate(ledger.contestants)}
    at, block = ledger.tree.size - 1, ledger.blocks
    return [
        *(Passage(at, block, each.contestant, False, _why(each)) for each in entry.leave),
        *(Passage(at, block, numbers[each.digest], True, "") for each in entry.contestants),
    ]
