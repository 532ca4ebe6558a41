"""What one player does to another, as games say it: it is what their public events tell."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from arena.games.deal import DealStream

from .playing import CASES, SEEDS, Case

every_case = pytest.mark.parametrize("case", CASES, ids=str)


@every_case
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_aims_are_what_the_events_tell(case: Case, seed: int) -> None:
    """Who is swapped with, or whose colour of this round is played; nobody ever aims at himself."""
    random = Random(seed)
    state = case.start(DealStream.of("aims", seed))
    events = state.events
    assert events is not None
    while not state.over:
        seat, action, told = state.turn, state.sample(random), len(events)
        aims = case.game.aims(state, action)
        played: dict[int, set[int]] = {}
        for event in events:
            if event[0] == "round":
                played = {}
            elif event[0] == "played":
                played[event[1]] = set(event[2])
        assert state.turn == seat
        state.apply(action)
        first = events[told] if len(events) > told else ("nothing",)
        if first[0] == "swapped":
            others = set(range(case.seats)) - {seat}
            assert aims == {other: other == first[3] for other in others}
        elif first[0] == "played":
            mine = set(first[2])
            assert aims == {other: bool(mine & his) for other, his in played.items()}
        elif first[0] == "passed":
            assert aims == dict.fromkeys(played, False)
        else:
            assert aims == {}
