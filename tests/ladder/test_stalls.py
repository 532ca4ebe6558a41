"""Attempts: honest stalls accuse nobody, and a host who deals again for a friend is accused."""

from __future__ import annotations

from random import Random

import pytest

from arena.ladder.schedule import Schedule
from arena.ladder.stalls import Stalls

pytestmark = pytest.mark.source_only

LOGS = 1000
BLOCKS = 300
BOTS = 8


def tables(bots: int = BOTS, sizes: tuple[int, ...] = (3, 4)) -> list[tuple[int, ...]]:
    """Who sits at the tables of a ladder."""
    schedule = Schedule("test", sizes)
    schedule.enter(range(bots))
    return [tuple(schedule.next().contestants) for _ in range(BLOCKS)]


TABLES = tables()


@pytest.mark.parametrize("rate", [0.005, 0.05, 0.3])
def test_honest_stalls_accuse_nobody(rate: float) -> None:
    """In at least 99 % of 1,000 ladders of 300 blocks nobody is accused of random stalls.

    A stall hits each block with the same chance. Of 1,000 ladders each, 0, 3 and 8 accuse
    somebody where one block in 200, in 20 and in 3 is dealt anew.
    """
    random = Random(rate)
    accused = 0
    for _ in range(LOGS):
        stalls = Stalls()
        for table in TABLES:
            stalls.add_block(table, int(random.random() < rate))
        accused += stalls.excess() is not None
    assert accused <= LOGS // 100, accused


def test_hours_of_stalls_accuse_nobody() -> None:
    """Stalls that come in bursts, as of a busy host, are spread over all bots, too.

    Half of the blocks of two hours (30 blocks each) are dealt anew, up to four times, and none
    of the others. Of 1,000 ladders 0 accuse somebody.
    """
    random = Random(2)
    accused = 0
    for _ in range(LOGS):
        stalls = Stalls()
        busy = {begin + at for begin in random.sample(range(BLOCKS), 2) for at in range(30)}
        for at, table in enumerate(TABLES):
            stalls.add_block(table, random.randint(1, 4) * (at in busy and random.random() < 0.5))
        accused += stalls.excess() is not None
    assert accused <= LOGS // 100, accused


def test_larger_tables_stall_more_often() -> None:
    """Blocks of large tables take longer, which accuses nobody who sat at more of them.

    Bots 0 to 3 sit at tables of four alone, and the others at tables of two and four; where the
    large ones stall four times as often, 5 of 1,000 ladders accuse somebody.
    """
    random = Random(3)
    accused = 0
    for _ in range(LOGS):
        stalls = Stalls()
        for at in range(BLOCKS):
            table = random.sample(range(BOTS), 4) if at % 2 else random.sample(range(4, BOTS), 2)
            stalls.add_block(table, int(random.random() < (0.2 if at % 2 else 0.05)))
        accused += stalls.excess() is not None
    assert accused <= LOGS // 100, accused


@pytest.mark.parametrize("honest", [0, 0.02])
def test_who_is_dealt_to_again_whenever_he_lost_is_accused(honest: float) -> None:
    """A host rolls again whenever his friend is last in a block's first game; all are found.

    The friend is as good as all others. Beside that, no block or one in 50 stalls by chance. In
    all of 200 ladders of 300 blocks it is the friend who is accused, and nobody else.
    """
    random = Random(4)
    friend = 5
    for _ in range(200):
        stalls = Stalls()
        for table in TABLES:
            lost = friend in table and random.randrange(len(table)) == 0
            stalls.add_block(table, int(lost or random.random() < honest))
        excess = stalls.excess()
        assert excess is not None
        assert excess.contestant == friend
        assert excess.anew > excess.expected


def test_a_few_attempts_cannot_be_told_from_chance() -> None:
    """With one block dealt anew nobody could have too many, so it is not said that nobody has."""
    stalls = Stalls()
    for at, table in enumerate(TABLES):
        stalls.add_block(table, int(at == 7))
    assert stalls.excess() is None
    assert not stalls.decidable()


def test_who_sits_at_every_table_cannot_have_more_than_others() -> None:
    """Where all bots play in all blocks, attempts show nothing, however many there are."""
    stalls = Stalls()
    for at in range(BLOCKS):
        stalls.add_block((0, 1, 2), at % 2)
    assert stalls.excess() is None
    assert not stalls.decidable()


def test_many_attempts_can_be_told_from_chance() -> None:
    """With some more, an excess would be found if there were one, and it is said that none is."""
    random = Random(5)
    stalls = Stalls()
    for table in TABLES:
        stalls.add_block(table, int(random.random() < 0.1))
    assert stalls.excess() is None
    assert stalls.decidable()


def test_the_chance_is_that_of_drawing_blocks() -> None:
    """By hand: 2 of 4 blocks are dealt anew, both with the bot that has 2; 1 way of 6."""
    stalls = Stalls()
    for table, attempt in (((0, 1), 1), ((0, 2), 1), ((1, 2), 0), ((1, 2), 0)):
        stalls.add_block(table, attempt)
    assert stalls._at_least(0, 2) == pytest.approx(1 / 6)
    assert stalls._at_least(1, 2) == pytest.approx(3 / 6)


def test_a_long_log_is_counted_soon() -> None:
    """The counts of 100,000 blocks and a thousand attempts have a chance, as small ones have."""
    random = Random(6)
    stalls = Stalls()
    for at in range(100_000):
        stalls.add_block(TABLES[at % BLOCKS], int(random.random() < 0.01))
    assert stalls.excess() is None
    assert stalls.decidable()
