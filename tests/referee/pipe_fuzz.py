"""Games with bots that mutate what they send, over real pipes: no escape, no hang, known verdicts.

Arguments: for how many seconds, and the seed. `python -m referee.pipe_fuzz 3600 1`, in tests.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from random import Random
from time import monotonic
from types import FrameType

from arena.process.placement import on_one_core
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line
from arena.records.entries import TimeControl
from arena.records.verdicts import FINISHED, MEANINGS
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchBlock, MatchGame, beginning
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.referee.verification import verify_file

from .matches import (
    CASTORS,
    GARGON,
    RANDOM,
    assert_nothing_left,
    misbehaving,
    new_mark,
)

CONTROL = TimeControl(decision=50, bank=300, start=60_000)
SEATS = 3
HONEST = 2
"""Which of the bots does nothing wrong."""
GAMES = {game.name: game for game in (CASTORS, GARGON)}
HANG_SECONDS = 300
"""Three games take seconds; a referee that takes this long waits for what never comes."""


def fuzz(seed: int) -> Iterator[Counter[str]]:
    """Play games without end; yield after every few what has been counted in them."""
    for number in count():
        mark = new_mark()
        deals = Deals.of(f"{seed} {number}".encode(), "fuzz")
        with hanging_is_an_error(), on_one_core() as core:
            counts = _play(deals, Random(f"{seed} {number}"), mark, core)
        assert_nothing_left(mark)
        yield counts


def _play(deals: Deals, chance: Random, mark: str, core: int) -> Counter[str]:
    """Play a deal in all rotations."""
    game = chance.choice((CASTORS, GARGON))
    rules = game.rules({"laps": 1} if game is CASTORS else {})
    suspend, fresh = chance.random() < 0.5, chance.random() < 0.2
    terms = Terms(game, rules, CONTROL, suspend=suspend, fresh=fresh)
    bots = [misbehaving("mutates", str(chance.randrange(1 << 32)), mark) for _ in range(SEATS - 1)]
    counts: Counter[str] = Counter()
    with Roster([*bots, RANDOM], terms, core=core) as roster:
        match = Match(roster, deals, draw_seats=True)
        for block in match.blocks(SEATS):
            for played in block.games:
                counts.update(check(played))
            check_log(terms, match, block)
    return counts


def check_log(terms: Terms, match: Match, block: MatchBlock) -> None:
    """Raise an error unless what is kept of the games can be written, and holds."""
    canonical_bytes(block.times)
    begun = beginning(
        terms,
        match.contestants,
        sandbox="none",
        held="none",
        secret=b"",
        seed=None,
        games=SEATS,
    )
    (found,) = verify_file(map(entry_line, [*begun, block.entry]), GAMES)
    assert found.games == SEATS


def check(game: MatchGame) -> Counter[str]:
    """What is counted in a game; it is an error if something is wrong with it."""
    played = game.played
    counts = Counter(games=1)
    assert len(played.verdicts) == SEATS
    for seat, verdict in enumerate(played.verdicts):
        assert verdict in MEANINGS
        if game.seating[seat] == HONEST:
            assert verdict == FINISHED, played.evidence
        else:
            counts[verdict] += 1
    for seat, micros in zip(played.deciders, played.micros, strict=True):
        counts["answers"] += micros > 0 and game.seating[seat] != HONEST
    return counts


@contextmanager
def hanging_is_an_error() -> Iterator[None]:
    """Raise `TimeoutError` within, if it takes too long."""

    def hangs(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"the referee has hung for {HANG_SECONDS} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANG_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzz_for(seconds: float, seed: int) -> Counter[str]:
    """What is counted in all games of so many seconds."""
    end = monotonic() + seconds
    total: Counter[str] = Counter()
    for counts in fuzz(seed):
        total += counts
        if monotonic() >= end:
            break
    return total


if __name__ == "__main__":
    for what, number in sorted(fuzz_for(float(sys.argv[1]), int(sys.argv[2])).items()):
        print(f"{number:9} {what}")
