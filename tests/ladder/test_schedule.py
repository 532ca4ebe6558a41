"""The schedule: equal numbers of games in every seat, also for those who come later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ladder.balance import SizeBalance, balance
from arena.ladder.schedule import Pairing, Schedule
from arena.records.ledger import Field

pytestmark = pytest.mark.source_only

MIXES = ((3,), (4,), (5,), (3, 4), (3, 5), (4, 5), (3, 4, 5))


def field(block: int, contestants: Iterable[int]) -> Field:
    """These play from a block on."""
    return Field(block=block, contestants=tuple(contestants))


def until_balanced(schedule: Schedule, games: int = 1) -> list[Pairing]:
    """Blocks until so many games are played, or a few more."""
    pairings = [schedule.next()]
    while not (pairings[-1].balanced and pairings[-1].games_so_far >= games):
        pairings.append(schedule.next())
    return pairings


def fields() -> Iterator[tuple[int, tuple[int, ...]]]:
    """All numbers of contestants with all mixes of table sizes that they can fill."""
    for contestants, sizes in product(range(4, 41), MIXES):
        if max(sizes) <= contestants:
            yield contestants, sizes


def assert_even(found: SizeBalance) -> None:
    """The promise of a schedule for one table size."""
    assert found.games_each.least == found.games_each.most > 0
    assert found.games_in_seat.least == found.games_in_seat.most
    assert found.meetings.most - found.meetings.least <= 1


def test_a_ladder_that_ends_has_treated_everybody_alike() -> None:
    """From 4 to 40 contestants, at tables of 3, 4, 5 and mixes of them, soon and after a while."""
    for contestants, sizes in fields():
        for games in (1, 1500):
            schedule = Schedule("test", sizes, [field(0, range(contestants))])
            pairings = until_balanced(schedule, games)
            found = balance(pairings, range(contestants))
            assert [each.size for each in found] == list(sizes)
            for each in found:
                assert_even(each)


def test_tables_of_every_size_get_their_share() -> None:
    """Everybody plays about as many games at tables of each size."""
    for contestants in (5, 7, 12, 30):
        schedule = Schedule("test", (3, 4, 5), [field(0, range(contestants))])
        pairings = until_balanced(schedule, 400 * contestants)
        games = [each.games_each.least for each in balance(pairings, range(contestants))]
        assert max(games) - min(games) <= 0.15 * max(games)


def test_a_block_seats_everybody_everywhere_once() -> None:
    """The rotations of a block put each of its contestants into each seat."""
    pairing = Schedule("test", (4,), [field(0, range(9))]).next()
    seats = [pairing.seating(rotation) for rotation in range(4)]
    assert seats[0] == list(pairing.contestants)
    assert all(sorted(column) == sorted(seats[0]) for column in zip(*seats, strict=True))


def test_neighbours_at_the_table_change() -> None:
    """Who sits behind whom is drawn for each block, so nobody always plays after the same one."""
    schedule = Schedule("test", (4,), [field(0, range(5))])
    followers: Counter[tuple[int, int]] = Counter()
    for _ in range(200):
        seated = list(schedule.next().contestants)
        followers.update(zip(seated, seated[1:] + seated[:1], strict=True))
    assert len(followers) == 20
    assert min(followers.values()) > 20


def test_the_schedule_follows_from_name_sizes_and_entries_alone() -> None:
    """The same ladder gives the same schedule; another name gives other seats."""
    entries = [field(0, range(7)), field(9, range(8))]

    def first(name: str) -> list[Sequence[int]]:
        schedule = Schedule(name, (3, 4), entries)
        return [schedule.next().contestants for _ in range(40)]

    assert first("test") == first("test")
    assert first("test") != first("other")
    assert list(map(sorted, first("test"))) == list(map(sorted, first("other")))


@given(
    contestants=st.integers(5, 12),
    late=st.integers(1, 3),
    sizes=st.sampled_from(MIXES),
    before=st.integers(1, 60),
)
def test_late_ones_catch_up(
    contestants: int, late: int, sizes: tuple[int, ...], before: int
) -> None:
    """Whoever enters later plays until nobody is more than a block behind, then all go on."""
    everybody = range(contestants + late)
    entries = [field(0, range(contestants)), field(before, everybody)]
    schedule = Schedule("test", sizes, entries)
    pairings = [schedule.next() for _ in range(before)]
    pairings += until_balanced(schedule)
    for size in sizes:
        blocks = Counter(
            who for each in pairings if len(each.contestants) == size for who in each.contestants
        )
        counts = [blocks[who] for who in everybody]
        assert max(counts) - min(counts) <= 1


def test_late_ones_play_against_everybody() -> None:
    """Nobody is singled out as the opponent of the one who catches up."""
    schedule = Schedule("test", (3,), [field(0, range(9)), field(60, range(10))])
    pairings = [schedule.next() for _ in range(60)]
    pairings = until_balanced(schedule)
    met = Counter(who for each in pairings if 9 in each.contestants for who in each.contestants)
    del met[9]
    assert max(met.values()) - min(met.values()) <= 2


def test_a_changed_one_plays_as_often_where_all_sit_at_one_table() -> None:
    """With as many contestants as seats nobody can catch up; the new one gets as many games."""
    schedule = Schedule("test", (4,), [field(0, (0, 1, 2, 3)), field(6, (0, 1, 2, 4))])
    for _ in range(6):
        schedule.next()
    pairings = until_balanced(schedule)
    assert sum(4 in pairing.contestants for pairing in pairings) >= 6
    assert not any(3 in pairing.contestants for pairing in pairings)


def test_tables_that_cannot_be_filled_are_refused() -> None:
    """There is no table of five for four."""
    with pytest.raises(ValueError, match="tables of 5 need 5 contestants, got 4"):
        Schedule("test", (3, 5), [field(0, range(4))]).next()
