"""What the referee of Gargon decides where the editions are silent, short, or disagree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.gargon.state import GargonState
from arena.games.illegal import IllegalAction

from .playing import SEEDS, Case, record
from .stacked import (
    GARGON,
    WHITE,
    cards,
    counts,
    drain,
    draw_and_pass,
    fight,
    gargon,
    left,
    play,
)


def last_events(state: GargonState, count: int) -> list[tuple[object, ...]]:
    """The last things that happened."""
    assert state.events is not None
    return state.events[-count:]


def names(state: GargonState) -> list[object]:
    """The names of all events so far."""
    assert state.events is not None
    return [event[0] for event in state.events]


# Set-up


@pytest.mark.parametrize(("seats", "half"), [(3, 36), (4, 31), (5, 26)])
def test_ten_cards_each_and_two_equal_stacks(seats: int, half: int) -> None:
    """Everybody gets ten cards, the rest makes two equal stacks, and seat 0 starts.

    English edition: "Separate the remaining creature cards into two equal stacks."
    """
    state = gargon(*[""] * seats)
    assert [sum(hand) for hand in state.view(0)["hands"]] == [10] * seats
    assert left(state) == (half, half)
    assert (state.turn, state.kind) == (0, "play")


def test_backs_show_the_colours_everywhere() -> None:
    """The colours of hands, of cards on the table and of both stacks in order are seen by all.

    English edition: "all creature cards have the same color on the front and back."
    """
    hands = ("W1 W2 B3 V4 R5 Y6 G7 G8 G9 G10", "W3 B5", "B6 B7")
    state = gargon(*hands, stacks=("W15 G15 R15", "Y15 B15"))
    play(state, "B3 V4")
    for seat in range(3):
        view = state.view(seat)
        assert view["hands"][0] == counts("W1 W2 R5 Y6 G7 G8 G9 G10")
        assert view["played"][0] == counts("B3 V4")
        assert [view["stacks"][0][:3], view["stacks"][1][:2]] == [[0, 5, 3], [4, 1]]


@settings(max_examples=30)
@given(seed=SEEDS, seats=st.sampled_from(GARGON.players))
def test_backs_are_those_of_the_cards(seed: int, seats: int) -> None:
    """At any time the backs that are shown are those of the cards that lie there."""
    for state in record(Case(GARGON, seats), seed).states():
        assert isinstance(state, GargonState)
        view = state.view(0)
        for seat in range(seats):
            own = state.view(seat)
            assert view["hands"][seat] == backs(own["hand"])
            assert view["played"][seat] == backs(own["table"][seat])
        for stack, drawn, shown in zip(state.stacks, state.drawn, view["stacks"], strict=True):
            assert shown == [card >> 4 for card in stack[drawn:]]


def backs(hand: list[int]) -> list[int]:
    """How many cards of each colour."""
    return [sum(card >> 4 == colour for card in hand) for colour in range(6)]


# Playing cards


def test_starter_cannot_pass() -> None:
    """A starter who tries to pass is told that he has to play.

    English edition: "The starting player begins a round by playing card(s)."
    """
    state = gargon("", "", "")
    with pytest.raises(IllegalAction, match="starter"):
        state.check(["pass", 1, 0])
    assert all(action[0] == "play" for action in state.actions())


def test_never_three_of_a_colour() -> None:
    """Three cards of one colour are refused, the five shapes of the document are not.

    English edition: "Note: a player may not play three cards with the same creature!"
    """
    state = gargon("W1 W2 W3 B4 V5", "", "")
    with pytest.raises(IllegalAction, match="at most two cards of one colour"):
        state.check(["play", *cards("W1 W2 W3")])
    assert ("play", *cards("W1 W2 W3")) not in state.actions()
    for text in ("W1", "W1 W2", "W1 B4", "W1 W2 B4", "W1 B4 V5"):
        assert state.check(["play", *cards(text)]) in state.actions()


@pytest.mark.parametrize(
    ("shape", "fits"),
    [
        ("R1", "W1"),
        ("R1 R2", "W1 W2"),
        ("R1 Y2", "W1 B1"),
        ("R1 R2 Y2", "W1 W2 B1"),
        ("R1 Y2 G3", "W1 B1 V1"),
    ],
)
def test_followers_match_the_shape(shape: str, fits: str) -> None:
    """Whoever follows plays exactly the starter's shape, in any colours.

    English edition: "he must play the same number of cards in the same mix of different colors
    as the starting player."
    """
    state = gargon("R1 R2 Y2 G3", "W1 W2 W3 B1 V1", "")
    play(state, shape)
    for text in ("W1", "W1 W2", "W1 B1", "W1 W2 B1", "W1 B1 V1", "W1 W2 W3"):
        action = ("play", *sorted(cards(text)))
        assert (action in state.actions()) == (text == fits)
        if text == fits:
            assert state.check(action) == action
        else:
            with pytest.raises(IllegalAction, match="shape"):
                state.check(action)


def test_last_player_is_bound_even_if_all_others_passed() -> None:
    """The starter's right-hand neighbour may use only the colours that lie on the table.

    English edition: "he must choose creatures already played by the other players. He may not
    introduce a new creature."
    """
    state = gargon("W1", "", "", "W9 G9")
    play(state, "W1")
    draw_and_pass(state)
    draw_and_pass(state)
    assert state.check(["play", *cards("W9")])
    with pytest.raises(IllegalAction, match="expected white"):
        state.check(["play", *cards("G9")])
    assert {a[1] >> 4 for a in state.actions() if a[0] == "play"} == {WHITE}


def test_the_player_before_the_last_is_not_bound() -> None:
    """Only the last player is bound: one who plays before him may bring new colours."""
    state = gargon("W1", "", "G9", "W9")
    play(state, "W1")
    draw_and_pass(state)
    assert state.check(["play", *cards("G9")]) == ("play", *cards("G9"))


# Passing


def test_a_pass_draws_one_to_three_cards_from_one_stack_or_both() -> None:
    """All ways to draw one to three cards are open to a player who passes, and no other.

    English edition: "He then draws one to three cards from one or from both stacks".
    """
    state = gargon("W1", "", "")
    play(state, "W1")
    passes = [action[1:] for action in state.actions() if action[0] == "pass"]
    every = [(a, b) for a in range(5) for b in range(5)]
    assert sorted(passes) == [(a, b) for a, b in every if 1 <= a + b <= 3]
    for a, b in every:
        if (a, b) in passes:
            assert state.check(["pass", a, b]) == ("pass", a, b)
        else:
            with pytest.raises(IllegalAction):
                state.check(["pass", a, b])


def test_a_pass_draws_no_more_than_is_left() -> None:
    """With 1 and 2 cards left nobody can draw more than that, nor nothing at all."""
    keep = cards("R3 R9 R5")
    state = gargon("R3", "R9", "R5")
    drain(state, (1, 2), keep)
    play(state, "R3")
    passes = [action for action in state.actions() if action[0] == "pass"]
    assert passes == [("pass", *n) for n in ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2))]
    with pytest.raises(IllegalAction, match=r"action\[1\]: expected 0..1"):
        state.check(["pass", 2, 0])


def test_a_pass_draws_nothing_once_both_stacks_are_empty() -> None:
    """A player may pass when no card is left to draw, and then gets none.

    Decision: at least one card is drawn while any is left, none if both stacks are empty.
    """
    state = gargon("R3", "R9", "R5")
    drain(state, (1, 1), cards("R3 R9 R5"))
    play(state, "R3")
    draw_and_pass(state, 1, 1)
    assert [action for action in state.actions() if action[0] == "pass"] == [("pass", 0, 0)]
    before = state.view(2)["hand"]
    draw_and_pass(state, 0, 0)
    assert state.view(2)["hand"] == before
    assert state.over


# Battles


def test_each_chooses_among_his_own_colours_until_none_is_left() -> None:
    """From the starter on, each player fights all his colours before the next one chooses.

    English edition: "When the starting player has no more played cards in his play area, the
    player to his left chooses the next creature".
    """
    state = gargon("W1 B1 V1", "R2 Y2 G2", "W3 R3 Y3", stacks=("W15 B15 V15", ""))
    for text in ("W1 B1 V1", "R2 Y2 G2", "W3 R3 Y3"):
        play(state, text)
    assert (state.turn, state.actions()) == (0, [("battle", c) for c in (0, 1, 2)])
    fight(state)
    assert state.events is not None
    chosen = [event[1:] for event in state.events if event[0] == "battle"]
    assert chosen == [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 5)]


def test_losers_draw_clockwise_from_the_starter_of_the_round() -> None:
    """In a round that seat 1 starts, seat 2 draws before seat 0.

    English edition: "The drawing begins with the starting player and moves clockwise around the
    table."
    """
    state = gargon("W1 R2", "R15", "R3")
    play(state, "W1")
    draw_and_pass(state)
    draw_and_pass(state)
    assert state.view(0)["starter"] == 1
    for text in ("R15", "R3", "R2"):
        play(state, text)
    assert (state.turn, state.view(1)["drawing"]) == (2, [2, 0])
    state.apply(("draw", 1))
    assert (state.turn, state.view(1)["drawing"]) == (0, [0])


@pytest.mark.parametrize(("rest", "drawn", "other"), [((1, 2), (1, 0), 1), ((2, 1), (0, 1), 0)])
def test_a_loser_draws_from_the_only_stack_left(
    rest: tuple[int, int], drawn: tuple[int, int], other: int
) -> None:
    """With one stack empty the loser is not asked and draws from the other."""
    state = gargon("R3", "R9", "")
    drain(state, rest, cards("R3 R9"))
    assert state.turn == 0
    play(state, "R3")
    play(state, "R9")
    draw_and_pass(state, *drawn)
    fought, drew, scored = last_events(state, 3)
    assert fought == ("fought", [0, 1], cards("R3 R9"), 1)
    assert drew[:3] == ("drew", 0, other)
    assert scored[0] == "scored"


def test_a_loser_draws_nothing_when_both_stacks_are_empty() -> None:
    """With both stacks empty a lost card is not replaced."""
    state = gargon("R3", "R9", "")
    drain(state, (1, 1), cards("R3 R9"))
    play(state, "R3")
    play(state, "R9")
    draw_and_pass(state, 1, 1)
    assert names(state)[-2:] == ["fought", "scored"]


# The next round and the end


def test_the_game_ends_after_the_round_in_which_a_stack_ran_out() -> None:
    """A loser draws the last card of a stack, the other battles still take place, and it ends.

    English edition: "When the last card from one of the two fanned stacks in the middle of the
    table is drawn, the current round is finished as normal and then the game ends."
    """
    state = gargon("R3 Y3", "R9 Y1", "")
    drain(state, (1, 4), cards("R3 Y3 R9 Y1"))
    assert state.turn == 0
    play(state, "R3 Y3")
    play(state, "R9 Y1")
    draw_and_pass(state, 0, 1)
    fight(state)
    assert state.over
    assert (state.turn, state.kind, state.actions()) == (-1, "", [])
    battles = ["battle", "fought", "drew"]
    assert names(state)[-7:] == [*battles, *battles, "scored"]
    assert left(state)[0] == 0
    with pytest.raises(IllegalAction, match="over"):
        state.check(["draw", 0])


def test_a_starter_without_cards_is_skipped() -> None:
    """Whose turn to start it is but has no cards is passed over for his left neighbour.

    English edition: "If at the start of a round, the starting player has no cards in his hand,
    he cannot be starting player and his left neighbor immediately becomes the new starting
    player."
    """
    seat_1 = "R2 Y2 G2 W10 B10 V10 R12 Y12 G12 G15"
    state = gargon("W1 B1 V1 V2", seat_1, "R1 Y1 G1 Y3")
    turns = (("W1 B1 V1", "R2 Y2 G2", ""), ("W10 B10 V10", "", ""), ("R1 Y1 G1", "", "R12 Y12 G12"))
    for texts in (*turns, ("V2", "G15", "")):
        for text in texts:
            if text:
                play(state, text)
            else:
                draw_and_pass(state)
        fight(state)
    assert state.view(1)["hand"] == []
    assert last_events(state, 1) == [("round", 4, 2)]
    assert (state.turn, state.view(1)["starter"]) == (2, 2)
    play(state, "Y3")
    draw_and_pass(state)
    assert (state.turn, {action[0] for action in state.actions()}) == (1, {"pass"})
    draw_and_pass(state)
    assert state.view(1)["starter"] == 0


def test_the_game_ends_when_nobody_has_a_card() -> None:
    """All hands run out in one round while both stacks have cards, and that is the end."""
    state = gargon(
        "W0 B0 V0 R0 Y0 V5 R5 W6 B6 W12",
        "R1 Y1 G1 R0 Y0 V9 R2 V10 R10 Y3",
        "W0 B0 V0 W1 B1 W5 B5 W2 B9 W11",
        stacks=("Y7 G3 B11 V14 G0 G0", ""),
    )
    for texts in (
        ("W0 B0 V0", "R1 Y1 G1", "W0 B0 V0"),
        ("R0 Y0", "W1 B1", "R0 Y0"),
        ("W5 B5", "V5 R5", "V9 R2"),
        ("W6 B6", "V10 R10", "W2 B9"),
        ("Y3 G3", "W11 B11", "Y7 W12"),
        ("V14", "G0"),
    ):
        for text in texts:
            play(state, text)
        fight(state)
    assert state.over
    assert left(state) == (30, 36)
    view = state.view(0)
    assert view["hands"] == [[0] * 6] * 3
    assert view["discards"][-2:] == cards("G0 G0")
    assert last_events(state, 1)[0][0] == "scored"
