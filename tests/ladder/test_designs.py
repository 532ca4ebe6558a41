"""Designs: all play equally often, and meet equally often, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, islice
from math import comb

import pytest

from arena.ladder.designs import Round, Rounds

pytestmark = pytest.mark.source_only

SIZES = (2, 3, 4, 5, 6)
LONGEST_GAP = {3: 400, 4: 1000, 5: 800}
"""For how many games at most the pairs may be out of balance, by table size."""


def played(points: int, size: int, count: int) -> list[Round]:
    """The first rounds."""
    return list(islice(rounds(points, size), count))


def rounds(points: int, size: int) -> Iterator[Round]:
    """The rounds without end."""
    found = Rounds(points, size)
    while True:
        yield found.next()


def meetings(points: int, groups: list[list[int]]) -> list[int]:
    """How often each pair has met."""
    met = Counter(frozenset(pair) for group in groups for pair in combinations(group, 2))
    return [met[frozenset(pair)] for pair in combinations(range(points), 2)]


@pytest.mark.parametrize("size", SIZES)
def test_every_round_treats_everybody_alike(size: int) -> None:
    """After any round each contestant has played equally often; groups have no one twice."""
    for points in range(size, 41):
        seats: Counter[int] = Counter()
        for found in played(points, size, 30):
            for group in found.groups:
                assert len(set(group)) == size
                seats.update(group)
            assert len(seats) == points
            assert len(set(seats.values())) == 1


@pytest.mark.parametrize("size", SIZES)
def test_a_balanced_round_leaves_all_pairs_within_one_meeting(size: int) -> None:
    """A round says that it is balanced exactly if no pair has met twice more than another."""
    for points in range(size, 41):
        groups: list[list[int]] = []
        for found in played(points, size, 30):
            groups += [list(group) for group in found.groups]
            counts = meetings(points, groups)
            assert found.balanced == (max(counts) - min(counts) <= 1)


@pytest.mark.parametrize("size", LONGEST_GAP)
def test_balance_is_never_far_away(size: int) -> None:
    """From 4 to 40 contestants, a ladder need not play long to end in balance."""
    for points in range(max(4, size), 41):
        gap = longest = 0
        for found in played(points, size, 60):
            gap = 0 if found.balanced else gap + size * len(found.groups)
            longest = max(longest, gap)
        assert longest <= LONGEST_GAP[size]


@pytest.mark.parametrize(
    ("points", "size", "groups"),
    [
        (7, 3, 7),  # Fano's plane
        (9, 3, 12),  # the affine plane of order 3
        (13, 3, 26),
        (15, 3, 35),
        (19, 3, 57),
        (13, 4, 13),  # the projective plane of order 3
        (16, 4, 20),  # the affine plane of order 4
        (25, 4, 50),
        (37, 4, 111),
        (40, 4, 130),
        (11, 5, 11),  # the biplane
        (21, 5, 21),  # the projective plane of order 4
        (25, 5, 30),  # the affine plane of order 5
    ],
)
def test_perfect_designs_are_used_where_they_are_known(points: int, size: int, groups: int) -> None:
    """With so few groups everybody has met everybody equally often, and with no fewer."""
    listed: list[list[int]] = []
    for found in rounds(points, size):
        listed += [list(group) for group in found.groups]
        if len(set(meetings(points, listed))) == 1:
            break
    assert len(listed) == groups
    assert len(listed) * comb(size, 2) % comb(points, 2) == 0


def test_large_fields_are_balanced_too() -> None:
    """Beyond the known designs the meetings of two pairs differ by two at most, nearly always."""
    for points, size in ((53, 3), (64, 4), (41, 5), (100, 2), (101, 6)):
        groups: list[list[int]] = []
        for found in played(points, size, 12):
            groups += [list(group) for group in found.groups]
            counts = meetings(points, groups)
            assert found.balanced == (max(counts) - min(counts) <= 2)
            assert found.balanced
            assert len(set(Counter(chain.from_iterable(groups)).values())) == 1


@pytest.mark.parametrize(("points", "size"), [(7, 3), (10, 2), (12, 5), (60, 4)])
def test_rounds_go_on_from_where_they_stood(points: int, size: int) -> None:
    """A sequence that is taken up again is the one that was never left, at any round."""
    whole = played(points, size, 40)
    rounds_ = Rounds(points, size)
    for expected in whole:
        assert rounds_.next() == expected
        rounds_ = Rounds(points, size, rounds_.state())
