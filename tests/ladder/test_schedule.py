"""The schedule: equal numbers of games in every seat, also for those who come later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ladder.balance import SizeBalance, balance
from arena.ladder.schedule import Pairing, Schedule, ScheduleState
from arena.records.canonical import canonical_bytes
from arena.records.entries import Budget

pytestmark = pytest.mark.source_only

MIXES = ((3,), (4,), (5,), (3, 4), (3, 5), (4, 5), (3, 4, 5))


def schedule_of(contestants: int, sizes: Sequence[int] = (3, 4, 5), name: str = "test") -> Schedule:
    """A schedule for so many who play from the first block on."""
    schedule = Schedule(name, sizes)
    schedule.enter(range(contestants))
    return schedule


def again(schedule: Schedule, sizes: Sequence[int], playing: Iterable[int]) -> Schedule:
    """The same schedule after it was saved and read, with those who play next."""
    data = canonical_bytes(schedule.state())
    found = Schedule.restored("test", sizes, msgspec.json.decode(data, type=ScheduleState))
    found.enter(sorted(playing))
    return found


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
            schedule = schedule_of(contestants, sizes)
            pairings = until_balanced(schedule, games)
            found = balance(pairings, range(contestants))
            assert [each.size for each in found] == list(sizes)
            for each in found:
                assert_even(each)


def test_tables_of_every_size_get_their_share() -> None:
    """Everybody plays about as many games at tables of each size."""
    for contestants in (5, 7, 12, 30):
        schedule = schedule_of(contestants)
        pairings = until_balanced(schedule, 400 * contestants)
        games = [each.games_each.least for each in balance(pairings, range(contestants))]
        assert max(games) - min(games) <= 0.15 * max(games)


def test_a_block_seats_everybody_everywhere_once() -> None:
    """The rotations of a block put each of its contestants into each seat."""
    pairing = schedule_of(9, (4,)).next()
    seats = [pairing.seating(rotation) for rotation in range(4)]
    assert seats[0] == list(pairing.contestants)
    assert all(sorted(column) == sorted(seats[0]) for column in zip(*seats, strict=True))


def test_neighbours_at_the_table_change() -> None:
    """Who sits behind whom is drawn for each block, so nobody always plays after the same one."""
    schedule = schedule_of(5, (4,))
    followers: Counter[tuple[int, int]] = Counter()
    for _ in range(200):
        seated = list(schedule.next().contestants)
        followers.update(zip(seated, seated[1:] + seated[:1], strict=True))
    assert len(followers) == 20
    assert min(followers.values()) > 20


def test_the_schedule_follows_from_name_sizes_and_entries_alone() -> None:
    """The same ladder gives the same schedule; another name gives other seats."""

    def first(name: str) -> list[Sequence[int]]:
        schedule = schedule_of(7, (3, 4), name)
        found = [schedule.next().contestants for _ in range(9)]
        schedule.enter(range(8))
        return found + [schedule.next().contestants for _ in range(40)]

    assert first("test") == first("test")
    assert first("test") != first("other")
    assert list(map(sorted, first("test"))) == list(map(sorted, first("other")))


def games_of(pairings: Iterable[Pairing]) -> Counter[int]:
    """The games of each contestant in these blocks."""
    found: Counter[int] = Counter()
    for pairing in pairings:
        for who in pairing.contestants:
            found[who] += pairing.games
    return found


def until_each(schedule: Schedule, each: int) -> list[Pairing]:
    """Blocks until everybody who plays has so many games."""
    pairings = []
    schedule.settle()
    while schedule.meetings.least() < each:
        pairings.append(schedule.next())
    return pairings


@pytest.mark.parametrize("sizes", [(3, 4, 5), (2, 3, 4, 5, 6)])
@pytest.mark.parametrize("contestants", [6, 10, 60, 300])
def test_a_newcomer_costs_his_own_games_and_spreads_the_others(
    contestants: int, sizes: tuple[int, ...]
) -> None:
    """All games that he adds are his own, evenly against all, and at every size as many."""
    each = 300
    schedule = schedule_of(contestants, sizes)
    before = games_of(until_balanced(schedule, games=1))
    while schedule.meetings.least() < each:
        before += games_of([schedule.next()])
    schedule.enter(range(contestants + 1))
    added = until_each(schedule, each)
    games = games_of(added)
    assert sum(pairing.games for pairing in added) == games[contestants] < each + max(sizes)
    surplus = [games[who] for who in range(contestants)]
    assert max(surplus) - min(surplus) <= 2 * sum(sizes)
    at = Counter(pairing.games for pairing in added for _ in range(pairing.games))
    assert max(at.values()) - min(at.values()) <= max(sizes)
    met = Counter(who for each in added for who in each.contestants for _ in range(each.games))
    assert max(met[who] for who in range(contestants)) <= min(surplus) + 2 * sum(sizes)


def test_newcomers_play_each_other_as_well_as_everybody() -> None:
    """Five who enter together share tables, so that each costs less than his own games."""
    schedule = schedule_of(40)
    until_each(schedule, 300)
    schedule.enter(range(45))
    added = until_each(schedule, 300)
    assert sum(pairing.games for pairing in added) < 0.9 * 5 * 300
    met = Counter(
        frozenset(pair) for each in added for pair in combinations(sorted(each.contestants), 2)
    )
    for new in range(40, 45):
        row = [met[frozenset((new, other))] for other in range(45) if other != new]
        assert min(row) > 0
        assert max(row) <= 3 * min(row) + 3


def test_a_changed_field_stays_even_when_all_have_caught_up() -> None:
    """Counts alone keep the meetings of two pairs close, for any number of contestants."""
    for contestants, sizes in product((5, 6, 7, 8, 9, 10, 13, 20, 40), ((4,), (3, 4, 5))):
        schedule = schedule_of(contestants, sizes)
        schedule.next()
        schedule.enter(range(1, contestants + 1))
        pairings = until_each(schedule, 400)
        games = games_of(pairings)
        playing = range(1, contestants + 1)
        assert max(games[who] for who in playing) <= 400 + 6 * max(sizes)
        met: Counter[frozenset[int]] = Counter()
        for pairing in pairings:
            for pair in combinations(pairing.contestants, 2):
                met[frozenset(pair)] += pairing.games
        counts = [met[frozenset(pair)] for pair in combinations(playing, 2)]
        assert max(counts) - min(counts) <= 10 * max(sizes)


def test_who_did_not_have_his_games_when_the_field_changed_gets_them() -> None:
    """Also those who were half-way, and those who entered and left and entered again."""
    schedule = schedule_of(8)
    pairings = [schedule.next() for _ in range(50)]
    schedule.enter(range(7))
    pairings += [schedule.next() for _ in range(50)]
    assert not any(7 in pairing.contestants for pairing in pairings[50:])
    schedule.enter(range(9))
    pairings += until_each(schedule, 200)
    games = games_of(pairings)
    assert all(games[who] >= 200 for who in range(9))
    assert {schedule.meetings.games(who) for who in range(9)} == set(games.values())


CHANGES = st.lists(
    st.tuples(st.integers(1, 40), st.sets(st.integers(0, 14), min_size=5)), min_size=1, max_size=6
)


@given(changes=CHANGES, sizes=st.sampled_from(MIXES), stops=st.sets(st.integers(0, 200)))
def test_a_schedule_goes_on_from_counts_wherever_it_was_left(
    changes: list[tuple[int, set[int]]], sizes: tuple[int, ...], stops: set[int]
) -> None:
    """Over any entering and leaving, restarts change nothing, nor who only follows the log."""
    whole, broken, following = schedule_of(9, sizes), schedule_of(9, sizes), schedule_of(9, sizes)
    now = set(range(9))
    for count, playing in changes:
        for _ in range(count):
            if broken.blocks in stops:
                broken = again(broken, sizes, now)
            pairing = whole.next()
            assert broken.next() == pairing
            assert following.follow(pairing.contestants) == pairing
        now = playing
        for schedule in (whole, broken, following):
            schedule.enter(sorted(playing))
    assert following.copy().next() == whole.next()


@given(changes=CHANGES, sizes=st.sampled_from(MIXES))
def test_nobody_who_has_left_plays_and_nobody_is_left_behind(
    changes: list[tuple[int, set[int]]], sizes: tuple[int, ...]
) -> None:
    """At every table sits one who had played least, and only those who play then."""
    schedule = schedule_of(9, sizes)
    games: Counter[int] = Counter()
    playing = set(range(9))
    changed = False
    for count, next_playing in changes:
        for _ in range(count):
            pairing = schedule.next()
            assert playing.issuperset(pairing.contestants)
            if changed:
                least = min(games[who] for who in playing)
                assert any(games[who] == least for who in pairing.contestants)
            games += games_of([pairing])
        changed = changed or playing != next_playing
        playing = next_playing
        schedule.enter(sorted(playing))


def test_a_field_that_came_back_before_a_block_has_not_changed() -> None:
    """What counts is who plays when the next block comes, not on which ways."""
    schedule, other = schedule_of(6), schedule_of(6)
    for number in range(30):
        if number == 9:
            other.enter(range(8))
            other.enter(range(6))
        assert schedule.next() == other.next()
    assert not other.changed


@pytest.mark.parametrize("changed", [False, True])
def test_sizes_are_played_as_the_budget_has_them(changed: bool) -> None:
    """With games for each table size, all reach them at about the same time."""
    quota: Mapping[int, int] = {3: 300, 4: 100, 5: 50}
    schedule = schedule_of(7)
    schedule.change(Budget(each_at={str(size): games for size, games in quota.items()}))
    pairings = [schedule.next()]
    if changed:
        schedule.enter(range(8))
    schedule.settle()
    while not (schedule.meetings.have(quota) and pairings[-1].balanced):
        pairings.append(schedule.next())
    for size, games in quota.items():
        each = games_of(pairing for pairing in pairings if pairing.games == size)
        assert games <= min(each[who] for who in schedule.contestants)
        assert max(each.values()) <= 1.25 * games + 3 * size


def test_looks_begin_again_when_the_field_changes_and_are_numbered_on() -> None:
    """Certainty is tested at doubling distances; the number, which pays for it, never goes back."""
    schedule = schedule_of(4, (3,))
    looks = [(pairing.block, pairing.look) for _ in range(200) if (pairing := schedule.next()).look]
    numbers = [look for _, look in looks]
    assert numbers == list(range(1, len(looks) + 1))
    assert all(later >= 1.9 * sooner for (sooner, _), (later, _) in pairwise(looks))
    schedule.enter(range(5))
    later = [(pairing.block, pairing.look) for _ in range(100) if (pairing := schedule.next()).look]
    assert [block - 199 for block, _ in later] == [20, 40, 80]
    assert [look for _, look in later] == [len(looks) + 1, len(looks) + 2, len(looks) + 3]


def test_a_hundred_thousand_games_are_scheduled_at_once() -> None:
    """Sixty contestants, a change of the field half-way: as many blocks, and every seat filled."""
    schedule = schedule_of(60)
    while schedule.games < 50_000:
        schedule.next()
    schedule.enter(range(1, 61))
    while schedule.games < 100_000:
        schedule.next()
    assert 100_000 <= schedule.games < 100_005
    assert len(schedule.contestants) == 60


def test_tables_that_cannot_be_filled_are_not_played() -> None:
    """There is no table of five for four; there is one again when a fifth has entered."""
    schedule = schedule_of(4, (3, 5))
    assert {schedule.next().games for _ in range(20)} == {3}
    schedule.enter(range(5))
    assert {schedule.next().games for _ in range(20)} == {3, 5}
