"""How a deal of Gang de Castors goes: the document's final table, turns, calls, and the end.

The document is the French rule sheet (Gigamic); its sentences are quoted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from arena.games.castors.cards import DRAW, PACK, PEEK, SWAP
from arena.games.castors.state import CastorsState
from arena.games.illegal import IllegalAction

from .stacked import CASTORS, castors, do

NINES = [9] * 5


def events(state: CastorsState, *names: str) -> list[tuple[Any, ...]]:
    """What happened so far under these names, or everything."""
    assert state.events is not None
    return [event for event in state.events if not names or event[0] in names]


def test_final_table() -> None:
    """The last table of the document: 11, 7, and 12 points after an 8 replaced an action card.

    « Sarah a onze points (4+2+0+5). Lisa a 7 points (1+2+1+3). Tim dispose d'une carte action ;
    il la met de côté et tire en lieu et place la 1ère carte de la pioche (valeur 8). Tim
    totalise ainsi douze points (0+4+8+0). »
    """
    state = castors([4, 2, 0, 5], [1, 2, 1, 3], [0, 4, SWAP, 0], draws=[*NINES, 8])
    do(state, *["draw", "discard"] * 3, "call", *["draw", "discard"] * 2)
    replaced, counted = events(state, "replaced", "counted")
    assert replaced == ("replaced", 2, 2, [SWAP, 8])
    rows = [[4, 2, 0, 5], [1, 2, 1, 3], [0, 4, 8, 0]]
    assert counted == ("counted", rows, [11, 7, 12], [11, 7, 12])
    assert state.scores() == [11, 7, 12]
    assert CASTORS.places([11, 7, 12]) == [2, 1, 3]


@pytest.mark.parametrize("seats", CASTORS.players)
def test_number_of_deals_and_dealers(seats: int) -> None:
    """There are as many deals as players, four for two, and the deal goes round to the left.

    « On joue autant de manches qu'il y a de joueurs (à deux joueurs, on fait quatre manches). »
    « Le joueur à la gauche du donneur commence, puis le jeu se fait dans le sens horaire. »
    """
    state = castors(*[[]] * seats, laps=1)
    firsts = [state.turn]
    while not state.over:
        deal = state.deal
        state.apply(state.default())
        if not state.over and state.deal != deal:
            firsts.append(state.turn)
    deals = seats if seats > 2 else 4
    assert [event[1:3] for event in events(state, "deal")] == [
        (deal, deal % seats) for deal in range(deals)
    ]
    assert firsts == [(deal + 1) % seats for deal in range(deals)]
    assert state.view(0)["deals"] == deals
    totals = [sum(points) for points in zip(*[e[2] for e in events(state, "counted")], strict=True)]
    assert state.scores() == totals


def test_everybody_looks_at_the_ends_of_his_row() -> None:
    """Each player knows his own first and last card at the start, and only he does.

    « Chaque joueur peut regarder brièvement et secrètement les deux cartes aux extrémités de sa
    rangée. »
    """
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=0)
    assert state.view(0)["rows"] == [[1, -1, -1, 4], [-1] * 4]
    assert state.view(1)["rows"] == [[-1] * 4, [5, -1, -1, 8]]
    assert state.view(1)["known_by"] == [[1, 0, 0, 1], [2, 0, 0, 2]]
    looked = events(state, "looked")
    assert looked == [("looked", 0, [0, 3], [1, 4]), ("looked", 1, [0, 3], [5, 8])]
    assert "cards" not in CASTORS.show(looked[0], 1)
    assert state.view(0)["discards"] == [0]


# A turn


def test_an_action_card_turned_up_cannot_be_taken() -> None:
    """While an action card lies open there is no choice but to draw, so nobody is asked.

    « si la 1ère carte de la défausse est une carte action, on n'a pas le droit de la prendre, le
    joueur doit faire l'action B. »
    """
    state = castors([], [], turned=PEEK, draws=[SWAP, 5])
    assert (state.turn, state.kind, state.view(1)["drawn"]) == (1, "card", SWAP)
    do(state, "discard")
    assert (state.turn, state.kind, state.view(0)["drawn"]) == (0, "card", 5)
    do(state, "discard", "wait")
    assert (state.turn, state.kind) == (1, "turn")
    assert state.view(1)["discards"] == [PEEK, SWAP, 5]


def test_taking_the_top_discard() -> None:
    """The taken card goes into the row, the old one is seen by all and opens the next turn.

    « La carte échangée va, face visible, sur la défausse. »
    """
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=0)
    assert state.actions() == [("draw",), *[("take", position) for position in range(4)]]
    do(state, "take 1")
    assert events(state)[-1] == ("took", 1, 0, 1, 6)
    assert state.view(0)["discards"] == [6]
    assert state.view(0)["rows"] == [[1, -1, -1, 4], [-1, 0, -1, -1]]
    assert state.view(0)["known_by"][1] == [2, 3, 0, 2]
    assert (state.turn, state.kind) == (0, "turn")


def test_a_drawn_value_card_is_kept_or_discarded() -> None:
    """A value card can replace any card of one's row or be discarded; it is no action.

    « la carte tirée est une carte valeur, le joueur peut échanger la carte contre une de ses
    quatre cartes couvertes ou la défausser. »
    """
    state = castors([], [5, 6, 7, 8], turned=0, draws=[2])
    do(state, "draw")
    assert state.actions() == [("discard",), *[("keep", position) for position in range(4)]]
    assert (state.view(1)["drawn"], state.view(0)["drawn"]) == (2, -1)
    assert "card" not in CASTORS.show(events(state)[-1], 0)
    do(state, "keep 3")
    assert state.view(1)["rows"][1] == [5, -1, -1, 2]
    assert state.view(0)["rows"][1] == [-1] * 4
    assert state.view(0)["discards"] == [0, 8]
    assert events(state)[-1] == ("kept", 1, 3, 8)


@pytest.mark.parametrize("card", [SWAP, PEEK, DRAW])
def test_an_action_card_never_enters_a_row(card: int) -> None:
    """A drawn action card can be played or discarded without effect, not kept.

    « la carte tirée est une carte action, il peut la défausser ou la jouer. Une carte action
    défaussée n'a pas d'effet. »
    """
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=0, draws=[card, 9])
    do(state, "draw")
    verbs = {action[0] for action in state.actions()}
    assert verbs == {"discard", {SWAP: "swap", PEEK: "peek", DRAW: "draw"}[card]}
    with pytest.raises(IllegalAction):
        state.check(["keep", 0])
    rows = [state.view(seat)["rows"] for seat in range(2)]
    do(state, "discard")
    assert [state.view(seat)["rows"] for seat in range(2)] == rows
    assert state.turn == 0


def test_swap_exchanges_two_unseen_cards() -> None:
    """One's own card changes places with any card of any opponent, and nobody looks.

    « Le joueur échange une de ses quatre cartes couvertes contre n'importe quelle carte d'un
    joueur adverse. Les deux cartes ne peuvent pas être regardées. »
    """
    rows = ([1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 0])
    state = castors(*rows, turned=9, draws=[SWAP, 9, 9, 9, 9])
    do(state, "draw")
    swaps = [action for action in state.actions() if action[0] == "swap"]
    assert len(swaps) == 4 * 2 * 4
    with pytest.raises(IllegalAction, match="opponent"):
        state.check(["swap", 0, 1, 1])
    do(state, "swap 1 0 2")
    assert events(state, "swapped") == [("swapped", 1, 1, 0, 2)]
    assert state.view(0)["rows"] == [[1, -1, -1, 4], [-1] * 4, [-1] * 4]
    assert state.view(1)["rows"] == [[-1] * 4, [5, -1, -1, 8], [-1] * 4]
    assert state.view(2)["discards"] == [9, SWAP]
    do(state, "discard", "draw", "discard", "call", *["draw", "discard"] * 2)
    assert events(state, "counted")[0][1][:2] == [[1, 2, 6, 4], [5, 3, 7, 8]]


def test_peek_shows_one_own_card() -> None:
    """Whoever peeks sees one of his own cards, and the others see only where.

    « Le joueur peut regarder secrètement une de ses quatre cartes avant de la remettre à sa
    place. »
    """
    state = castors([1, 2, 3, 4], [5, 6, 7, 8], turned=0, draws=[PEEK])
    do(state, "draw", "peek 2")
    assert state.view(1)["rows"][1] == [5, -1, 7, 8]
    assert state.view(0)["rows"][1] == [-1] * 4
    assert state.view(0)["known_by"][1] == [2, 0, 2, 2]
    (peeked,) = events(state, "peeked")
    assert CASTORS.show(peeked, 1) == {"event": "peeked", "seat": 1, "position": 2, "card": 7}
    assert "card" not in CASTORS.show(peeked, 0)


def test_a_card_from_a_draw_card_can_be_rejected_once() -> None:
    """A card drawn for a draw card is used or rejected; the second one has to be used.

    « Si elle lui convient, il l'utilise comme décrit dans l'action B. Si la carte ne lui
    convient pas, il la défausse et prend une nouvelle carte de la pioche. Le joueur doit alors
    utiliser cette carte, comme décrit dans l'action B. »
    """
    state = castors([], [1, 2, 3, 4], turned=0, draws=[DRAW, 7, 5])
    do(state, "draw", "draw")
    assert (state.turn, state.view(1)["drawn"], state.view(0)["rejectable"]) == (1, 7, True)
    assert [action[0] for action in state.actions()] == ["discard", *["keep"] * 4, "reject"]
    do(state, "reject")
    assert (state.turn, state.view(1)["drawn"], state.view(0)["rejectable"]) == (1, 5, False)
    assert ("reject",) not in state.actions()
    with pytest.raises(IllegalAction):
        state.check(["reject"])
    do(state, "discard")
    assert (state.turn, state.view(0)["discards"]) == (0, [0, DRAW, 7, 5])


@pytest.mark.parametrize("use", ["discard", "keep 0"])
def test_using_the_first_card_forgoes_the_second(use: str) -> None:
    """Whoever keeps or discards the first card from a draw card draws no second one."""
    state = castors([], [1, 2, 3, 4], turned=0, draws=[DRAW, 7, 5])
    do(state, "draw", "draw", use)
    assert (state.turn, state.kind) == (0, "turn")
    assert not state.view(0)["rejectable"]
    assert state.view(0)["pile"] == 66 - 8 - 1 - 2


@pytest.mark.parametrize("first", ["swap 0 0 0", "peek 0", "discard"])
def test_an_action_card_played_from_a_draw_card_ends_the_turn(first: str) -> None:
    """Playing the action card that a draw card brought forgoes the second card."""
    card = PEEK if first == "peek 0" else SWAP
    state = castors([], [], turned=0, draws=[DRAW, card, 5])
    do(state, "draw", "draw", first)
    assert (state.turn, state.view(0)["discards"]) == (0, [0, DRAW, card])


@pytest.mark.parametrize("path", [[], ["reject"]])
def test_a_further_draw_card_starts_afresh(path: list[str]) -> None:
    """A draw card that a draw card brought gives a first card that can be rejected again."""
    brought = [7] if path else []
    state = castors([], [], turned=0, draws=[DRAW, *brought, DRAW, 6, 5])
    do(state, "draw", "draw", *path, "draw")
    assert (state.view(1)["drawn"], state.view(1)["rejectable"]) == (6, True)
    do(state, "reject")
    assert (state.view(1)["drawn"], state.view(1)["rejectable"]) == (5, False)


def test_a_played_action_card_lies_below_what_follows() -> None:
    """The draw card is discarded when it is played, so the card it brought can be taken.

    « Ensuite la carte action est défaussée. » Decision: when it is played, before its effect.
    """
    state = castors([], [1, 2, 3, 4], turned=0, draws=[DRAW, 7])
    do(state, "draw", "draw")
    assert state.view(0)["discards"] == [0, DRAW]
    do(state, "keep 2")
    assert state.view(0)["discards"] == [0, DRAW, 3]
    assert (state.turn, state.kind) == (0, "turn")


def pile_that_ends_with(*last: int) -> list[int]:
    """A pile for rows of zeros and ones and an open 9, whose last cards are these."""
    rest = Counter(PACK) - Counter([*[0] * 4, *[1] * 4, 9, *last])
    return [*rest.elements(), *last]


def test_reshuffle_keeps_the_top_discard() -> None:
    """With the last card of the pile drawn, all discards but the top one become a new pile.

    « Si la pioche est épuisée, on reprend les cartes défaussées pour refaire une pioche en
    gardant la dernière carte visible sur la défausse. »
    """
    draws = pile_that_ends_with(2, 8)
    state = castors([0] * 4, [1] * 4, turned=9, draws=draws)
    while not events(state, "reshuffled"):
        state.apply(state.default())
    view = state.view(state.turn)
    assert (view["discards"], view["drawn"], view["pile"]) == ([2], 8, 56)
    assert events(state)[-1] == ("reshuffled", 56)
    do(state, "keep 0", "wait")
    do(state, "draw")
    assert state.view(state.turn)["drawn"] == 9
    assert state.view(state.turn)["pile"] == 55


def test_reshuffle_in_the_middle_of_a_turn() -> None:
    """A draw card that takes the last card of the pile has the discards reshuffled below it."""
    state = castors([0] * 4, [1] * 4, turned=9, draws=pile_that_ends_with(DRAW, 8))
    while state.view(0)["pile"] > 1:
        state.apply(state.default())
    do(state, *["draw"] * (2 - (state.kind == "card")))
    view = state.view(state.turn)
    assert (view["discards"], view["drawn"], view["rejectable"]) == ([DRAW], 8, True)
    assert view["pile"] == 56
    do(state, "reject")
    view = state.view(state.turn)
    assert (view["discards"], view["drawn"], view["pile"]) == ([DRAW, 8], 9, 55)
