"""The examples that the rules of Gargon work through, move by move and point by point.

Three editions are quoted: the English one (Rio Grande Games), the publisher's French one
(Amigo) and the French translation by François Haffner.
"""

from __future__ import annotations

import pytest

from arena.games.gargon.cards import AMULETS
from arena.games.gargon.state import GargonState
from arena.games.illegal import IllegalAction

from .stacked import BLUE, GARGON, GREEN, RED, YELLOW, cards, counts, draw_and_pass, gargon, play

ANNA, BOB, CHRIS, DAVID = range(4)
STACKS = ("W7 G3 V4 B11", "G9 V1 Y15")


def round_after(steps: int) -> GargonState:
    """The example round after so many of its decisions."""
    state = gargon("Y2 Y6 R9", "", "B2 B8 R8", "R14 R0 B12 W5 Y3", stacks=STACKS)
    for action in (
        ("play", *cards("R9 Y2 Y6")),
        ("pass", 2, 1),
        ("play", *cards("B2 B8 R8")),
        ("play", *cards("B12 R0 R14")),
        ("battle", YELLOW),
        ("draw", 0),
        ("draw", 1),
        ("draw", 0),
    )[:steps]:
        assert action in state.actions()
        state.apply(state.check(list(action)))
    return state


def news(before: int, after: int) -> list[tuple[object, ...]]:
    """The events of the example round between two of its decisions."""
    events = round_after(after).events
    seen = round_after(before).events
    assert events is not None
    assert seen is not None
    assert events[: len(seen)] == seen
    return events[len(seen) :]


def test_anna_plays_face_down() -> None:
    """Anna starts, and the others see the colours of what she plays but not the values.

    English edition: "Anna is the starting player. She begins the card playing phase by playing
    two yellow cards and one red card face-down in her play area."
    """
    start = round_after(0)
    assert (start.turn, start.kind, start.view(BOB)["starter"]) == (ANNA, "play", ANNA)
    state = round_after(1)
    assert state.turn == BOB
    assert state.view(ANNA)["table"] == [cards("R9 Y2 Y6"), None, None, None]
    assert len(state.view(ANNA)["hand"]) == 7
    for other in (BOB, CHRIS, DAVID):
        view = state.view(other)
        assert view["table"] == [None if seat != other else [] for seat in range(4)]
        assert view["played"][ANNA] == counts("R9 Y2 Y6")
        assert view["shape"] == [2, 1]
    (event,) = news(0, 1)
    assert event == ("played", ANNA, [RED, YELLOW, YELLOW], cards("R9 Y2 Y6"))
    assert "cards" not in GARGON.show(event, BOB)


def test_bob_passes_and_draws() -> None:
    """Bob passes: the top cards of both stacks go to his hand, and all see their backs.

    English edition: "Bob passes and takes from the first fanned stack the top two cards and
    from the second fanned stack the top card, adding all three cards to his hand."
    """
    before, state = round_after(1), round_after(2)
    drawn = cards("W7 G3 G9")
    assert state.turn == CHRIS
    assert state.view(BOB)["hand"] == sorted(before.view(BOB)["hand"] + drawn)
    assert state.view(CHRIS)["passed"] == [False, True, False, False]
    old, new = before.view(CHRIS)["stacks"], state.view(CHRIS)["stacks"]
    assert new == [old[0][2:], old[1][1:]]
    assert news(1, 2) == [("passed", BOB, [2, 1], counts_in_order("W7 G3 G9"), drawn)]
    assert sum(state.view(CHRIS)["hands"][BOB]) == 13


def test_chris_follows_in_other_colours() -> None:
    """Chris may choose other colours than Anna but not another shape.

    English edition: "Chris chooses to play cards. She must play two cards in one color and one
    card in another. She plays two blue cards and one red card face down in her play area."
    """
    for wrong in ("B2", "B2 B8", "B2 R8"):
        with pytest.raises(IllegalAction, match=r"shape 2\+1"):
            round_after(2).check(["play", *cards(wrong)])
    state = round_after(3)
    assert state.turn == DAVID
    assert state.view(DAVID)["played"][CHRIS] == counts("B2 B8 R8")


def test_david_is_bound_to_the_colours_played() -> None:
    """David, the last player, can use yellow, blue and red and no other colour.

    English edition: "David chooses to play cards and must, as the last player, only play colors
    already played: yellow, blue, and red, and in the same 2:1 mix as the others have. He plays
    two red cards and one blue card in his play area."
    """
    state = round_after(3)
    with pytest.raises(IllegalAction, match="expected blue or red or yellow"):
        state.check(["play", *cards("R14 R0 W5")])
    used = {card >> 4 for action in state.actions() if action[0] == "play" for card in action[1:]}
    assert used == {BLUE, RED, YELLOW}
    state = round_after(4)
    table = [cards("R9 Y2 Y6"), [], cards("B2 B8 R8"), cards("B12 R0 R14")]
    assert all(state.view(seat)["table"] == table for seat in range(4))
    assert news(3, 4)[1:] == [("revealed", table)]


def test_anna_chooses_the_yellow_battle_and_wins_it_alone() -> None:
    """Anna chooses the first battle and wins both yellow cards, for nobody else has one.

    English edition: "Anna, as the starting player, chooses the yellow Manticore for the first
    battle. As no other player has played this creature, Anna wins both her yellow cards (a "2"
    and a "6") and places them face-down on her stack of won cards."
    """
    before, state = round_after(4), round_after(5)
    assert (before.turn, before.kind) == (ANNA, "battle")
    assert before.actions() == [("battle", RED), ("battle", YELLOW)]
    assert state.view(ANNA)["won"] == [cards("Y2 Y6"), None, None, None]
    assert state.view(BOB)["won"] == [None, [], None, None]
    assert news(4, 5)[:2] == [("battle", ANNA, YELLOW), ("won", ANNA, cards("Y2 Y6"))]


def test_the_red_battle_goes_to_the_highest_card() -> None:
    """Anna has to go on with red; David's 14 wins, the 9 and the 8 are discarded.

    English edition: "Anna has a red Phoenix card left in her play area and must choose this for
    the next battle. [...] Anna's red Phoenix has the value "9", Chris' has the value "8", and
    David has a "14" and a "0". Therefore, David wins the first battle with his "14" red Phoenix
    (he must choose his highest)".
    """
    assert news(4, 5)[2:] == [
        ("battle", ANNA, RED),
        ("fought", [ANNA, CHRIS, DAVID], cards("R9 R8 R14"), DAVID),
    ]
    state = round_after(5)
    assert state.view(ANNA)["discards"] == cards("R9 R8")
    assert state.view(DAVID)["won"][DAVID] == cards("R14")
    assert state.view(BOB)["table"] == [[], [], cards("B2 B8"), cards("B12 R0")]
    assert state.view(BOB)["fighting"] == RED


def test_the_losers_draw_from_the_starter_on() -> None:
    """Anna and Chris each draw a card for the lost one, Anna first, from a stack they choose.

    English edition: "Anna and Chris discard their red cards and draw one card each, starting
    with Anna, from either of the two fanned stacks."
    """
    before, between, state = round_after(5), round_after(6), round_after(7)
    assert (before.turn, before.kind) == (ANNA, "draw")
    assert before.view(DAVID)["drawing"] == [ANNA, CHRIS]
    assert before.actions() == between.actions() == [("draw", 0), ("draw", 1)]
    assert (between.turn, between.view(DAVID)["drawing"]) == (CHRIS, [CHRIS])
    (v4,), (v1,) = cards("V4"), cards("V1")
    assert news(5, 6) == [("drew", ANNA, 0, v4 >> 4, v4)]
    assert news(6, 7)[0] == ("drew", CHRIS, 1, v1 >> 4, v1)
    assert "card" not in GARGON.show(news(5, 6)[0], CHRIS)
    assert v4 in state.view(ANNA)["hand"]
    assert v1 in state.view(CHRIS)["hand"]


def test_davids_zero_wins_alone() -> None:
    """David's red 0 is the only red card left after the first battle, so it wins.

    English edition: "David still has his red "o" in his play area. As he is the only player with
    a red card left, he automatically wins it and places it face-down on his stack of won cards."
    """
    assert news(6, 7)[1] == ("won", DAVID, cards("R0"))
    assert round_after(7).view(DAVID)["won"][DAVID][:2] == cards("R14 R0")


def test_chris_fights_in_blue() -> None:
    """Chris comes next, has only blue, loses her 8 to David's 12, draws, and keeps her 2.

    English edition: "As Anna has no more played cards left, Chris, her left neighbor chooses the
    creature for the next battle. [...] David wins the first battle with his "12", beating
    Chris' "8" [...] As Chris is the only player with a remaining blue card, she wins her "2"
    without a battle".
    """
    assert news(6, 7)[2:] == [
        ("battle", CHRIS, BLUE),
        ("fought", [CHRIS, DAVID], cards("B8 B12"), DAVID),
    ]
    state = round_after(7)
    assert (state.turn, state.kind, state.view(BOB)["fighting"]) == (CHRIS, "draw", BLUE)
    (b11,) = cards("B11")
    assert news(7, 8)[:2] == [("drew", CHRIS, 0, BLUE, b11), ("won", CHRIS, cards("B2"))]


def test_bob_starts_the_next_round() -> None:
    """The round ends with the last card on the table, and Anna's left neighbour starts.

    English edition: "Bob, as Anna's left neighbor, becomes the starting player for the next
    round."
    """
    assert news(7, 8)[2:] == [("round", 1, BOB)]
    state = round_after(8)
    assert (state.turn, state.kind) == (BOB, "play")
    won = [state.view(seat)["won"][seat] for seat in range(4)]
    assert won == [cards("Y2 Y6"), [], cards("B2"), cards("R14 R0 B12")]
    view = state.view(DAVID)
    assert view["discards"] == cards("R9 R8 B8")
    assert [sum(hand) for hand in view["hands"]] == [8, 13, 9, 7]
    assert (view["round"], view["starter"], view["shape"]) == (1, BOB, None)
    assert view["table"] == [None, None, None, []]
    assert view["passed"] == [False] * 4


def test_dagmar_may_not_bring_a_new_colour() -> None:
    """The last player's bound holds in the translation's own example too.

    French translation: « Dagmar, qui joue en dernier, joue deux vertes et une jaune. Il n'était
    pas autorisé à jouer une carte blanche, puisqu'il y en a pas sur la table. »
    """
    state = gargon("Y1 Y2 R3", "B1 B2 V3", "G1 G2 B3", "G8 G9 Y8 W8")
    for text in ("Y1 Y2 R3", "B1 B2 V3", "G1 G2 B3"):
        play(state, text)
    with pytest.raises(IllegalAction, match="white 8"):
        state.check(["play", *cards("G8 G9 W8")])
    play(state, "G8 G9 Y8")
    assert state.view(0)["played"][3] == counts("G8 G9 Y8")
    assert state.view(0)["played"][3][GREEN] == 2


PILES = [
    cards("V0 V5 V13 G7 G13 W1 W10 Y2 Y6"),
    cards("W5 W0 Y1 Y8 Y0"),
    cards("B15 B3 B2 B0 W6 W11 R10 R8 R7 R2"),
    cards("R6 R0 R0 Y13 Y15 B13 B12 B10"),
]
OTHER_AMULETS = "5 5 4 3 3 3 2 2 2 1 1 1"


@pytest.mark.parametrize(
    ("amulets", "points"),
    [(list(AMULETS), [47, 35, 59, 14]), (OTHER_AMULETS, [47, 35, 57, 14])],
)
def test_scoring_example(amulets: object, points: list[int]) -> None:
    """The points of the scoring example come out, with the amulets of either edition.

    French translation: « Au total, il a 25 points de bonus et 22 amulettes soit 47 points. »
    English edition: "Bob has 20 amulets plus 15 bonus points for a total of 35 points." "Chris
    has 34 amulets plus 25 bonus points for a total of 59 points." "David has 14 amulets and no
    bonus points for a total of 14 points."
    French translation: « Colette avec 25 points de bonus et 32 amulettes totalise 57 points. »
    """
    state = gargon("", "", "", "", rules={"amulets": amulets})
    state.won = [pile[:] for pile in PILES]
    assert state.scores() == points
    assert GARGON.places(points) == [2, 3, 1, 4]


def red_battle(first: str, second: str, third: str = "") -> GargonState:
    """A round in which these cards were played, up to the first draw or to its end."""
    state = gargon(first, second, third, stacks=("G11 G12 G13", "G14"))
    play(state, first)
    play(state, second)
    if third:
        play(state, third)
    else:
        draw_and_pass(state)
    while state.kind == "battle":
        state.apply(("battle", RED) if ("battle", RED) in state.actions() else state.default())
    return state


def fights(state: GargonState) -> list[tuple[object, ...]]:
    """What the battles came to, in the red cards only."""
    assert state.events is not None
    return [
        event
        for event in state.events
        if (event[0] == "fought" or (event[0] == "won" and event[2][0] >> 4 == RED))
        or event[0] == "drew"
    ]


def test_a_nine_beats_a_zero_and_the_other_zero_is_alone() -> None:
    """Of 0 and 9 against 0 the 9 wins, the beaten 0 brings a card, and the 0 left over wins.

    English edition: "creature cards with the value "o" may only win in possibilities A and C."
    """
    state = red_battle("R0 R9 W5", "R0 Y3 Y4")
    assert (state.turn, state.kind) == (1, "draw")
    state.apply(("draw", 0))
    assert fights(state) == [
        ("fought", [0, 1], cards("R9 R0"), 0),
        ("drew", 1, 0, *card_with_colour("G12")),
        ("won", 0, cards("R0")),
    ]


def test_a_five_beats_a_zero_and_the_second_zero_wins() -> None:
    """Of two zeros against a 5 one is lost and replaced, and the other is then alone.

    English edition: "C) If there is only one player with a card from the chosen creature after
    the first battle, this player wins the card of this creature without a battle."
    """
    state = red_battle("R0 R0 W5", "R5 Y3 Y4")
    assert (state.turn, state.kind) == (0, "draw")
    state.apply(("draw", 1))
    assert state.view(0)["discards"] == cards("R0")
    assert fights(state) == [
        ("fought", [0, 1], cards("R0 R5"), 1),
        ("drew", 0, 1, *card_with_colour("G14")),
        ("won", 0, cards("R0")),
    ]


def test_two_zeros_are_both_discarded_and_nobody_draws() -> None:
    """A battle of nothing but zeros has no winner, and nobody draws for it.

    French edition: « Si deux joueurs ont une carte Gargon de valeur 0 de la même couleur, ces
    deux cartes sont défaussées. Dans ce cas, il ne faut pas piocher de carte en remplacement. »
    """
    state = red_battle("R0", "R0")
    assert (state.kind, state.view(0)["round"]) == ("play", 1)
    assert fights(state) == [("fought", [0, 1], cards("R0 R0"), -1)]
    assert state.view(0)["discards"] == cards("R0 R0")


def test_zeros_that_a_higher_card_beats_are_ordinary_losers() -> None:
    """Where 0 and 5, 0, and 3 meet, both losers draw and the 0 behind the 5 wins alone.

    English edition: "Each player who lost a card in the battle must draw a card".
    """
    state = red_battle("R0 R5 W1", "R0 Y3 Y4", "R3 W2 W3")
    assert state.view(0)["drawing"] == [1, 2]
    state.apply(("draw", 0))
    state.apply(("draw", 0))
    assert fights(state)[:4] == [
        ("fought", [0, 1, 2], cards("R5 R0 R3"), 0),
        ("drew", 1, 0, *card_with_colour("G11")),
        ("drew", 2, 0, *card_with_colour("G12")),
        ("won", 0, cards("R0")),
    ]


def test_a_second_battle_is_fought_like_the_first() -> None:
    """Two pairs fight twice: the losers' draws of the first battle come before the second.

    English edition: "If there are still cards left of the creature chosen, a second battle
    occurs. As before, the players compare the cards' values."
    """
    state = red_battle("R9 R3", "R8 R4")
    state.apply(("draw", 0))
    assert (state.turn, state.kind) == (0, "draw")
    state.apply(("draw", 0))
    assert fights(state) == [
        ("fought", [0, 1], cards("R9 R8"), 0),
        ("drew", 1, 0, *card_with_colour("G12")),
        ("fought", [0, 1], cards("R3 R4"), 1),
        ("drew", 0, 0, *card_with_colour("G13")),
    ]


def card_with_colour(text: str) -> tuple[int, int]:
    """The end of a "drew" event: a card's colour, then the card."""
    (card,) = cards(text)
    return card >> 4, card


def counts_in_order(text: str) -> list[int]:
    """The colours of these cards, in order."""
    return [card >> 4 for card in cards(text)]
