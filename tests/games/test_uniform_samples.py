"""Samples are fair: every way to place the cards that a seat cannot locate is equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product
from random import Random
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from arena.games.castors.cards import NINE, PEEK, SWAP
from arena.games.castors.cards import PACK as CASTORS_PACK
from arena.games.castors.state import CARD, CastorsState
from arena.games.gargon.cards import PACK as GARGON_PACK
from arena.games.gargon.state import GargonState

from .playing import Case, Recorder
from .stacked import CASTORS, GARGON, cards, counts

World: TypeAlias = tuple[object, ...]
SAMPLES = 8000


def assert_fair(found: Counter[World], worlds: Iterable[World]) -> None:
    """Each world is found as often as it is listed, up to chance."""
    expected = Counter(worlds)
    assert set(found) == set(expected)
    scale = found.total() / expected.total()
    chi_square = sum((found[w] - scale * n) ** 2 / (scale * n) for w, n in expected.items())
    freedom = len(expected) - 1
    assert chi_square < freedom + 6 * (2 * freedom) ** 0.5


def test_gargon_samples_are_uniform() -> None:
    """Four white cards and two blue ones lie where seat 0 cannot see: 4! times 2! ways."""
    white, blue = cards("W0 W0 W2 W9"), cards("B5 B6")
    hand = cards("G1 G2")
    known = Counter(GARGON_PACK) - Counter([*white, *blue, *hand])
    view: dict[str, Any] = {
        "seat": 0,
        "turn": 0,
        "kind": "play",
        "round": 9,
        "starter": 2,
        "shape": [1],
        "passed": [False] * 3,
        "hand": hand,
        "hands": [counts("G1 G2"), counts("W1 W2 B1"), counts("")],
        "played": [counts(""), counts(""), counts("B1")],
        "table": [[], None, None],
        "stacks": [[0], [0]],
        "won": [[], None, None],
        "discards": sorted(known.elements()),
        "fighting": -1,
        "drawing": [],
    }
    Draft202012Validator(GARGON.view_schema).validate(view)
    sample = GARGON.sampler(view, [], GARGON.rules({}))
    random = Random(1)
    found: Counter[World] = Counter()
    for _ in range(SAMPLES):
        state = sample(random)
        assert isinstance(state, GargonState)
        found[*state.hands[1], *state.table[2], *state.stacks] += 1
    assert_fair(
        found,
        (
            (*sorted([w[0], w[1]]), b[0], b[1], (w[2],), (w[3],))
            for w, b in product(permutations(white), permutations(blue))
        ),
    )


def test_gargon_samples_are_fair_in_every_colour() -> None:
    """After the deal each card of a colour lies on top of its colour in a stack equally often."""
    state = Case(GARGON, 3).start(Recorder(3))
    sample = GARGON.sampler(state.view(0), [], GARGON.rules({}))
    random = Random(2)
    samples = [sample(random) for _ in range(1500)]
    hidden = Counter(GARGON_PACK) - Counter(state.view(0)["hand"])
    for colour in range(6):
        found: Counter[World] = Counter()
        for sampled in samples:
            assert isinstance(sampled, GargonState)
            found[next(card for card in sampled.stacks[0] if card >> 4 == colour),] += 1
        assert_fair(found, [(card,) for card in hidden.elements() if card >> 4 == colour])


def test_castors_samples_are_uniform() -> None:
    """Among all ways to fill two pools, those with a value card where one was kept are alike."""
    old, new = [3, 7, 9, SWAP], [0, 0, PEEK]
    rows = [[1, 2, 3, -1], [-1, -1, -1, -1]]
    known = Counter(CASTORS_PACK) - Counter([1, 2, 3, *old, *new])
    view: dict[str, Any] = {
        "seat": 0,
        "turn": 1,
        "kind": "card",
        "deal": 0,
        "deals": 4,
        "dealer": 0,
        "moves": 80,
        "caller": -1,
        "rows": rows,
        "known_by": [[1, 1, 1, 0], [2, 0, 0, 0]],
        "kept": [[True, False, False, False], [True, False, False, False]],
        "discards": sorted(known.elements()),
        "pile": 1,
        "drawn": -1,
        "rejectable": False,
        "pools": [[old.count(c) for c in range(13)], [new.count(c) for c in range(13)]],
        "row_pools": [[0, 0, 0, 0], [0, 0, 0, 1]],
        "drawn_pool": 1,
        "totals": [0, 0],
    }
    Draft202012Validator(CASTORS.view_schema).validate(view)
    sample = CASTORS.sampler(view, [], CASTORS.rules({}))
    random = Random(1)
    found: Counter[World] = Counter()
    for _ in range(SAMPLES):
        state = sample(random)
        assert isinstance(state, CastorsState)
        hidden = [state.rows[at] & CARD for at in (3, 4, 5, 6, 7)]
        found[*hidden, state.drawn, *state.pile] += 1
    assert_fair(
        found,
        (
            (*first, *second)
            for first, second in product(permutations(old), permutations(new))
            if first[1] <= NINE
        ),
    )
