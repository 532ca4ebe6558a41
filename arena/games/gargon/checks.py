"""Checks of plays and passes that come from outside."""

from __future__ import annotations

from arena.games.game import Action
from arena.games.gargon.cards import CARDS, COLOUR_SHIFT, COLOURS, name
from arena.games.gargon.plays import MOST_DRAWN, TRIPLET, Shape, shape_of
from arena.games.illegal import IllegalAction, expect_below, expect_count
from arena.wording import brief


def check_play(numbers: list[int], hand: list[int], shape: Shape | None, colours: int) -> Action:
    """Return the play in canonical form; raise `IllegalAction` if it is illegal.

    `shape` is the shape to follow, None for the starter of a round, who may choose any.
    """
    cards = sorted(numbers)
    last = -1
    for card in cards:
        if card not in hand or not colours >> (card >> 4) & 1:
            break
        if card == last and hand.count(card) < 2:
            break
        last = card
    else:
        if 1 <= len(cards) <= 3:
            found = shape_of(cards)
            if found != TRIPLET and (shape is None or found == shape):
                return ("play", *cards)
    raise _why_not(numbers, hand, shape, colours)


def check_pass(numbers: list[int], first: int, second: int) -> Action:
    """Return the pass in canonical form; raise `IllegalAction` if it is illegal.

    `first` and `second` are the numbers of cards left in the stacks.
    """
    least = min(1, first + second)
    if len(numbers) == 2:
        a, b = numbers
        if 0 <= a <= first and 0 <= b <= second and least <= a + b <= MOST_DRAWN:
            return ("pass", a, b)
    raise _why_no_pass(numbers, first, second)


def _why_no_pass(numbers: list[int], first: int, second: int) -> IllegalAction:
    expect_count("pass", numbers, 2, ", from stack 0, from stack 1")
    for at, (amount, left) in enumerate(zip(numbers, (first, second), strict=True), 1):
        most = min(MOST_DRAWN, left)
        if not 0 <= amount <= most:
            return IllegalAction(f"expected 0..{most} cards, got {brief(amount)}", at)
    least = min(1, first + second)
    return IllegalAction(f"expected {least} to 3 cards in all, got {sum(numbers)}")


def _why_not(
    numbers: list[int], hand: list[int], shape: Shape | None, colours: int
) -> IllegalAction:
    if not 1 <= len(numbers) <= 3:
        return IllegalAction(f'expected one to three cards after "play", got {len(numbers)}')
    for at, card in enumerate(numbers, 1):
        expect_below(numbers, at, CARDS)
        if hand.count(card) < numbers[:at].count(card):
            return IllegalAction(f"expected a card in your hand, got {card} ({name(card)})", at)
        if not colours >> (card >> COLOUR_SHIFT) & 1:
            allowed = " or ".join(c for i, c in enumerate(COLOURS) if colours >> i & 1)
            return IllegalAction(f"expected {allowed} (last player), got {name(card)}", at)
    if shape is None:
        return IllegalAction("expected at most two cards of one colour, got three")
    expected, got = ("+".join(map(str, each)) for each in (shape, shape_of(sorted(numbers))))
    return IllegalAction(f"expected cards of shape {expected}, as the starter's, got {got}")
