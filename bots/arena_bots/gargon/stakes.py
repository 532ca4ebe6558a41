"""The points in Gargon, what a won card adds to them, and how long a game will last."""

from __future__ import annotations

from math import erf

from arena_sdk.gargon import View

MOST = 10.0
SURE = 0.7  # lead in cards, at the end of the game, at which a majority is almost decided
OPEN = 2.2  # how much larger this lead is at the beginning
DRAWN_A_ROUND = 1.1  # cards that leave the shorter stack in a round, for each player


class Stakes:
    """The present won piles, from the view of one seat, and the remaining part of the game."""

    def __init__(self, won: list[list[int]], view: View, amulets: list[int]) -> None:
        seat = view.seat
        self.amulets = amulets
        self.counts = [[0] * 6 for _ in won]
        self.sums = [0] * 6
        self.zeros = [0] * 6
        for owner, pile in enumerate(won):
            for card in pile:
                self.counts[owner][card >> 4] += 1
        for card in won[seat]:
            if card & 15:
                self.sums[card >> 4] += amulets[card & 15]
            else:
                self.zeros[card >> 4] += 1
        self.mine = self.counts[seat]
        others = [counts for owner, counts in enumerate(self.counts) if owner != seat]
        self.best = [max(column) for column in zip(*others, strict=True)]
        shortest = min(map(len, view.stacks))
        self.rounds = shortest / (DRAWN_A_ROUND * len(won))
        self.left = min(1.0, self.rounds / 8)

    def gain(self, cards: tuple[int, ...]) -> float:
        """Return the points gained by winning these cards of one colour, including majority."""
        colour = cards[0] >> 4
        zeros = sum(not card & 15 for card in cards)
        amulets = self.sums[colour] + sum(self.amulets[card & 15] for card in cards)
        before = self.sums[colour] << self.zeros[colour]
        after = amulets << (self.zeros[colour] + zeros)
        to_come = 5 * self.left * ((1 << zeros) - 1 << self.zeros[colour])
        lead = self.mine[colour] - self.best[colour]
        spread = SURE + OPEN * self.left
        majority = _likely((lead + len(cards)) / spread) - _likely(lead / spread)
        return after - before + to_come + MOST * majority


def points(pile: list[int], amulets: list[int]) -> int:
    """Return the points of a pile without majorities."""
    total = 0
    for colour in range(6):
        values = [card & 15 for card in pile if card >> 4 == colour]
        total += sum(amulets[value] for value in values) << values.count(0)
    return total


def standing(won: list[list[int]], amulets: list[int]) -> list[float]:
    """Return the points of all seats if the game ended now."""
    totals = [float(points(pile, amulets)) for pile in won]
    for colour in range(6):
        counts = [sum(card >> 4 == colour for card in pile) for pile in won]
        most = max(counts)
        if most:
            for seat, count in enumerate(counts):
                if count == most:
                    totals[seat] += MOST if counts.count(most) == 1 else MOST / 2
    return totals


def _likely(x: float) -> float:
    return 0.5 + 0.5 * erf(x)
