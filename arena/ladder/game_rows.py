"""Games as lists show them, which of them are looked for, and the newest ones of a long log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from arena.ladder.log_file import START
from arena.records.codec import LONGEST_LINE, read_entry
from arena.records.difference import malformed
from arena.records.entries import BlockPlayed, Contestant, Form
from arena.records.game_record import GameRecord, rotated, verdicts
from arena.records.verdicts import FINISHED

PART = 1 << 16
"""Bytes of a log that are read at a time, from its end to its beginning."""


class GameRow(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A game in a list; what is of a seat stands in the order of the seats."""

    number: int
    block: int
    rotation: int
    bots: tuple[str, ...]
    versions: tuple[str, ...]
    digests: tuple[str, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    verdicts: tuple[str, ...]
    slowest_ms: tuple[float, ...] | None = None
    """The slowest decision of each; None where times are not at hand."""


@dataclass(frozen=True)
class GameFilter:
    """Which games are looked for; None and False let all through."""

    bot: str | None = None
    verdict: str | None = None
    faults: bool = False
    seats: int | None = None
    place: int | None = None
    """The place of the bot."""

    def takes(self, game: GameRow) -> bool:
        """Whether this is one that is looked for."""
        if self.bot is not None and self.bot not in game.bots:
            return False
        if self.seats is not None and len(game.bots) != self.seats:
            return False
        pairs = zip(game.bots, game.verdicts, strict=True)
        ended = {verdict for bot, verdict in pairs if self.bot in (None, bot)}
        if self.verdict is not None and self.verdict not in ended:
            return False
        if self.faults and ended == {FINISHED}:
            return False
        if self.place is None or self.bot is None:
            return True
        return game.places[game.bots.index(self.bot)] == self.place


@dataclass(frozen=True)
class Place:
    """A place in a log file: where a line ends, and how many games there are up to it."""

    end: int
    games: int


def game_row(record: GameRecord, slowest_ms: Sequence[float] | None = None) -> GameRow:
    """Return a game as lists show it."""
    return GameRow(
        number=record.number,
        block=record.block,
        rotation=record.rotation,
        bots=tuple(bot.name for bot in record.bots),
        versions=tuple(bot.version for bot in record.bots),
        digests=tuple(bot.digest for bot in record.bots),
        scores=tuple(record.game.scores),
        places=tuple(record.game.places),
        verdicts=tuple(record.verdicts),
        slowest_ms=None if slowest_ms is None else tuple(slowest_ms),
    )


def newest_games(
    log: Path, at: Place, contestants: Sequence[Contestant], most_bytes: int
) -> Iterator[tuple[Place, list[GameRow]]]:
    """Yield the games of each block before a place of a log, the newest first.

    Each comes with the place before it, from which one can go on. It ends after so many bytes,
    but yields one block at least, if there is one.
    """
    with log.open("rb") as file:
        games = at.games
        for start, line in _lines_backwards(file, at.end):
            entry = read_entry(line[START:])
            if isinstance(entry, BlockPlayed):
                games -= len(entry.games)
                rows = _rows(entry, games, contestants)
                yield Place(start, games), rows[::-1]
                if at.end - start >= most_bytes:
                    return


def block_at(log: Path, start: int) -> BlockPlayed:
    """Return the block whose line begins at this byte of a log; raise `Difference` if none does."""
    with log.open("rb") as file:
        whole = start == 0 or (os.pread(file.fileno(), 1, start - 1) == b"\n")
        file.seek(start)
        line = file.readline(LONGEST_LINE + START + 1) if whole else b""
    if not line.endswith(b"\n"):
        raise malformed("place", str(start), "the beginning of a line")
    entry = read_entry(line[START:-1])
    if not isinstance(entry, BlockPlayed):
        raise malformed("place", str(start), "the beginning of a block's line")
    return entry


def _rows(entry: BlockPlayed, first: int, contestants: Sequence[Contestant]) -> list[GameRow]:
    found = []
    for rotation, game in enumerate(entry.games):
        bots = [contestants[number] for number in rotated(entry.contestants, rotation)]
        found.append(
            GameRow(
                number=first + rotation,
                block=entry.number,
                rotation=rotation,
                bots=tuple(bot.name for bot in bots),
                versions=tuple(bot.version for bot in bots),
                digests=tuple(bot.digest for bot in bots),
                scores=tuple(game.scores),
                places=tuple(game.places),
                verdicts=tuple(verdicts(len(bots), game.faults)),
            )
        )
    return found


def _lines_backwards(file: BinaryIO, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines before this byte and where each starts, the last first, without their ends.

    Nothing is yielded if no line ends there.
    """
    known = b""
    start = end
    while True:
        cut = known.rfind(b"\n", 0, len(known) - 1) if known else -1
        if cut >= 0:
            line, known = known[cut + 1 :], known[: cut + 1]
            yield start + cut + 1, line[:-1]
            continue
        if start == 0:
            if known.endswith(b"\n"):
                yield 0, known[:-1]
            return
        size = min(max(PART, len(known)), start)
        known = os.pread(file.fileno(), size, start - size) + known
        if start == end and not known.endswith(b"\n"):
            return
        start -= size
