"""What holds in every game at any time, whoever plays what."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings

from arena.games.castors.cards import PACK as CASTORS_PACK
from arena.games.game import State
from arena.games.gargon.cards import PACK as GARGON_PACK
from arena.wire.codec import encode

from .playing import (
    CASES,
    SEEDS,
    Case,
    Recorder,
    events_of,
    moment,
    pick,
    record,
    shown,
    whereabouts,
)

PACKS = {"gargon": sorted(GARGON_PACK), "castors": sorted(CASTORS_PACK)}
MOST_ACTIONS = 20_000
MOST_KEPT = 60
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def everything(state: State) -> list[object]:
    """All that a state hands out."""
    views = [state.view(seat) for seat in range(state.seats)]
    return [views, state.actions(), state.scores(), state.turn, state.kind, state.over]


def play_out(state: State, random: Random, how: str) -> None:
    """Play a game to its end, which must come."""
    for _ in range(MOST_ACTIONS):
        if state.over:
            return
        if how == "default":
            state.apply(state.default())
        elif how == "sample":
            state.apply(state.sample(random))
        else:
            state.apply(random.choice(state.actions()))
    pytest.fail(f"no end after {MOST_ACTIONS} actions")


@every_case
@settings(max_examples=15)
@given(seed=SEEDS)
def test_cards_are_conserved(case: Case, seed: int) -> None:
    """No card is ever lost or doubled."""
    for state in record(case, seed).states():
        assert whereabouts(state) == PACKS[case.game.name]


@every_case
@pytest.mark.parametrize("how", ["random", "sample", "default"])
@settings(max_examples=10)
@given(seed=SEEDS)
def test_every_game_ends(case: Case, how: str, seed: int) -> None:
    """A game comes to its end under chance, under its own samples, and under its defaults."""
    state = case.start(Recorder(seed))
    play_out(state, Random(seed), how)
    assert (state.over, state.turn, state.kind, state.actions()) == (True, -1, "", [])
    scores = state.scores()
    assert len(scores) == case.seats
    assert events_of(state)[-1][-1] == scores


@every_case
@settings(max_examples=15)
@given(seed=SEEDS)
def test_every_decision_is_a_choice(case: Case, seed: int) -> None:
    """Whoever is asked has two actions at least, all different, at a known kind of decision."""
    for state in record(case, seed).states():
        if state.over:
            break
        actions = state.actions()
        assert len(set(actions)) == len(actions) >= 2
        assert state.kind in case.game.decisions
        assert state.turn in range(case.seats)
        assert state.default() in actions


@every_case
@settings(max_examples=15)
@given(seed=SEEDS)
def test_samples_are_legal(case: Case, seed: int) -> None:
    """What `sample` proposes is one of the listed actions, in canonical form."""
    random = Random(seed)
    for state in record(case, seed).states():
        if state.over:
            break
        actions = set(state.actions())
        for _ in range(3):
            action = state.sample(random)
            assert action in actions
            assert isinstance(action, tuple)


@every_case
def test_samples_leave_nothing_out(case: Case) -> None:
    """Every legal action comes up in enough samples, so that random bots explore the game."""
    random = Random(0)
    for seed in range(4):
        state = moment(case, seed)
        actions = set(state.actions())
        found = {state.sample(random) for _ in range(400 * len(actions))}
        assert found == actions


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_copies_are_independent(case: Case, seed: int) -> None:
    """Playing on a copy changes nothing in the original, nor the other way round."""
    state = moment(case, seed)
    copy = state.copy()
    assert copy.events is None
    before = deepcopy((everything(state), events_of(state)))
    assert everything(copy) == before[0]
    play_out(copy, Random(seed), "sample")
    assert (everything(state), events_of(state)) == before
    second = state.copy()
    play_out(state, Random(seed), "sample")
    assert everything(second) == before[0]
    assert everything(state) == everything(copy)


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_the_same_deal_and_actions_give_the_same_game(case: Case, seed: int) -> None:
    """A game played again from its deal and actions is the same to the last event and view."""
    game = record(case, seed)
    again = case.start(Recorder(seed))
    for state, action in zip(game.states(), [*game.actions, None], strict=True):
        assert everything(again) == everything(state)
        if action:
            again.apply(again.check(list(action)))
    assert events_of(again) == events_of(game.at(len(game.actions)))


@every_case
@settings(max_examples=8)
@given(seed=SEEDS)
def test_what_was_handed_out_never_changes(case: Case, seed: int) -> None:
    """Views, actions and events may be kept: the game goes on without touching them."""
    kept: list[tuple[object, object]] = []
    state = case.start(Recorder(seed))
    random = Random(seed)
    while True:
        things = (everything(state), events_of(state)[:])
        kept.append((things, deepcopy(things)))
        if state.over or len(kept) > MOST_KEPT:
            break
        state.apply(pick(state, random))
    assert all(thing == then for thing, then in kept)


@every_case
@settings(max_examples=5)
@given(seed=SEEDS)
def test_a_glimpse_is_the_view_as_it_is_sent(case: Case, seed: int) -> None:
    """What a bot is sent of a position is, to the byte, the view, at every moment of a game."""
    for state in record(case, seed).states():
        for seat in range(case.seats):
            assert encode(state.glimpse(seat)) == encode(state.view(seat))


@every_case
@settings(max_examples=5)
@given(seed=SEEDS)
def test_views_and_events_are_plain(case: Case, seed: int) -> None:
    """Views and shown events survive a way through JSON unchanged, as bots in any language do."""
    state = moment(case, seed)
    for seat in range(case.seats):
        for thing in (state.view(seat), *shown(case.game, state, seat)):
            assert json.loads(json.dumps(thing)) == thing


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_events_tell_every_action(case: Case, seed: int) -> None:
    """No action goes by without an event, save waiting, and events are only ever added."""
    game = record(case, seed)
    state = game.at(0)
    for action in game.actions:
        before = list(events_of(state))
        state.apply(action)
        assert events_of(state)[: len(before)] == before
        assert len(events_of(state)) > len(before) or action == ("wait",)
