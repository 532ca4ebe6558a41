"""The bot that searches: every use of every card that may come, judged by what it leads to.

It looks ahead to the end of its turn, over all that it can do and all that the pile can bring,
each as likely as the cards that are gone make it, and whether to call at the end of it. The
positions that it may get to are judged together by a learned evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from arena_bots.castors.evaluation import Leaf, Network, Table, worths
from arena_bots.castors.plausible import (
    GIVEN,
    KEPT,
    MEAN,
    NINE,
    ROW,
    STOLEN,
    estimates,
    likely,
    odds,
    origins,
)
from arena_sdk import Bot, Question, run

SWAP, PEEK, DRAW = 10, 11, 12
KINDS = 13
OUTCOMES: TypeAlias = "list[tuple[float, int, int]]"
"""Ways in which a move may turn out: how likely, and the leaves if it waits and if it calls."""
NEVER = -1
LOW = 3.0
"""What somebody gives away is believed to be high, unless it was believed to be as low as this."""


class Search(Bot):
    """Looks one turn ahead."""

    name = "castors-search"
    version = "1"
    wants_actions = False
    wants_events = False

    def __init__(self) -> None:
        self._network = Network()

    def choose(self, question: Question) -> list[Any]:
        position = Position(question.view)
        kind = question.kind
        if kind == "call":
            return self._call(question, position)
        if kind == "card" and question.view["drawn"] == DRAW:
            question.note = "two cards are better than one"
            return ["draw"]
        return self._move(question, position)

    def _call(self, question: Question, position: Position) -> list[Any]:
        position.outcome(1.0, position.points, position.public, position.known, position.top)
        wait, call = worths(self._network, position.table, position.leaves)
        question.note = f"beats {call:.0%} of the others if it calls, {wait:.0%} if not"
        return ["call"] if call > wait else ["wait"]

    def _move(self, question: Question, position: Position) -> list[Any]:
        """The best use of the card, or the best of taking and drawing."""
        view = question.view
        drawn = view["drawn"]
        turn = question.kind == "turn"
        moves = list(position.takes() if turn else position.uses(drawn))
        ahead = turn or view["rejectable"]
        coming = [list(position.uses(card)) if ahead else [] for card in range(DRAW)]
        found = worths(self._network, position.table, position.leaves)
        rated = [(_worth(outcomes, found), action) for action, outcomes in moves]
        if ahead:
            pile = position.from_pile(
                [max((_worth(way, found) for _, way in uses), default=0.0) for uses in coming],
                again=turn,
            )
            rated.append((pile, ["draw"] if turn else ["reject"]))
        best, action = max(rated, key=lambda each: each[0])
        others = [worth for worth, other in rated if other != action]
        question.note = f"beats {best:.1%} of the others" + (
            f", the next best move {max(others):.1%}" if others else ""
        )
        return action


def _worth(outcomes: OUTCOMES, found: list[float]) -> float:
    """The worth of a move, calling where that is better."""
    total = 0.0
    for chance, wait, call in outcomes:
        total += chance * (max(found[wait], found[call]) if call >= 0 else found[wait])
    return total


class Position:
    """What the seat sees before it moves, and the leaves of its moves as they are made."""

    def __init__(self, view: dict[str, Any]) -> None:
        seats = len(view["rows"])
        self.seat: int = view["seat"]
        moves = view["moves"] + (view["kind"] != "call")
        self.table = Table(
            seats, self.seat, moves, view["totals"], view["deals"] - view["deal"] - 1
        )
        self.leaves: list[Leaf] = []
        self.top: int = view["discards"][-1]
        self.came = origins(view)
        self.points = estimates(view)
        self._odds = odds(view)
        self._caller: int = view["caller"]
        self._may_call = self._caller < 0 and moves >= seats
        self._cards = [card for row in view["rows"] for card in row]
        self._known_by = [each for row in view["known_by"] for each in row]
        laps = view["moves"] / seats
        everybody = (1 << seats) - 1
        self.public = [
            points if by == everybody else likely(came, laps)
            for points, by, came in zip(self.points, self._known_by, self.came, strict=True)
        ]
        self.known = [by >> at // ROW & 1 > 0 for at, by in enumerate(self._known_by)]
        self._mine = range(ROW * self.seat, ROW * self.seat + ROW)

    def outcome(
        self,
        chance: float,
        points: list[float],
        public: list[float],
        known: list[bool],
        top: float,
    ) -> OUTCOMES:
        """One way in which a move turns out."""
        wait = len(self.leaves)
        self.leaves.append(Leaf(points, public, known, top, self._caller))
        if not self._may_call:
            return [(chance, wait, NEVER)]
        self.leaves.append(Leaf(points, public, known, top, self.seat))
        return [(chance, wait, wait + 1)]

    def takes(self) -> Iterator[tuple[list[Any], OUTCOMES]]:
        """The ways to take the open card."""
        for at in self._mine:
            if self.points[at] > self.top:
                yield ["take", at % ROW], self._replace(at, self.top, self.top)

    def uses(self, card: int) -> Iterator[tuple[list[Any], OUTCOMES]]:
        """The ways to use a drawn card; of draw cards there is no need to ask."""
        if card <= NINE:
            for at in self._mine:
                if self.points[at] > card - 1:
                    yield ["keep", at % ROW], self._replace(at, card, likely(KEPT, 0))
        elif card == SWAP:
            yield from self._swaps()
        elif card == PEEK:
            yield from self._peeks()
        yield ["discard"], self.outcome(1.0, self.points, self.public, self.known, card)

    def from_pile(self, uses: list[float], *, again: bool) -> float:
        """What drawing is worth, from what each card is; `again` if a draw card leads on."""
        known = 1 - self._odds[DRAW]
        if known <= 0:
            return 0.0
        mean = sum(self._odds[card] * uses[card] for card in range(DRAW)) / known
        better = sum(self._odds[card] * max(mean, uses[card]) for card in range(DRAW)) / known
        return known * mean + (1 - known) * better if again else mean

    def _replace(self, at: int, card: int, public: float) -> OUTCOMES:
        points, shown, known = self.points[:], self.public[:], self.known[:]
        top = self._cards[at] if self._cards[at] >= 0 else self.points[at]
        points[at], shown[at], known[at] = card, public, True
        return self.outcome(1.0, points, shown, known, top)

    def _swaps(self) -> Iterator[tuple[list[Any], OUTCOMES]]:
        for at in self._mine:
            for other, worth in enumerate(self.points):
                if other not in self._mine and worth < self.points[at] + 1:
                    yield ["swap", at % ROW, other // ROW, other % ROW], self._swap(at, other)

    def _swap(self, at: int, other: int) -> OUTCOMES:
        points, public, known = self.points[:], self.public[:], self.known[:]
        points[at], points[other] = points[other], points[at]
        public[at], public[other] = public[other], public[at]
        if public[other] > LOW:
            public[other] = likely(GIVEN, 0)
        known[at] = self._known_by[other] >> self.seat & 1 > 0
        known[other] = self._known_by[at] >> other // ROW & 1 > 0
        return self.outcome(1.0, points, public, known, SWAP)

    def _peeks(self) -> Iterator[tuple[list[Any], OUTCOMES]]:
        seen: set[int] = set()
        for at in self._mine:
            if self._cards[at] < 0 and self.came[at] not in seen:
                seen.add(self.came[at])
                yield ["peek", at % ROW], self._peek(at)

    def _peek(self, at: int) -> OUTCOMES:
        """All that the card may be."""
        known = self.known[:]
        known[at] = True
        found: OUTCOMES = []
        weights = [p * w for p, w in zip(self._odds, PEEKED.get(self.came[at], EVEN), strict=True)]
        total = sum(weights)
        if total <= 0:
            return self.outcome(1.0, self.points, self.public, known, PEEK)
        for card, weight in enumerate(weights):
            if weight > 0:
                points = self.points[:]
                points[at] = card if card <= NINE else MEAN
                found += self.outcome(weight / total, points, self.public, known, PEEK)
        return found


EVEN = [1.0] * KINDS
PEEKED = {
    STOLEN: [1.0] * 5 + [0.4] * 4 + [0.0] * 4,
    GIVEN: [0.2] * 5 + [1.7] * 8,
}
"""How much likelier than in the pile a card is that was stolen, or given away."""


if __name__ == "__main__":
    run(Search())
