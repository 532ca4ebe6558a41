"""The value of a position between two rounds: how likely each seat beats each other seat.

Every seat gets a value, a sum of its features with learned weights. The probability that it
places before another seat is the logistic function of the difference of their values. The
weights depend on the remaining rounds, as points count more near the end.
"""

from __future__ import annotations

from math import exp, sqrt
from operator import mul

from arena.games.gargon.state import GargonState
from arena_bots.gargon.weights import WEIGHTS

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Sequence

LEADS = 3
"""Leads in a colour are clipped to between -3 and 3 cards."""
FEATURES = 22


class Leaf:
    """Evaluates positions at tables of one size."""

    def __init__(self, seats: int, amulets: Sequence[int]) -> None:
        self._amulets = amulets
        early, late = WEIGHTS[seats]
        self._weights = [
            [scale * (a + rounds * b) for a, b in zip(late, early, strict=True)]
            for rounds, scale in map(bases, (left / seats for left in range(52)))
        ]

    def values(self, state: GargonState) -> list[float]:
        """Return the value of every seat, before a round is played."""
        weights = self._weights[shorter(state)]
        return [sum(map(mul, weights, seat)) for seat in features(state, self._amulets)]

    def share(self, state: GargonState, seat: int) -> float:
        """Return the expected share of the others that will place below this seat."""
        if state.turn < 0:
            scores = state.scores()
            mine = scores[seat]
            beaten = sum([(mine > other) + 0.5 * (mine == other) for other in scores]) - 0.5
        else:
            values = self.values(state)
            mine_value = values[seat]
            beaten = sum([1 / (1 + exp(value - mine_value)) for value in values]) - 0.5
        return beaten / (len(state.hands) - 1)


def bases(rounds: float) -> tuple[float, float]:
    """Return the remaining rounds, and the scale of all weights that follows from them."""
    return rounds, 1 / sqrt(1 + rounds)


def shorter(state: GargonState) -> int:
    """Return the number of cards in the shorter stack."""
    first, second = state.stacks
    return min(len(first) - state.drawn[0], len(second) - state.drawn[1])


def features(state: GargonState, amulets: Sequence[int]) -> list[list[float]]:
    """Return the features of each seat's piles and hand, in the order of the weights."""
    seats = len(state.hands)
    piles = [_sums(pile, amulets) for pile in state.won]
    zeros_left = [2 - sum([zeros[c] for _, _, zeros in piles]) for c in range(6)]
    for card in state.discards:
        if not card & 15:
            zeros_left[card >> 4] -= 1
    held = [sum([backs[c] for backs in state.backs]) for c in range(6)]
    tops = [sorted([counts[c] for counts, _, _ in piles], reverse=True) for c in range(6)]
    found = []
    for seat, hand in enumerate(state.hands):
        own: list[float] = [0.0] * FEATURES
        count, amount, zero = piles[seat]
        _add_piles(own, count, amount, zero, zeros_left, tops, state.backs[seat], held)
        _add_hand(own, hand, amount, zero, amulets)
        place = (seat - state.starter) % seats
        own[20] = float(place == 0)
        own[21] = float(place == seats - 1)
        found.append(own)
    return found


def _sums(pile: list[int], amulets: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the numbers of cards, amulets and zeros in a pile, by colour."""
    count, amount, zero = [0] * 6, [0] * 6, [0] * 6
    for card in pile:
        colour = card >> 4
        count[colour] += 1
        value = card & 15
        if value:
            amount[colour] += amulets[value]
        else:
            zero[colour] += 1
    return count, amount, zero


def _add_piles(
    own: list[float],
    count: list[int],
    amount: list[int],
    zero: list[int],
    zeros_left: list[int],
    tops: list[list[int]],
    backs: list[int],
    held: list[int],
) -> None:
    """Add the features of leads, points, amulets that zeros may still double, and backs in hand."""
    for colour in range(6):
        top = tops[colour]
        lead = count[colour]
        lead -= top[1] if lead == top[0] else top[0]
        if top[0]:
            own[max(-LEADS, min(LEADS, lead)) + LEADS] += 1
        own[7] += amount[colour] << zero[colour]
        own[8] += amount[colour] * zeros_left[colour] << zero[colour]
        own[9] += zero[colour]
        cards = backs[colour]
        if cards:
            own[10] += cards - 1
            if cards == held[colour]:
                own[11] += cards
            if top[0] and -2 <= lead <= 1:
                own[12] += cards


def _add_hand(
    own: list[float], hand: list[int], amount: list[int], zero: list[int], amulets: Sequence[int]
) -> None:
    """Add the features of the number of cards in hand and of their quality."""
    for card in hand:
        value = card & 15
        if value:
            own[13] += value
            own[14] += amulets[value] << zero[card >> 4]
            own[15] += value > 12
        else:
            own[16] += 1
            own[17] += amount[card >> 4] << zero[card >> 4]
    own[18] = len(hand)
    own[19] = len(hand) ** 2 / 10
