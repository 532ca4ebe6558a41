"""The deal stream, against its description written out once more, and against common mistakes."""

from __future__ import annotations

from collections import Counter
from hashlib import shake_256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.deal import DealStream

BLOCKS = st.integers(0, 2**64 - 1)
LABELS = st.lists(st.integers(0, 2**32 - 1), max_size=4)

GOLDEN = [8, 6, 10, 11, 5, 1, 9, 4, 3, 0, 2, 7]
GOLDEN_UNICODE = [11, 8, 0, 7, 10, 4, 9, 3, 2, 1, 5, 6]


def big(number: int, size: int = 4) -> bytes:
    """An integer in big-endian bytes."""
    return number.to_bytes(size, "big")


def by_the_book(
    size: int, secret: bytes, ladder: str, block: int, labels: list[int]
) -> tuple[list[int], int]:
    """The shuffle of 0, 1, 2 … as it is described, and how many words were passed over."""
    name = ladder.encode("utf-8")
    text = b"arena deal 1" + big(len(secret)) + secret + big(len(name)) + name + big(block, 8)
    text += big(len(labels)) + b"".join(big(label) for label in labels)
    stream = shake_256(text).digest(4 * size + 400)
    cards = list(range(size))
    at = passed_over = 0
    for i in range(size - 1, 0, -1):
        n = i + 1
        word = int.from_bytes(stream[at : at + 4], "big")
        while word >= 2**32 - 2**32 % n:
            at += 4
            passed_over += 1
            word = int.from_bytes(stream[at : at + 4], "big")
        at += 4
        cards[i], cards[word % n] = cards[word % n], cards[i]
    return cards, passed_over


def shuffled(stream: DealStream, size: int, *labels: int) -> list[int]:
    """What the stream makes of 0, 1, 2 …."""
    cards = list(range(size))
    stream.shuffle(cards, *labels)
    return cards


@given(st.integers(0, 256), st.binary(max_size=40), st.text(max_size=20), BLOCKS, LABELS)
def test_shuffles_are_as_described(
    size: int, secret: bytes, ladder: str, block: int, labels: list[int]
) -> None:
    """Whoever follows the description gets the very deals of the arena."""
    stream = DealStream(secret, ladder, block)
    assert shuffled(stream, size, *labels) == by_the_book(size, secret, ladder, block, labels)[0]


def test_golden_shuffles() -> None:
    """Deals stay what they were: old records must replay for ever."""
    stream = DealStream(b"secret", "ladder", 7)
    assert shuffled(stream, 12, 0) == GOLDEN
    assert shuffled(DealStream("geheim ü".encode(), "Größe", 2**40), 12, 3, 1) == GOLDEN_UNICODE


def test_words_that_would_bias_are_passed_over() -> None:
    """A word above the last full multiple is not used; this deal has one at its 105th card."""
    expected, passed_over = by_the_book(256, b"tests", "games", 58342, [0])
    assert passed_over == 1
    assert shuffled(DealStream(b"tests", "games", 58342), 256, 0) == expected


def test_every_part_of_the_key_matters() -> None:
    """Other secrets, ladders, blocks and labels give other deals, also where they run together."""
    deals = [
        shuffled(DealStream(secret, ladder, block), 60, *labels)
        for secret, ladder, block, labels in (
            (b"a", "bc", 1, (0,)),
            (b"ab", "c", 1, (0,)),
            (b"abc", "", 1, (0,)),
            (b"", "abc", 1, (0,)),
            (b"a", "bc", 2, (0,)),
            (b"a", "bc", 2**32 + 1, (0,)),
            (b"a", "bc", 1, ()),
            (b"a", "bc", 1, (1,)),
            (b"a", "bc", 1, (0, 0)),
            (b"a", "bc", 1, (0, 1)),
            (b"a", "bc", 1, (1, 0)),
            (b"a\0", "bc", 1, (0,)),
        )
    ]
    assert len({tuple(deal) for deal in deals}) == len(deals)


@given(BLOCKS, st.lists(LABELS, min_size=1, max_size=6))
def test_the_order_of_shuffles_does_not_matter(block: int, several: list[list[int]]) -> None:
    """A stream holds no position: labels alone decide, so copies of a state can share it."""
    stream = DealStream(b"s", "l", block)
    first = [shuffled(stream, 20, *labels) for labels in several]
    again = [shuffled(stream, 20, *labels) for labels in reversed(several)]
    assert again[::-1] == first


@given(BLOCKS, st.lists(st.integers(0, 12), max_size=70))
def test_a_shuffle_moves_places_and_looks_at_no_card(block: int, cards: list[int]) -> None:
    """The permutation depends on the number of cards only, and keeps every card."""
    stream = DealStream(b"s", "l", block)
    places = shuffled(stream, len(cards), 1)
    moved = cards[:]
    stream.shuffle(moved, 1)
    assert moved == [cards[place] for place in places]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_is_as_likely_as_any_other(size: int) -> None:
    """Over many blocks all orders of a few cards come up equally often."""
    deals = 6000
    found = Counter(
        tuple(shuffled(DealStream(b"fair", "ladder", block), size, 0)) for block in range(deals)
    )
    orders = list(permutations(range(size)))
    expected = deals / len(orders)
    assert sum((found[order] - expected) ** 2 / expected for order in orders) < 60


def test_every_card_comes_to_every_place() -> None:
    """Over many blocks each of 20 cards lies at each of 20 places equally often."""
    size, deals = 20, 4000
    found = Counter(
        (place, card)
        for block in range(deals)
        for place, card in enumerate(shuffled(DealStream(b"fair", "l", block), size, 5))
    )
    expected = deals / size
    chi_square = sum(
        (found[place, card] - expected) ** 2 / expected
        for place in range(size)
        for card in range(size)
    )
    assert chi_square < 19 * 19 + 6 * (2 * 19 * 19) ** 0.5
