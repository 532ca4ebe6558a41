"""Counts of action sequences, as chess programs count moves: pinned, and counted twice."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from arena.games.castors.game import Castors
from arena.games.deal import DealStream, derived_key
from arena.games.game import Game, State
from arena.games.gargon.game import Gargon
from reference import Scripted, perft
from reference.castors import SlowCastors
from reference.deal import SlowDealStream
from reference.gargon import SlowGargon

GAMES: dict[str, tuple[Game, type[Scripted]]] = {
    "gargon": (Gargon(), SlowGargon),
    "castors": (Castors(), SlowCastors),
}

# The number of sequences of 1, 2, ... decisions from the deal of block 0.
PINNED = {
    ("gargon", 3): [170, 9205, 267612],
    ("gargon", 4): [170, 9205, 569215],
    ("gargon", 5): [170, 9205, 569215],
    ("castors", 2): [5, 25, 50, 250, 920, 4375, 14540],
    ("castors", 3): [5, 25, 125, 397, 1370, 5272, 22820],
    ("castors", 4): [5, 25, 125, 625, 2213, 7465],
    ("castors", 5): [5, 25, 125, 3625, 31625, 112348],
    ("castors", 6): [5, 25, 125, 619, 3034],
}
SLOW_LIMIT = 3_000
"""The slow implementation counts on from at most so many positions."""

VARIANTS: list[tuple[str, Mapping[str, Any]]] = [
    ("gargon", {}),
    ("gargon", {"amulets": [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1], "open_winnings": True}),
    ("castors", {}),
    ("castors", {"laps": 3}),
]


def begin(name: str, seats: int, rules: Mapping[str, Any], block: int) -> tuple[State, Scripted]:
    """The same deal in the engine and in the slow implementation."""
    game, slow = GAMES[name]
    settled = game.rules(rules)
    key = derived_key(b"perft", name, block)
    return game.start(seats, settled, DealStream(key)), slow(seats, settled, SlowDealStream(key))


@pytest.mark.parametrize(("name", "seats"), PINNED)
def test_perft_is_as_pinned_and_as_counted_by_the_slow_implementation(
    name: str, seats: int
) -> None:
    """The rules as played do not change unnoticed: the tree of a deal keeps its numbers."""
    fast, slow = begin(name, seats, {}, 0)
    positions = 1
    for depth, count in enumerate(PINNED[name, seats], 1):
        assert perft(fast, depth) == count, depth
        if positions <= SLOW_LIMIT:
            assert perft(slow, depth) == count, depth
        positions = count


@pytest.mark.parametrize(("name", "rules"), VARIANTS)
def test_whole_games_agree_with_the_slow_implementation(
    name: str, rules: Mapping[str, Any]
) -> None:
    """In whole games the same seats are asked the same questions, and the scores are equal."""
    game, _ = GAMES[name]
    for seats in game.players:
        for block in range(6):
            fast, slow = begin(name, seats, rules, block)
            random = Random(block)
            eager = block % 2
            while slow.turn >= 0:
                where = (seats, block, slow.kind)
                assert (fast.turn, fast.kind) == (slow.turn, slow.kind), where
                actions = slow.actions()
                assert fast.actions() == actions, where
                action = random.choice(actions)
                if action == ("call",) and not eager:
                    action = random.choice([*[("wait",)] * 40, action])
                fast.apply(action)
                slow.apply(action)
            assert fast.over
            assert fast.scores() == slow.scores()


def test_perft_counts_from_positions_deep_in_a_game() -> None:
    """Battles, draws and last rounds are counted too, not only openings."""
    random = Random(5)
    compared = set()
    for name, (game, _) in GAMES.items():
        for seats in game.players:
            fast, slow = begin(name, seats, {}, 1)
            for _ in range(30):
                if len(slow.actions()) < 2:
                    break
                action = random.choice(slow.actions())
                fast.apply(action)
                slow.apply(action)
                if slow.turn < 0:
                    break
                if len(slow.actions()) < 40 and random.random() < 0.2:
                    assert perft(fast, 2) == perft(slow, 2)
                    compared.add((name, seats, slow.kind))
    assert {kind for _, _, kind in compared} >= {"play", "battle", "draw", "turn", "card", "call"}
