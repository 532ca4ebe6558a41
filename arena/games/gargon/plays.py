"""The actions of a turn: plays of cards in five shapes, and passes."""

from __future__ import annotations

from itertools import combinations, filterfalse, groupby, pairwise
from random import Random
from typing import Final

from arena.games.game import Action
from arena.games.gargon.cards import COLOUR_SHIFT

Shape = tuple[int, ...]
"""How many cards of each colour, most first: (2, 1) is two of one colour and one of another."""

PAIR: Shape = (2,)
TRIPLET: Shape = (3,)  # never played
EVERY_COLOUR: Final = 0b111111
MOST_DRAWN: Final = 3
ATTEMPTS: Final = 6
_PLAY = ("play",)


def shape_of(cards: tuple[int, ...] | list[int]) -> Shape:
    """Return the shape of one to three cards in ascending order; three of a colour give (3,)."""
    if len(cards) == 1:
        return (1,)
    colours = [card >> COLOUR_SHIFT for card in cards]
    if len(cards) == 2:
        return PAIR if colours[0] == colours[1] else (1, 1)
    changes = (colours[0] != colours[1]) + (colours[1] != colours[2])
    return (TRIPLET, (2, 1), (1, 1, 1))[changes]


def plays(hand: list[int], shape: Shape | None, colours: int) -> list[Action]:
    """Return every play of an ascending hand, by number of cards, then lexicographically.

    With a `shape`, return only plays of that shape. Use only colours in the bit set `colours`.
    """
    if colours != EVERY_COLOUR:
        hand = [card for card in hand if colours >> (card >> COLOUR_SHIFT) & 1]
    found: list[Action]
    if shape is None:
        # By far the longest list, so it is built without a step in Python for each play.
        found = [("play", a) for a in hand]
        found += map(_PLAY.__add__, combinations(hand, 2))
        triples = combinations(hand, 3)
        found += map(_PLAY.__add__, filterfalse(_triplets(hand).__contains__, triples))
    elif shape == (1,):
        found = [("play", a) for a in hand]
    elif shape == (2,):
        found = [("play", a, b) for a, b in combinations(hand, 2) if a >> 4 == b >> 4]
    elif shape == (1, 1):
        found = [("play", a, b) for a, b in combinations(hand, 2) if a >> 4 != b >> 4]
    elif shape == (2, 1):
        found = [
            ("play", a, b, c)
            for a, b, c in combinations(hand, 3)
            if (a >> 4 == b >> 4) != (b >> 4 == c >> 4)
        ]
    else:
        found = [
            ("play", a, b, c)
            for a, b, c in combinations(hand, 3)
            if a >> 4 != b >> 4 and b >> 4 != c >> 4
        ]
    return list(dict.fromkeys(found)) if _has_pair_of_zeros(hand) else found


def passes(first: int, second: int) -> list[Action]:
    """Return every pass, lexicographically, with this many cards left in the stacks."""
    if not first and not second:
        return [("pass", 0, 0)]
    return [
        ("pass", a, b)
        for a in range(min(first, MOST_DRAWN) + 1)
        for b in range(not a, min(second, MOST_DRAWN - a) + 1)
    ]


def can_play(hand: list[int], shape: Shape, colours: int) -> bool:
    """Whether a hand holds any play of this shape in these colours."""
    counts = [0] * 6
    for card in hand:
        counts[card >> COLOUR_SHIFT] += 1
    held = sorted((n for c, n in enumerate(counts) if n and colours >> c & 1), reverse=True)
    return len(held) >= len(shape) and all(n >= k for n, k in zip(held, shape, strict=False))


def some_play(hand: list[int], shape: Shape | None, colours: int, random: Random) -> Action | None:
    """Return a random play, or None if a few attempts found none; every play can come up."""
    chance = random.random
    size = len(hand)
    count = sum(shape) if shape else 1 + int(chance() * min(3, size))
    if count > size:
        return None
    for _ in range(ATTEMPTS):
        a = hand[int(chance() * size)]
        if not colours >> (a >> 4) & 1:
            continue
        if count == 1:
            return ("play", a)
        i = int(chance() * size)
        j = int(chance() * size)
        if i == j:
            continue
        if i > j:
            i, j = j, i
        a = hand[i]
        b = hand[j]
        if count == 2:
            if (shape is None or (a >> 4 == b >> 4) == (shape == PAIR)) and (
                colours >> (a >> 4) & colours >> (b >> 4) & 1
            ):
                return ("play", a, b)
            continue
        k = int(chance() * size)
        if k in (i, j):
            continue
        cards = sorted((a, b, hand[k]))
        found = shape_of(cards)
        if (found == shape if shape else found != TRIPLET) and all(
            colours >> (card >> 4) & 1 for card in cards
        ):
            return ("play", *cards)
    return None


def _triplets(hand: list[int]) -> set[tuple[int, int, int]]:
    """Return all sets of three cards of one colour, which cannot be played."""
    colours = groupby(hand, lambda card: card >> COLOUR_SHIFT)
    return {triple for _, cards in colours for triple in combinations(cards, 3)}


def _has_pair_of_zeros(hand: list[int]) -> bool:
    return any(a == b for a, b in pairwise(hand))
