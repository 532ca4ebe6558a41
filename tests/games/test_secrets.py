"""No seat learns what its rules hide, and what it may know is enough to deal the rest anew."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings

from arena.games.castors.cards import NINE
from arena.games.castors.cards import PACK as CASTORS_PACK
from arena.games.castors.state import CARD, CastorsState
from arena.games.game import Sampler, State
from arena.games.gargon.cards import PACK as GARGON_PACK

from .playing import CASES, SEEDS, Case, Record, moment, record, shown, whereabouts
from .stacked import CASTORS
from .tracking import disguise

PACKS = {"gargon": sorted(GARGON_PACK), "castors": sorted(CASTORS_PACK)}
CASTORS_CASES = [case for case in CASES if case.game is CASTORS]
MOST_COMPARED = 150
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def sampler_of(case: Case, state: State, seat: int) -> Sampler:
    """The sampler that a bot in this seat gets, from what came over the wire."""
    heard = json.loads(json.dumps([state.view(seat), shown(case.game, state, seat)]))
    return case.game.sampler(heard[0], heard[1], case.rules)


# Exchanging what a seat cannot see


def assert_same_to(seat: int, game: Record, other: Record, since: int) -> None:
    """Both games look the same to this seat, at every moment and in every event."""
    told = 0
    for now, (one, two) in enumerate(zip(game.states(), other.states(), strict=False)):
        if now >= since:
            assert one.view(seat) == two.view(seat)
            assert (one.kind, one.scores()) == (two.kind, two.scores())
            if one.turn == seat:
                assert one.actions() == two.actions()
        assert one.events is not None
        assert two.events is not None
        assert len(one.events) == len(two.events)
        for event, twin in zip(one.events[told:], two.events[told:], strict=True):
            assert game.case.game.show(event, seat) == game.case.game.show(twin, seat)
        told = len(one.events)
        if now < len(other.actions):
            assert two.check(other.actions[now]) == other.actions[now]


@every_case
@settings(max_examples=20)
@given(seed=SEEDS)
def test_nothing_leaks(case: Case, seed: int) -> None:
    """A seat notices nothing if all cards that it has not seen are exchanged among each other."""
    game = record(case, seed)
    random = Random(seed)
    for seat in range(case.seats):
        time = random.randint(0, len(game.actions))
        other = disguise(game, time, seat, random)
        assert len(other.actions) == time
        assert_same_to(seat, game, other, time - MOST_COMPARED)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_disguised_game_is_another_game(seats: int) -> None:
    """The test above is not empty: almost every card that a seat has not seen was exchanged."""
    for case in CASES:
        if case.seats == seats:
            game = record(case, 5)
            time = len(game.actions) // 2
            other = disguise(game, time, 0, Random(0))
            true, changed = game.at(time), other.at(time)
            assert true.view(0) == changed.view(0)
            assert any(true.view(seat) != changed.view(seat) for seat in range(1, seats))
            assert whereabouts(true) == whereabouts(changed)


# Sampling


@every_case
@settings(max_examples=15)
@given(seed=SEEDS)
def test_samples_agree_with_what_the_seat_knows(case: Case, seed: int) -> None:
    """A sampled state looks to the seat as the true one does, has the whole pack, and plays on."""
    state = moment(case, seed)
    random = Random(seed)
    for seat in range(case.seats):
        view = state.view(seat)
        sample = sampler_of(case, state, seat)
        sampled = sample(random)
        assert sampled.events is None
        assert sampled.view(seat) == view
        assert whereabouts(sampled) == PACKS[case.game.name]
        assert (sampled.turn, sampled.kind, sampled.seats) == (state.turn, state.kind, case.seats)
        assert sampled.scores() == state.scores()
        if state.turn == seat:
            assert sampled.actions() == state.actions()
            assert sampled.default() == state.default()
        assert len(sampled.actions()) >= 2
        while not sampled.over:
            sampled.apply(sampled.sample(random))
        assert sample(random).view(seat) == view


@every_case
def test_a_finished_game_can_be_sampled(case: Case) -> None:
    """After the end a seat's knowledge still makes a state that looks the same."""
    game = record(case, 2)
    state = game.at(len(game.actions))
    for seat in range(case.seats):
        sampled = sampler_of(case, state, seat)(Random(0))
        assert sampled.over
        assert sampled.view(seat) == state.view(seat)
        assert sampled.scores() == state.scores()


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_samples_are_independent(case: Case, seed: int) -> None:
    """Playing on one sampled state touches neither the next one nor what the bot was shown."""
    state = moment(case, seed)
    random = Random(seed)
    view, events = state.view(state.turn), shown(case.game, state, state.turn)
    before = deepcopy((view, events))
    sample = case.game.sampler(view, events, case.rules)
    first, second = sample(random), sample(random)
    looks = deepcopy([second.view(seat) for seat in range(case.seats)])
    while not first.over:
        first.apply(first.sample(random))
    assert [second.view(seat) for seat in range(case.seats)] == looks
    assert (view, events) == before


@every_case
def test_samples_differ_and_repeat_with_their_chance(case: Case) -> None:
    """Two samples are different worlds, and the same chance gives the same world."""
    state = moment(case, 3)
    sample = sampler_of(case, state, 0)
    other = sampler_of(case, state, 0)
    random, again = Random(4), Random(4)
    first, second = sample(random), sample(random)
    assert looks_of(first) != looks_of(second)
    assert looks_of(other(again)) == looks_of(first)


def looks_of(state: State) -> list[object]:
    """A state as its seats see it."""
    return [state.view(seat) for seat in range(state.seats)]


# What the views of Gang de Castors promise to samplers


@pytest.mark.parametrize("case", CASTORS_CASES, ids=str)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_pools_are_what_is_hidden(case: Case, seed: int) -> None:
    """The pools of a view hold exactly the hidden cards, counted by the shuffle they came from."""
    state = moment(case, seed)
    assert isinstance(state, CastorsState)
    for seat in range(case.seats):
        view = state.view(seat)
        hidden: list[list[int]] = [[] for _ in view["pools"]]
        hidden[-1] += state.pile
        for at, card in enumerate(state.rows):
            owner, position = divmod(at, 4)
            seen = view["rows"][owner][position]
            assert seen in (-1, card & CARD)
            assert (seen >= 0) == bool(view["known_by"][owner][position] >> seat & 1)
            if seen < 0:
                hidden[view["row_pools"][owner][position]].append(card & CARD)
        if view["drawn"] == -1:
            hidden[view["drawn_pool"]].append(state.drawn)
        counted = [[cards.count(card) for card in range(13)] for cards in hidden]
        assert view["pools"] == counted
        assert len(state.pile) == view["pile"]


@pytest.mark.parametrize("case", CASTORS_CASES, ids=str)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_kept_cards_are_value_cards_in_samples(case: Case, seed: int) -> None:
    """Where a drawn card was kept, no sample puts an action card."""
    state = moment(case, seed)
    random = Random(seed)
    for seat in range(case.seats):
        sample = sampler_of(case, state, seat)
        for _ in range(5):
            sampled = sample(random)
            assert isinstance(sampled, CastorsState)
            kept = [flag for row in state.view(seat)["kept"] for flag in row]
            for card, flag in zip(sampled.rows, kept, strict=True):
                assert not flag or card & CARD <= NINE
