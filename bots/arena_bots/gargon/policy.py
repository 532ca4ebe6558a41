"""The policy of all seats in simulated games: a quick choice from what the seat can see.

A `Policy` is made for one round. It computes tables from the won piles at once, since no cards
are won while cards are played. A choice never uses the hidden cards of other seats; otherwise
simulated opponents would play better than real ones can.
"""

from __future__ import annotations

from arena.games.gargon.state import GargonState

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.games.game import Action

MAJORITY = (0.5, 1.0, 2.0, 2.5, 2.0, 1.0, 0.5)
"""The value of a card for the majority, by the lead in its colour from -3 to 3."""
ZERO = 4.0  # the value of a zero besides the amulets that it doubles
HELD = 1.5  # the value of a card in hand while there is much time
STRONG = 1.5  # how much more the highest card in hand is worth than the lowest
DRAWN = 2.5  # the value of an unknown card in hand
ENOUGH = 5.0  # remaining rounds from which on more make no difference
COMES = 0.8  # how often a seat that has yet to play does play
FAVOUR = 1.2  # how much more often than at random it plays a colour that it holds
SECOND = 0.3  # how much of a rival the second card of a rival counts
SHAPES = ((1,), (2,), (1, 1), (2, 1), (1, 1, 1))

Rate = tuple[float, tuple[int, ...]]
NOTHING: Rate = (-1e9, ())


class Policy:
    """Chooses for all seats in one round."""

    __slots__ = ("_beats", "_drawn", "_kept", "_worth")

    def __init__(self, state: GargonState, amulets: Sequence[int]) -> None:
        won = state.won
        shorter = min(len(stack) - n for stack, n in zip(state.stacks, state.drawn, strict=True))
        time = min(1.0, shorter / (1.1 * len(won)) / ENOUGH)
        self._drawn = drawn = DRAWN * time
        self._kept = [
            drawn - time * (HELD + (STRONG * (card & 15) / 15 if card & 15 else STRONG))
            for card in range(96)
        ]
        self._beats = _beats(state)
        counts = [[0] * 6 for _ in won]
        for seat, pile in enumerate(won):
            for card in pile:
                counts[seat][card >> 4] += 1
        self._worth = []
        for seat, pile in enumerate(won):
            sums, zeros = [0] * 6, [0] * 6
            for card in pile:
                if card & 15:
                    sums[card >> 4] += amulets[card & 15]
                else:
                    zeros[card >> 4] += 1
            worth = []
            for colour in range(6):
                best = max(c[colour] for s, c in enumerate(counts) if s != seat)
                lead = counts[seat][colour] - best
                share = MAJORITY[max(-3, min(3, lead)) + 3] - drawn
                factor = 1 << zeros[colour]
                worth.append(share + sums[colour] * factor + ZERO)
                worth += [share + amulets[value] * factor for value in range(1, 16)]
            self._worth.append(worth)

    def choose(self, state: GargonState, noise: Sequence[float]) -> Action:
        """Return the action of the seat to decide; `noise`, by card, is added to its rates."""
        if state.kind == "play":
            return self._play(state, noise)
        if state.kind == "battle":
            return ("battle", state.table[state.turn][0] >> 4)
        return ("draw", 0 if noise[state.turn] > noise[state.turn + 16] else 1)

    def rates(self, state: GargonState, plays: Sequence[Action]) -> list[float]:
        """Return the values of these plays for the seat to decide, without noise."""
        lying, coming, pairs = self._rivals(state)
        worth = self._worth[state.turn]
        found = []
        for _, *cards in plays:
            total = 0.0
            for at, card in enumerate(cards):
                colour = card >> 4
                if at + 1 < len(cards) and cards[at + 1] >> 4 == colour:
                    rivals = pairs[colour]
                else:
                    rivals = lying[colour] + len(cards) * coming[colour]
                total += self._beats[card] ** rivals * worth[card] + self._kept[card]
            found.append(total)
        return found

    def _play(self, state: GargonState, noise: Sequence[float]) -> Action:
        seat = state.turn
        seats = len(state.hands)
        shape = state.shape
        starts = seat == state.starter
        lying, coming, pairs = self._rivals(state)
        hand = state.hands[seat]
        if not starts and (seat + 1) % seats == state.starter:
            hand = [card for card in hand if state.colours >> (card >> 4) & 1]
        best = NOTHING
        for tried in SHAPES if starts else (shape or (),):
            need = sum(tried)
            if len(hand) < need:
                continue
            rivals = [a + need * b for a, b in zip(lying, coming, strict=True)]
            best = max(best, self._best(seat, hand, tried, rivals, pairs, noise))
        first = len(state.stacks[0]) - state.drawn[0]
        second = len(state.stacks[1]) - state.drawn[1]
        total = min(3, first + second)
        if starts or best[0] > self._drawn * total + noise[seat + 32] or (not total and best[1]):
            return ("play", *best[1])
        amount = min(first, int(4 * abs(noise[seat + 48])) % (total + 1))
        return ("pass", max(amount, total - second), min(total - amount, second))

    def _rivals(self, state: GargonState) -> tuple[list[float], list[float], list[float]]:
        """Return by colour: rivals on the table, expected rivals per card played, their pairs."""
        lying, coming, pairs = [0.0] * 6, [0.0] * 6, [0.0] * 6
        me = state.turn
        seats = len(state.hands)
        for place in range(state.starter, state.starter + seats):
            seat = place % seats
            if seat == me:
                break
            last = -1
            for card in state.table[seat]:
                colour = card >> 4
                if colour == last:
                    lying[colour] += SECOND
                    pairs[colour] += 1
                else:
                    lying[colour] += 1
                last = colour
        for after in range(place + 1, state.starter + seats):
            counts = state.backs[after % seats]
            cards = sum(counts)
            if not cards:
                continue
            doubles = sum([n - 1 for n in counts if n > 1]) or 1
            for colour, n in enumerate(counts):
                if n:
                    coming[colour] += COMES * min(0.3, FAVOUR * n / cards)
                    if n > 1:
                        pairs[colour] += COMES * (n - 1) / doubles
        return lying, coming, pairs

    def _best(
        self,
        seat: int,
        hand: list[int],
        shape: tuple[int, ...],
        rivals: list[float],
        pairs: list[float],
        noise: Sequence[float],
    ) -> Rate:
        """Return the best play of this shape."""
        worth, kept, beats = self._worth[seat], self._kept, self._beats
        rates = [
            beats[card] ** rivals[card >> 4] * worth[card] + kept[card] + noise[card]
            for card in hand
        ]
        singles = [NOTHING] * 6
        for rate, card in zip(rates, hand, strict=True):
            if rate > singles[card >> 4][0]:
                singles[card >> 4] = (rate, (card,))
        if shape[0] == 1:
            chosen = sorted(singles, reverse=True)[: len(shape)]
            if not chosen[-1][1]:
                return NOTHING
            found = sorted([card for _, single in chosen for card in single])
            return sum([rate for rate, _ in chosen]), tuple(found)
        doubles = [NOTHING] * 6
        for at in range(1, len(hand)):
            colour = hand[at] >> 4
            below = at - 1
            while below >= 0 and hand[below] >> 4 == colour:
                low = hand[below]
                rate = rates[at] + beats[low] ** pairs[colour] * worth[low] + kept[low]
                if rate > doubles[colour][0]:
                    doubles[colour] = (rate, (low, hand[at]))
                below -= 1
        if len(shape) == 1:
            return max(doubles)
        best = NOTHING
        for colour, (rate, cards) in enumerate(doubles):
            if cards:
                for other, (more, single) in enumerate(singles):
                    if other != colour and rate + more > best[0]:
                        best = (rate + more, tuple(sorted((*cards, *single))))
        return best


def _beats(state: GargonState) -> list[float]:
    """Return for each card the share of the remaining cards of its colour that it beats."""
    left = [[2] + [1] * 15 for _ in range(6)]
    for cards in (state.discards, *state.won):
        for card in cards:
            left[card >> 4][card & 15] -= 1
    shares = []
    for counts in left:
        total = max(1, sum(counts))
        lower = 0
        for value, n in enumerate(counts):
            shares.append(max(0.05, lower / total) if value else 0.08)
            lower += n
    return shares
