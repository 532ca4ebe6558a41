"""Ladders of a month, in which versions come and go, simulated in moments.

    PYTHONPATH=tests python tests/ladder/months.py FOLDER VERSIONS PLAYING

makes the store FOLDER of a ladder that so many versions have entered, of which so many play: each
newcomer takes the place of somebody who has played his games. Results are drawn by lot, by how
good everybody is. So all is as large as it would be and reads as it would, but there are no moves,
which only `verify` tells.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from arena.cli.arguments import find_game
from arena.games.game import Game as Rules
from arena.ladder.margins import scale_of
from arena.ladder.schedule import Schedule
from arena.ladder.scorebook import Scorebook, keep
from arena.ladder.store import Store
from arena.records.codec import entry_line
from arena.records.entries import (
    FORMAT,
    BlockPlayed,
    Contest,
    Contestant,
    Entered,
    Entry,
    Game,
    Leaving,
    Opened,
    TimeControl,
)
from arena.records.game_record import rotated
from arena.records.ledger import Ledger
from arena.referee.deals import commitment

SIZE = 4
LUCK = 4.0
"""Points of the game by which a game may be off."""
SPREAD = 3.0
"""Points of the game by which versions differ."""
BLOCKS_EACH = 16
"""The blocks of a version that retires, about."""
SECRET = bytes(32)
CONTEST = Contest(
    name="month", game="castors", version="1", rules={}, tables=(SIZE,), time=TimeControl(),
    limits={}, sandbox="none", suspend=True, fresh=False,
)  # fmt: skip


@dataclass
class Month:
    """A ladder as it is simulated."""

    ledger: Ledger
    book: Scorebook
    schedule: Schedule


def simulated(versions: int, playing: int, blocks_each: int = BLOCKS_EACH) -> Month:
    """Return a ladder that so many versions have entered, of which so many play."""
    month = Month(Ledger(), Scorebook(0, scale_of(game())), Schedule(CONTEST.name, CONTEST.tables))
    opened = Opened(format=FORMAT, contest=CONTEST, commitment=commitment(SECRET))
    month.ledger.follow(entry_line(opened), opened)
    for entry in entries(month, versions, playing, blocks_each):
        month.ledger.follow(entry_line(entry), entry)
    return month


def written(path: Path, versions: int, playing: int, blocks_each: int = BLOCKS_EACH) -> Month:
    """Write the store of such a ladder."""
    with Store.create(path, CONTEST, SECRET) as store:
        month = Month(
            store.ledger,
            Scorebook(0, scale_of(game())),
            Schedule(CONTEST.name, CONTEST.tables),
        )
        for entry in entries(month, versions, playing, blocks_each):
            store.write(entry)
        store.sync()
        keep(store, month.book, month.schedule)
    return month


def entries(month: Month, versions: int, playing: int, blocks_each: int) -> Iterator[Entry]:
    """Yield the entries of a ladder after its first, and count them; the caller writes them."""
    random = Random(versions)
    skills = [random.gauss(SPREAD * number / versions, SPREAD) for number in range(versions)]
    bots = deque(
        Contestant(name=f"bot-{n % 97}", version=str(n), digest=sha256(b"%d" % n).hexdigest())
        for n in range(versions)
    )
    ledger, schedule = month.ledger, month.schedule
    yield Entered(contestants=tuple(bots.popleft() for _ in range(playing)))
    schedule.enter(ledger.playing)
    while True:
        for _ in range(max(1, blocks_each // SIZE)):
            pairing = schedule.next()
            players = pairing.contestants
            block = BlockPlayed(
                number=pairing.block,
                key=sha256(b"%d" % pairing.block).hexdigest(),
                contestants=tuple(players),
                games=tuple(_game(rotated(players, at), skills, random) for at in range(SIZE)),
            )
            yield block
            month.book.add_block(block)
        if not bots:
            return
        # Of those who have played longest one leaves, but some stay for weeks.
        leaves = sorted(ledger.playing, key=schedule.meetings.games)[-1 - random.randrange(8)]
        yield Entered(
            contestants=(bots.popleft(),),
            leave=(Leaving(contestant=leaves, kind="withdrawn", reason=""),),
        )
        schedule.enter(ledger.playing)


def _game(players: list[int], skills: list[float], random: Random) -> Game:
    scale = scale_of(game())
    assert scale is not None
    sign = -1 if scale.low_wins else 1
    scores = tuple(sign * round(random.gauss(skills[each], LUCK)) for each in players)
    places = tuple(1 + sum(sign * other > sign * own for other in scores) for own in scores)
    return Game(actions=(), scores=scores, places=places)


def game() -> Rules:
    """The game of these ladders."""
    return find_game(CONTEST.game)


if __name__ == "__main__":
    written(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
