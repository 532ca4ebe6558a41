"""What won cards are worth in Gargon, and who sees them."""

from __future__ import annotations

import pytest

from .stacked import cards, drain, draw_and_pass, gargon, play


def scores(*piles: str, **rules: object) -> list[int]:
    """The points of these won piles."""
    return scores_of([cards(pile) for pile in piles], **rules)


def scores_of(piles: list[list[int]], **rules: object) -> list[int]:
    """The points of these won piles, with empty hands and full stacks beside them."""
    state = gargon(*[""] * len(piles), rules=rules)
    state.hands = [[] for _ in piles]
    state.won = piles
    return state.scores()


def test_cards_left_in_hand_count_for_nothing() -> None:
    """At the end only won cards score; hands are worth nothing and stay secret.

    English edition: "The players discard any cards they have left in their hands".
    """
    state = gargon("R13", "R15", "")
    drain(state, (1, 1), cards("R13 R15"))
    play(state, "R13")
    play(state, "R15")
    draw_and_pass(state, 1, 1)
    assert state.over
    assert sum(sum(hand) for hand in state.view(0)["hands"]) > 0
    assert state.scores() == scores_of(state.won)
    assert state.events is not None
    assert state.events[-1] == ("scored", state.won, state.scores())


def test_whoever_ties_for_most_gets_five() -> None:
    """Two, three or five players who tie for most cards get 5 points each.

    English edition: "If more than one player has the most cards in a creature color, each takes
    a "+5" bonus card instead."
    """
    assert scores("W13", "", "") == [10, 0, 0]
    assert scores("W13", "W14", "") == [5, 5, 0]
    assert scores("W13", "W14", "W15") == [5, 5, 5]
    assert scores("W13", "W14", "W15", "W0", "W0") == [5, 5, 5, 5, 5]
    assert scores("W13 W0", "W14 W15", "W0") == [5, 5, 0]


def test_a_colour_that_nobody_won_gives_nothing() -> None:
    """Nobody is paid for a tie at no cards at all."""
    assert scores("", "", "") == [0, 0, 0]


def test_zeros_double_amulets_and_never_the_bonus() -> None:
    """A 0 doubles and both quadruple the amulets of their colour; the bonus stays 10.

    English edition: "Cards with the value "o" double the number of amulets in that color."
    French edition: « Si un joueur a les deux cartes de valeur 0, il quadruple les points. »
    """
    assert scores("R0", "", "") == [10, 0, 0]
    assert scores("R5", "", "") == [10 + 3, 0, 0]
    assert scores("R5 R0", "", "") == [10 + 6, 0, 0]
    assert scores("R5 R0 R0", "", "") == [10 + 12, 0, 0]
    assert scores("R5 W0", "", "") == [20 + 3, 0, 0]


def test_amulets_by_value() -> None:
    """Each value carries the amulets of its block of three, or those of the rules.

    Decision: 1 to 3 carry 5, 4 to 6 carry 3, 7 to 9 carry 2, 10 to 12 carry 1, the rest none.
    """
    default = [0, 5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0]
    assert [scores(f"G{value}", "", "")[0] - 10 for value in range(16)] == default
    own = list(range(12))
    found = [scores(f"G{value}", "", "", amulets=own)[0] - 10 for value in range(16)]
    assert found == [0, *own, 0, 0, 0]


@pytest.mark.parametrize("is_open", [False, True])
def test_winnings_lie_open_only_in_the_variant(is_open: bool) -> None:
    """Won piles of others are hidden, and in the variant they are shown.

    English edition: "each player places the cards he wins face-up".
    """
    state = gargon("W1", "", "", rules={"open_winnings": is_open})
    play(state, "W1")
    draw_and_pass(state)
    draw_and_pass(state)
    hidden: list[int] | None = [] if is_open else None
    own = cards("W1")
    assert state.view(0)["won"] == [own, hidden, hidden]
    assert state.view(2)["won"] == [own if is_open else None, hidden, []]
