"""The deal stream, against its description written out once more, and against common mistakes."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena.games
from arena.games.deal import WORD, DealStream, derived_key
from reference.deal import SlowDealStream, slow_key

KEYS = st.binary(min_size=32, max_size=32)
LABELS = st.lists(st.integers(0, 2**32 - 1), max_size=4)
PARTS = st.lists(st.binary(max_size=40) | st.text(max_size=20) | st.integers(0, 2**64 - 1))

SECRET = "00112233445566778899aabbccddeeff"
GOLDEN_KEYS = {
    (
        "arena epoch 2",
        bytes.fromhex(SECRET),
        "friday",
        bytes(32),
    ): "71c16e179475dd139fb8f06aba621b487ffd8dbabd86b43a758a6fbf23dfb94b",
    (
        "arena block 2",
        bytes(range(32)),
        7,
    ): "8bb05f3204b295395a8dd00d1795833b11126adbd63003083c6f2ca6896724c8",
    (
        "arena attempt 2",
        bytes(range(32)),
        0,
    ): "df20277e68570a3923a521eb1179bdf803924aa5f8adc221785ea9df17882f38",
    (
        "arena seed 2",
        bytes(range(32)),
        2,
        3,
    ): "a158c1f2169b0ea1e21ce346713e5b5b3daf3d0c8dbb7013befaa7e7431ea30b",
    (
        "arena stream 2",
        "Größe",
        2**40,
    ): "74922c0dfb5bcd4db6d27a2530e1eafa78784ce2b669c582a9daa8984dddd3b9",
}
GOLDEN_SHUFFLES: dict[tuple[int, ...], list[int]] = {
    (): [9, 6, 2, 7, 0, 4, 10, 5, 3, 8, 11, 1],
    (0,): [5, 8, 9, 4, 7, 1, 3, 2, 11, 10, 6, 0],
    (3, 1): [2, 11, 1, 3, 9, 7, 4, 10, 6, 0, 5, 8],
}
"""Of twelve cards, with the key 00 01 02 … 1f."""
KEY = bytes(range(32))
PASSED_OVER = 6172
"""A number whose SHA-256 is a key with such a word, at the 246th card."""


def shuffled(stream: DealStream | SlowDealStream, size: int, *labels: int) -> list[int]:
    """What the stream makes of 0, 1, 2 …."""
    cards = list(range(size))
    stream.shuffle(cards, *labels)
    return cards


def of(*parts: bytes | str | int) -> DealStream:
    """A stream of its own for each block of these tests."""
    return DealStream.of(*parts)


@given(st.integers(0, 256), KEYS, LABELS)
def test_shuffles_are_as_described(size: int, key: bytes, labels: list[int]) -> None:
    """Whoever follows the description gets the very deals of the arena."""
    fast = shuffled(DealStream(key), size, *labels)
    assert fast == shuffled(SlowDealStream(key), size, *labels)


@given(st.text("abc 2", max_size=9), PARTS)
def test_keys_are_as_described(purpose: str, parts: list[bytes | str | int]) -> None:
    """Whoever follows the description gets the very keys of the arena."""
    assert derived_key(purpose.encode(), *parts) == slow_key(purpose, *parts)


@pytest.mark.parametrize(("labels", "golden"), GOLDEN_SHUFFLES.items())
def test_golden_shuffles(labels: tuple[int, ...], golden: list[int]) -> None:
    """Deals stay what they were, in both implementations: old logs must replay for ever."""
    assert shuffled(DealStream(KEY), 12, *labels) == golden
    assert shuffled(SlowDealStream(KEY), 12, *labels) == golden


@pytest.mark.parametrize(("parts", "golden"), GOLDEN_KEYS.items())
def test_golden_keys(parts: tuple[str, *tuple[bytes | str | int, ...]], golden: str) -> None:
    """Keys stay what they were, in both implementations."""
    purpose, *rest = parts
    assert derived_key(purpose.encode(), *rest).hex() == golden
    assert slow_key(purpose, *rest).hex() == golden


def test_words_that_would_bias_are_passed_over() -> None:
    """A word above the last full multiple is not used; this deal has one."""
    key = sha256(str(PASSED_OVER).encode()).digest()
    slow = SlowDealStream(key)
    words = slow.words(slow.message((0,)))  # one for each index from the last down to 1
    biased = [
        last
        for last, word in zip(range(255, 0, -1), words, strict=False)
        if word >= limit(last + 1)
    ]
    assert len(biased) == 1
    assert shuffled(DealStream(key), 256, 0) == shuffled(slow, 256, 0)


def limit(n: int) -> int:
    """The greatest multiple of n up to 2**32."""
    return WORD - WORD % n


def test_every_part_of_the_key_matters() -> None:
    """Other keys and labels give other deals, also where they run together."""
    other = bytes([1, *range(1, 32)])
    deals = [
        shuffled(DealStream(key), 60, *labels)
        for key, labels in (
            (KEY, (0,)),
            (other, (0,)),
            (KEY, ()),
            (KEY, (1,)),
            (KEY, (0, 0)),
            (KEY, (0, 1)),
            (KEY, (1, 0)),
            (KEY, (2**24,)),
        )
    ]
    assert len({tuple(deal) for deal in deals}) == len(deals)


def test_every_part_of_what_a_key_comes_from_matters() -> None:
    """Values that run together, and a number in place of its bytes, give other keys."""
    keys = [
        derived_key(purpose, *parts)
        for purpose, parts in (
            (b"p", (b"ab", b"c")),
            (b"p", (b"a", b"bc")),
            (b"p", (b"abc",)),
            (b"p", (b"abc", b"")),
            (b"p", (b"", b"abc")),
            (b"q", (b"ab", b"c")),
            (b"p", (1,)),
            (b"p", (1, 0)),
            (b"p", (2**32,)),
            (b"p", (b"\0" * 7 + b"\1",)),
        )
    ]
    assert len(set(keys)) == len(keys)


def test_the_examples_of_the_rule_books() -> None:
    """Both implementations deal what the games' rules have as an example."""
    for stream in (DealStream(bytes(32)), SlowDealStream(bytes(32))):
        deck = sorted([16 * colour for colour in range(6)] + list(range(96)))
        stream.shuffle(deck, 0)
        rest = deck[40:]
        stacks = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        said = ", ".join(map(str, deck[:10]))
        assert f"the shuffled deck begins {said}, the hand of seat 0" in book("gargon")
        first, second = (", ".join(map(str, stack[:3])) for stack in stacks)
        assert f"Stack 0 begins {first} and stack 1 begins {second}." in book("gargon")
        counts = {9: 9, 10: 9, 11: 7, 12: 5}
        pack = [value for value in range(13) for _ in range(counts.get(value, 4))]
        stream.shuffle(pack, 0, 0)
        rows = [" ".join(map(str, pack[4 * seat : 4 * seat + 4])) for seat in range(4)]
        assert f"has the rows {', '.join(rows[:3])} and {rows[3]}; a {pack[16]}" in book("castors")
        pile = ", ".join(map(str, pack[17:22]))
        assert f"the pile begins {pile}." in book("castors")


def book(game: str) -> str:
    """The rules of a game in one line, as they were decided."""
    path = Path(arena.games.__file__).parent / game / "rules.md"
    return " ".join(path.read_text(encoding="utf-8").split())


@given(KEYS, st.lists(LABELS, min_size=1, max_size=6))
def test_the_order_of_shuffles_does_not_matter(key: bytes, several: list[list[int]]) -> None:
    """A stream holds no position: labels alone decide, so copies of a state can share it."""
    stream = DealStream(key)
    first = [shuffled(stream, 20, *labels) for labels in several]
    again = [shuffled(stream, 20, *labels) for labels in reversed(several)]
    assert again[::-1] == first


@given(KEYS, st.lists(st.integers(0, 12), max_size=70))
def test_a_shuffle_moves_places_and_looks_at_no_card(key: bytes, cards: list[int]) -> None:
    """The permutation depends on the number of cards only, and keeps every card."""
    stream = DealStream(key)
    places = shuffled(stream, len(cards), 1)
    moved = cards[:]
    stream.shuffle(moved, 1)
    assert moved == [cards[place] for place in places]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_is_as_likely_as_any_other(size: int) -> None:
    """Over many blocks all orders of a few cards come up equally often."""
    deals = 6000
    found = Counter(tuple(shuffled(of("fair", block), size, 0)) for block in range(deals))
    orders = list(permutations(range(size)))
    expected = deals / len(orders)
    assert sum((found[order] - expected) ** 2 / expected for order in orders) < 60


def test_every_card_comes_to_every_place() -> None:
    """Over many blocks each of 20 cards lies at each of 20 places equally often."""
    size, deals = 20, 4000
    found = Counter(
        (place, card)
        for block in range(deals)
        for place, card in enumerate(shuffled(of("fair", block), size, 5))
    )
    expected = deals / size
    chi_square = sum(
        (found[place, card] - expected) ** 2 / expected
        for place in range(size)
        for card in range(size)
    )
    assert chi_square < 19 * 19 + 6 * (2 * 19 * 19) ** 0.5
