"""How a deal of Gang de Castors ends, and who knows which card."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from arena.games.castors.cards import DRAW, PACK, PEEK, SWAP
from arena.games.castors.state import CastorsState

from .playing import SEEDS, Case, events_of, record
from .stacked import CASTORS, castors, do

MOVE = ("draw", "discard")


def events(state: CastorsState, name: str) -> list[tuple[Any, ...]]:
    """What happened so far under this name, without the name."""
    assert state.events is not None
    return [event[1:] for event in state.events if event[0] == name]


# Calling


@pytest.mark.parametrize("seats", CASTORS.players)
def test_the_last_player_of_the_first_lap_is_the_first_who_can_call(seats: int) -> None:
    """Nobody is asked to call before everybody has had a turn; from then on everybody is.

    « Après le premier tour (quand chacun a joué une fois), un joueur peut décider de mettre fin
    à la manche ».
    """
    state = castors(*[[]] * seats, draws=[9] * (2 * seats - 4))
    for move in range(2 * seats - 4):
        assert (state.turn, state.kind) == ((1 + move) % seats, "turn")
        do(state, *MOVE)
        assert (state.kind == "call") == (move >= seats - 1)
        if state.kind == "call":
            assert state.turn == (1 + move) % seats
            assert state.actions() == [("call",), ("wait",)]
            do(state, "wait")


@pytest.mark.parametrize("waits", [0, 1, 2])
def test_after_the_call_every_other_player_has_one_more_turn(waits: int) -> None:
    """The others move once more, nobody calls again, and the deal ends before the caller.

    « Après avoir tapé, tous les autres joueurs (sauf celui qui a tapé) jouent encore une fois et
    la manche est terminée. »
    """
    state = castors([], [], [], draws=[*[9] * 8, 8])
    do(state, *MOVE * 3, *["wait", *MOVE] * waits)
    caller = state.turn
    assert caller == waits
    do(state, "call")
    assert events(state, "called") == [(caller,)]
    assert state.view(1)["caller"] == caller
    for other in (caller + 1, caller + 2):
        assert (state.turn, state.kind) == (other % 3, "turn")
        assert not events(state, "counted")
        do(state, *MOVE)
    assert len(events(state, "counted")) == 1
    assert (state.deal, state.view(0)["caller"]) == (1, -1)


def test_the_caller_is_not_protected() -> None:
    """A swap card played in the last round can take the caller's card."""
    state = castors([1] * 4, [8] * 4, [], turned=9, draws=[9, 9, 9, SWAP, 9])
    do(state, *MOVE * 3, "call", "draw", "swap 2 0 0", "discard")
    assert events(state, "counted")[0][0][:2] == [[8, 1, 1, 1], [8, 8, 1, 8]]


@pytest.mark.parametrize("laps", [1, 2, 5])
def test_a_deal_ends_after_the_last_lap(laps: int) -> None:
    """If nobody calls, the deal ends when everybody has had as many turns as there are laps."""
    state = castors([], [], [], draws=[8] * 3, laps=laps)
    turns = 0
    while state.deal == 0:
        turns += state.kind == "card"
        assert state.view(0)["moves"] <= 3 * laps
        state.apply(state.default())
    assert turns == 3 * laps
    assert events(state, "called") == []
    assert len(events(state, "counted")) == 1


def test_a_call_on_the_last_lap_still_gives_the_others_a_turn() -> None:
    """Whoever calls after the very last move has the others move once more."""
    state = castors([], [], [], draws=[9] * 5, laps=1)
    do(state, *MOVE * 3, "call")
    assert (state.deal, state.turn) == (0, 1)
    do(state, *MOVE * 2)
    assert state.deal == 1


# Replacing action cards and counting


def test_replacements_start_at_the_caller() -> None:
    """From the caller clockwise, and by position, action cards are replaced from the pile.

    « Si plusieurs joueurs doivent échanger des cartes action, on commence par le joueur qui a mis
    fin à la manche. » « S'il s'agit de nouveau d'une carte action, le joueur pioche jusqu'à ce
    qu'il obtienne une carte avec une valeur. »
    """
    rows = ([SWAP, 1, 1, 1], [2, DRAW, 2, PEEK], [3, 3, SWAP, 3])
    state = castors(*rows, draws=[*[9] * 6, 4, SWAP, PEEK, 5, 6, 7])
    do(state, *MOVE * 3, "wait", *MOVE, "call", *MOVE * 2)
    assert events(state, "replaced") == [
        (1, 1, [DRAW, 4]),
        (1, 3, [PEEK, SWAP, PEEK, 5]),
        (2, 2, [SWAP, 6]),
        (0, 0, [SWAP, 7]),
    ]
    rows_shown, points, _ = events(state, "counted")[0]
    assert rows_shown == [[7, 1, 1, 1], [2, 4, 2, 5], [3, 3, 6, 3]]
    assert points == [10, 13, 15]


def test_replacements_after_the_last_lap_start_at_whoever_moved_last() -> None:
    """When the laps are over the last mover is treated as if he had called."""
    rows = ([SWAP, 1, 1, 1], [SWAP, 2, 2, 2], [SWAP, 3, 3, 3])
    state = castors(*rows, draws=[9, 9, 9, 4, 5, 6], laps=1)
    do(state, *MOVE * 3, "wait")
    assert events(state, "replaced") == [(0, 0, [SWAP, 4]), (1, 0, [SWAP, 5]), (2, 0, [SWAP, 6])]


@pytest.mark.parametrize("laps", [1, 100])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_replacements_go_round_in_every_deal(laps: int, seed: int) -> None:
    """In every deal replacements go clockwise from the caller, or else from the dealer.

    The dealer has the last turn of a lap, so he is the last mover of a deal that nobody ended.
    """
    game = record(Case(CASTORS, 5, {"laps": laps}), seed)
    first = 0
    order: list[int] = []
    for event in events_of(game.at(len(game.actions))):
        if event[0] == "deal":
            first, order = event[2], []
        elif event[0] == "called":
            first = event[1]
        elif event[0] == "replaced":
            seat, position = event[1:3]
            order.append((seat - first) % 5 * 4 + position)
            assert order == sorted(set(order))


def test_replacements_reshuffle_every_discard() -> None:
    """If the pile runs out while action cards are replaced, all discards become the new pile.

    Decision: the top one included, for nobody can take it any more.
    """
    rows = [[PEEK, 0, 0, 0], [1] * 4]
    rest = Counter(PACK) - Counter([*rows[0], *rows[1], 9, SWAP])
    state = castors(*rows, turned=9, draws=[*rest.elements(), SWAP], laps=28)
    while state.deal == 0:
        state.apply(state.default())
    assert events(state, "reshuffled") == [(57,)]
    assert events(state, "replaced") == [(0, 0, [PEEK, SWAP, 9])]


# Who knows what


def known(state: CastorsState, seat: int) -> list[list[int]]:
    """The cards of all rows that a seat knows."""
    rows: list[list[int]] = state.view(seat)["rows"]
    return rows


def test_knowledge_follows_a_card_through_swaps() -> None:
    """A card that a seat has seen stays known to it, whoever swaps it wherever."""
    rows = ([1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 8, 8])
    state = castors(*rows, turned=9, draws=[SWAP, SWAP, SWAP, 9])
    do(state, "draw", "swap 0 0 0")
    assert known(state, 0) == [[-1, -1, -1, 4], [1, -1, -1, -1], [-1] * 4]
    assert known(state, 1) == [[5, -1, -1, -1], [-1, -1, -1, 8], [-1] * 4]
    assert known(state, 2) == [[-1] * 4, [-1] * 4, [0, -1, -1, 8]]
    do(state, "swap 3 1 0")
    assert known(state, 0) == [[-1, -1, -1, 4], [-1] * 4, [-1, -1, -1, 1]]
    assert known(state, 2) == [[-1] * 4, [8, -1, -1, -1], [0, -1, -1, -1]]
    do(state, "swap 3 2 3")
    assert known(state, 0) == [[-1, -1, -1, 1], [-1] * 4, [-1, -1, -1, 4]]
    for seat in range(3):
        assert state.view(seat)["known_by"] == [[2, 0, 0, 1], [4, 0, 0, 2], [4, 0, 0, 1]]
    do(state, "wait", "keep 0")
    assert state.view(0)["discards"][-1] == 8


def test_a_peeked_card_stays_known_after_a_swap() -> None:
    """What a seat peeked at it still knows in an opponent's row, and the opponent does not."""
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=9, draws=[PEEK, SWAP])
    do(state, "draw", "peek 1")
    do(state, "swap 2 1 1", "wait")
    assert known(state, 1) == [[-1, -1, 6, -1], [5, -1, -1, 8]]
    assert known(state, 0) == [[1, -1, -1, 4], [-1] * 4]


def test_a_taken_card_is_known_to_all() -> None:
    """Everybody saw the card that was taken from the discards, and knows it after a swap."""
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 0], turned=9, draws=[SWAP])
    do(state, "take 2", "draw", "swap 0 1 2")
    for seat in range(3):
        assert known(state, seat)[2][0] == 9
        assert state.view(seat)["known_by"][2][0] == 0b111
        assert not state.view(seat)["kept"][2][0]


def test_a_kept_card_is_known_to_be_a_value_card() -> None:
    """That a card was drawn and kept is public and moves with it, until it is discarded."""
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=9, draws=[2, SWAP, 3])
    do(state, "draw", "keep 1")
    for seat in range(2):
        assert state.view(seat)["kept"] == [[False] * 4, [False, True, False, False]]
    assert known(state, 1)[1] == [5, 2, -1, 8]
    assert known(state, 0)[1] == [-1] * 4
    do(state, "draw", "swap 0 1 1", "wait")
    assert state.view(0)["kept"] == [[True, False, False, False], [False] * 4]
    assert known(state, 1)[0] == [2, -1, -1, -1]
    do(state, "keep 1", "wait", "take 0")
    assert state.view(0)["kept"] == [[False] * 4, [False, True, False, False]]


def test_a_drawn_card_is_secret() -> None:
    """Only whoever drew a card sees it; the others see that there is one."""
    state = castors([], [], [], turned=9, draws=[4])
    assert [state.view(seat)["drawn"] for seat in range(3)] == [None] * 3
    do(state, "draw")
    assert [state.view(seat)["drawn"] for seat in range(3)] == [-1, 4, -1]
    (drew,) = [event for event in state.events or [] if event[0] == "drew"]
    shown = [CASTORS.show(drew, seat) for seat in range(3)]
    assert [form.get("card") for form in shown] == [None, 4, None]
    assert CASTORS.show(drew, None)["card"] == 4
