"""Stores of long ladders, written in moments: `python tests/ladder/long_logs.py FOLDER GAMES`.

The games of a short ladder that was played are repeated under the numbers, tables and seats that
the schedule has. So all is as large as it would be and reads as it would, but moves and results
are not those of the bots that the log names. `verify` says so; nothing else can tell.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from itertools import cycle
from pathlib import Path

from arena.discovery import discover
from arena.ladder.log_file import NO_CHECK, checked_line
from arena.ladder.margins import scale_of
from arena.ladder.schedule import Schedule
from arena.ladder.scorebook import Scorebook, keep
from arena.ladder.store import Store
from arena.ladder.store_files import LOG
from arena.records.codec import entry_line
from arena.records.entries import BlockPlayed
from arena.records.ledger import Ledger

RATED = 2000
"""Blocks that count in the standings that are kept; rating them all would take minutes."""


def lengthen(path: Path, games: int) -> None:
    """Make the store of a ladder that was played as long as one with so many games."""
    with Store.open(path) as store:
        entries = list(store.entries())
        contest = store.contest
    played = [entry for entry in entries if isinstance(entry, BlockPlayed)]
    beginning = [entry for entry in entries if not isinstance(entry, BlockPlayed)]
    by_size = {
        size: cycle([entry for entry in played if len(entry.contestants) == size])
        for size in contest.tables
    }
    ledger, check = Ledger(), NO_CHECK
    schedule = Schedule(contest.name, contest.tables)
    with (path / LOG).open("wb") as file:
        for entry in beginning:
            line = entry_line(entry)
            check, data = checked_line(check, line)
            ledger.follow(line, entry)
            file.write(data)
        schedule.enter(ledger.playing)
        book = Scorebook(len(ledger.contestants), scale_of(discover({}).games[contest.game]))
        while ledger.games < games:
            pairing = schedule.next()
            like = next(by_size[pairing.games])
            block = BlockPlayed(
                number=pairing.block,
                key=sha256(b"%d" % pairing.block).hexdigest(),
                contestants=tuple(pairing.contestants),
                games=like.games,
            )
            line = entry_line(block)
            ledger.follow(line, block)
            check, data = checked_line(check, line)
            file.write(data)
            if pairing.block < RATED:
                book.add_block(block)
    (path / "derived").unlink(missing_ok=True)
    with Store.open(path, write=True) as store:
        book.blocks, book.games = ledger.blocks, ledger.games
        keep(store, book, schedule)


if __name__ == "__main__":
    lengthen(Path(sys.argv[1]), int(sys.argv[2]))
