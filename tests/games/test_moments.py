"""States between events: whoever looks on sees every event as soon as it is told, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings

from arena.games.castors.cards import PACK as CASTORS_PACK
from arena.games.castors.state import CARD, CastorsState
from arena.games.game import ONLOOKER, State
from arena.games.gargon.cards import PACK as GARGON_PACK
from arena.games.gargon.state import GargonState

from .playing import CASES, SEEDS, Case, Record, record, whereabouts
from .stacked import CASTORS, StackedDeck
from .tracking import disguise

PACKS = {"gargon": sorted(GARGON_PACK), "castors": sorted(CASTORS_PACK)}
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def watched(game: Record, look: Callable[[State], None]) -> State:
    """Play a game again, with somebody who looks at its state after every event."""
    state = game.case.start(StackedDeck(game.orders))
    state.on_event = lambda: look(state)
    for action in game.actions:
        state.apply(action)
    return state


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_every_event_is_seen_when_it_is_told(case: Case, seed: int) -> None:
    """The look follows each event, and every card then lies somewhere, and nowhere twice."""
    seen: list[object] = []

    def look(state: State) -> None:
        assert state.events is not None
        seen.append(state.events[-1])
        if state.events[-1][0] == "reshuffled":  # perhaps amid a replacement, told when it is done
            assert not Counter(whereabouts(state)) - Counter(PACKS[case.game.name])
        else:
            assert whereabouts(state) == PACKS[case.game.name]

    game = record(case, seed)
    opened = len(game.at(0).events or ())
    assert seen == []
    assert (watched(game, look).events or [])[opened:] == seen


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_what_an_event_tells_is_on_the_table(case: Case, seed: int) -> None:
    """A reader who looks at the table after an event finds there what he was just told."""

    def look(state: State) -> None:
        assert state.events is not None
        name, *told = state.events[-1]
        view = state.full_view()
        if name == "played":
            assert view["table"][told[0]] == told[2]
            assert state.public_view()["table"][told[0]] is None
        elif name == "revealed":
            assert state.public_view()["table"] == told[0]
        elif name == "battle":
            assert view["fighting"] == told[1]
        elif name == "fought":
            lost = [card for seat, card in zip(told[0], told[1], strict=True) if seat != told[2]]
            assert sorted(view["discards"][-len(lost) :]) == sorted(lost)
        elif name == "won":
            assert view["won"][told[0]][-len(told[1]) :] == told[1]
        elif name == "drew" and isinstance(state, CastorsState):
            assert (view["drawn"], view["turn"]) == (told[1], told[0])
        elif name in ("discarded", "rejected", "kept", "took"):
            assert view["discards"][-1] == told[-1]
            assert view["drawn"] is None
        elif name == "peeked":
            assert state.view(told[0])["rows"][told[0]][told[1]] == told[2]
        elif name == "replaced":
            assert state.public_view()["rows"][told[0]][told[1]] == told[2][-1]
        elif name == "counted":
            assert state.public_view()["rows"] == told[0]
            assert state.scores() == told[2]

    watched(record(case, seed), look)


@every_case
@settings(max_examples=6)
@given(seed=SEEDS)
def test_nothing_leaks_between_events(case: Case, seed: int) -> None:
    """A seat that looks on after every event notices nothing of cards that it has not seen."""
    nothing_leaks(case, seed)


@pytest.mark.wide
@every_case
@settings(max_examples=100)
@given(seed=SEEDS)
def test_nothing_leaks_between_events_of_many_games(case: Case, seed: int) -> None:
    """Nor in a hundred games of each size."""
    nothing_leaks(case, seed)


def nothing_leaks(case: Case, seed: int) -> None:
    """Each seat sees the same between events when cards that it has not seen differ."""
    game = record(case, seed)
    random = Random(seed)
    for seat in range(case.seats):
        time = random.randint(0, len(game.actions))
        other = disguise(game, time, seat, random)
        told = list(sights(other, seat))
        assert told == list(islice(sights(game, seat), len(told)))


def sights(game: Record, seat: int) -> Iterator[object]:
    """What a seat sees of the table after every event, and of the points."""
    seen: list[object] = []
    watched(game, lambda state: seen.append((state.view(seat), state.score_parts(seat))))
    yield from seen


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_an_onlooker_sees_what_every_seat_sees(case: Case, seed: int) -> None:
    """The public view has no card that any seat does not see as well."""

    def look(state: State) -> None:
        public = state.public_view()
        assert public["seat"] == ONLOOKER
        for seat in range(state.seats):
            view = state.view(seat)
            if isinstance(state, GargonState):
                assert public["hand"] == []
                for key in ("table", "won"):
                    for cards, seen in zip(public[key], view[key], strict=True):
                        assert cards is None or cards == seen
            else:
                for row, seen in zip(public["rows"], view["rows"], strict=True):
                    assert all(card in (-1, also) for card, also in zip(row, seen, strict=True))
                assert public["drawn"] in (None, -1)

    watched(record(case, seed), look)


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_the_full_view_hides_nothing(case: Case, seed: int) -> None:
    """Everybody together sees the true cards, in hands, rows and piles."""

    def look(state: State) -> None:
        view = state.full_view()
        if isinstance(state, GargonState):
            assert view["fronts"] == state.hands
            assert (view["table"], view["won"]) == (state.table, state.won)
        else:
            assert isinstance(state, CastorsState)
            assert [card for row in view["rows"] for card in row] == [
                card & CARD for card in state.rows
            ]

    watched(record(case, seed), look)


@every_case
@settings(max_examples=10)
@given(seed=SEEDS)
def test_the_parts_of_points_add_up(case: Case, seed: int) -> None:
    """Whoever reads what the points are made of gets the points that the referee counts."""

    def look(state: State) -> None:
        everything = state.score_parts(None)
        assert [sum(part.points for part in parts or ()) for parts in everything] == state.scores()
        for seat in range(state.seats):
            own = state.score_parts(seat)
            assert own[seat] == everything[seat]
            if isinstance(state, GargonState) and not state.rules["open_winnings"]:
                hidden = [parts for at, parts in enumerate(own) if at != seat]
                assert all((parts is None) == (state.turn >= 0) for parts in hidden)

    watched(record(case, seed), look)


def test_a_copy_for_searching_calls_nobody() -> None:
    """A search that plays on in a copy does not disturb whoever looks at the game."""
    state = CASTORS.start(3, CASTORS.rules({}), StackedDeck(record(CASES[-1], 1).orders))
    calls: list[int] = []
    state.on_event = lambda: calls.append(1)
    twin = state.copy()
    for _ in range(4):
        twin.apply(twin.default())
    assert calls == []
