"""A bot that searches every use of every card that it may draw.

It looks ahead to the end of its turn: over all its actions, all cards that the pile can bring
(weighted by their probability), and whether to call at the end. A learned evaluation judges all
resulting positions together. The past actions of the players are used to estimate their hidden
cards and how they play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from arena_bots.castors.beliefs import believed, form, mean_of
from arena_bots.castors.evaluation import Leaf, Table, worths
from arena_bots.castors.network import Brain
from arena_bots.castors.plausible import (
    GIVEN,
    KEPT,
    MEAN,
    STOLEN,
    likely,
    origins,
)
from arena_bots.castors.traces import Traces
from arena_sdk import Bot, Question, Start, run
from arena_sdk.castors import (
    DRAW,
    KINDS,
    NINE,
    PEEK,
    ROW,
    SWAP,
    Call,
    Discard,
    Draw,
    Keep,
    Move,
    Peek,
    Reject,
    Swap,
    Take,
    View,
    Wait,
    events,
    moves,
    odds,
)

ACTION: TypeAlias = "list[str | int]"
"""A move as a plain list: many are tried for one that is played."""
OUTCOMES: TypeAlias = "list[tuple[float, int, int]]"
"""The outcomes of a move: probability, and index of the leaf after waiting and after calling."""
NEVER = -1
LOW = 3.0
"""A card given away is assumed to be high, unless its estimate was at most this."""

PATIENCE = 0.01
"""Added to the worth of waiting, which the networks predict too low."""


class Search(Bot):
    """Looks one turn ahead."""

    name = "castors-search"
    version = "2"
    wants_actions = False
    wants_events = True

    def __init__(self) -> None:
        self._brain = Brain()

    def start(self, start: Start) -> None:
        self._traces = Traces(start.seats)

    def choose(self, question: Question) -> Move:
        self._traces.follow(events(question.events), question.kind == "call")
        view = View(question.view)
        position = Position(view, self._traces, self._brain)
        if question.kind == "call":
            return self._call(question, position)
        if view.drawn == DRAW:
            question.note = "two cards are better than one"
            return Draw()
        return self._move(question, position, view)

    def _call(self, question: Question, position: Position) -> Move:
        position.outcome(1.0, position.now, position.top)
        wait, call = worths(self._brain, position.table, position.leaves)
        wait += PATIENCE
        question.note = f"beats {call:.1%} of the others if it calls, {wait:.1%} if not"
        return Call() if call > wait else Wait()

    def _move(self, question: Question, position: Position, view: View) -> Move:
        """Return the best use of the drawn card, or the best way to take or draw a card."""
        turn = view.drawn is None
        ways = list(position.takes() if view.drawn is None else position.uses(view.drawn))
        ahead = turn or view.rejectable
        coming = [list(position.uses(card)) if ahead else [] for card in range(DRAW)]
        found = worths(self._brain, position.table, position.leaves)
        rated = [(_worth(outcomes, found), action) for action, outcomes in ways]
        if ahead:
            pile = position.from_pile(
                [max((_worth(way, found) for _, way in uses), default=0.0) for uses in coming],
                again=turn,
            )
            rated.append((pile, [Draw.verb if turn else Reject.verb]))
        best, action = max(rated, key=lambda each: each[0])
        others = [worth for worth, other in rated if other != action]
        question.note = f"beats {best:.1%} of the others" + (
            f", the next best move {max(others):.1%}" if others else ""
        )
        return next(moves([action]))


def _worth(outcomes: OUTCOMES, found: list[float]) -> float:
    """Return the worth of a move, with a call where that is better."""
    total = 0.0
    for chance, wait, call in outcomes:
        total += chance * (max(found[wait] + PATIENCE, found[call]) if call >= 0 else found[wait])
    return total


class Cards(NamedTuple):
    """The estimates of the cards of all rows, as in a `Leaf`."""

    points: list[float]
    public: list[float]
    known: list[bool]
    seen: list[bool]

    def copy(self) -> Cards:
        return Cards(self.points[:], self.public[:], self.known[:], self.seen[:])


class Position:
    """What the seat sees before it moves; collects the leaves of its moves in `leaves`."""

    def __init__(self, view: View, traces: Traces, brain: Brain) -> None:
        seats = len(view.rows)
        seat = view.seat
        self.seat = seat
        moves = view.moves + (view.kind != "call")
        self.leaves: list[Leaf] = []
        self.top = view.top_discard()
        self.came = origins(view)
        self._odds = odds(view.pile_pool())
        self._caller = view.caller
        self._may_call = self._caller < 0 and moves >= seats
        self._cards = [card for row in view.rows for card in row]
        self._known_by = [each for row in view.known_by for each in row]
        mean = mean_of(self._odds)
        guesses = believed(brain, traces, self.came, mean)
        everybody = (1 << seats) - 1
        self.points = [
            guess if card < 0 else card if card <= NINE else MEAN
            for card, guess in zip(self._cards, guesses, strict=True)
        ]
        public = [
            points if by == everybody else guess
            for points, by, guess in zip(self.points, self._known_by, guesses, strict=True)
        ]
        known = [by >> at // ROW & 1 > 0 for at, by in enumerate(self._known_by)]
        seen = [card >= 0 for card in self._cards]
        self.now = Cards(self.points, public, known, seen)
        self._mine = range(ROW * seat, ROW * seat + ROW)
        deals_left = view.deals - view.deal - 1
        self.table = Table(
            seats,
            seat,
            moves,
            view.totals,
            deals_left,
            mean,
            [traces.oddness(each) for each in range(seats)],
            [traces.throws(each) for each in range(seats)],
            [traces.haste(each) for each in range(seats)],
            [deals_left * points for points in form(brain, traces, view)],
        )

    def outcome(self, chance: float, cards: Cards, top: float) -> OUTCOMES:
        """Add the leaves of one outcome of a move, and return the outcome."""
        wait = len(self.leaves)
        self.leaves.append(Leaf(*cards, top, self._caller))
        if not self._may_call:
            return [(chance, wait, NEVER)]
        self.leaves.append(Leaf(*cards, top, self.seat))
        return [(chance, wait, wait + 1)]

    def takes(self) -> Iterator[tuple[ACTION, OUTCOMES]]:
        """Yield the ways to take the open card, with their outcomes."""
        for at in self._mine:
            if self.points[at] > self.top:
                yield [Take.verb, at % ROW], self._replace(at, self.top, self.top)

    def uses(self, card: int) -> Iterator[tuple[ACTION, OUTCOMES]]:
        """Yield the ways to use a drawn card, with their outcomes; draw cards are always played."""
        if card <= NINE:
            for at in self._mine:
                if self.points[at] > card - 1:
                    yield [Keep.verb, at % ROW], self._replace(at, card, likely(KEPT, 0))
        elif card == SWAP:
            yield from self._swaps()
        elif card == PEEK:
            yield from self._peeks()
        yield [Discard.verb], self.outcome(1.0, self.now, card)

    def from_pile(self, uses: list[float], *, again: bool) -> float:
        """Return the worth of drawing, from the worth of each card.

        With `again`, a draw card leads to two further cards.
        """
        known = 1 - self._odds[DRAW]
        if known <= 0:
            return 0.0
        mean = sum(self._odds[card] * uses[card] for card in range(DRAW)) / known
        better = sum(self._odds[card] * max(mean, uses[card]) for card in range(DRAW)) / known
        return known * mean + (1 - known) * better if again else mean

    def _replace(self, at: int, card: int, public: float) -> OUTCOMES:
        cards = self.now.copy()
        top = self._cards[at] if self._cards[at] >= 0 else self.points[at]
        cards.points[at], cards.public[at] = card, public
        cards.known[at] = cards.seen[at] = True
        return self.outcome(1.0, cards, top)

    def _swaps(self) -> Iterator[tuple[ACTION, OUTCOMES]]:
        for at in self._mine:
            for other, worth in enumerate(self.points):
                if other not in self._mine and worth < self.points[at] + 1:
                    yield [Swap.verb, at % ROW, other // ROW, other % ROW], self._swap(at, other)

    def _swap(self, at: int, other: int) -> OUTCOMES:
        cards = self.now.copy()
        points, public, _, seen = cards
        points[at], points[other] = points[other], points[at]
        public[at], public[other] = public[other], public[at]
        seen[at], seen[other] = seen[other], seen[at]
        if public[other] > LOW:
            public[other] = likely(GIVEN, 0)
        cards.known[at] = self._known_by[other] >> self.seat & 1 > 0
        cards.known[other] = self._known_by[at] >> other // ROW & 1 > 0
        return self.outcome(1.0, cards, SWAP)

    def _peeks(self) -> Iterator[tuple[ACTION, OUTCOMES]]:
        seen: set[int] = set()
        for at in self._mine:
            if self._cards[at] < 0 and self.came[at] not in seen:
                seen.add(self.came[at])
                yield [Peek.verb, at % ROW], self._peek(at)

    def _peek(self, at: int) -> OUTCOMES:
        """Return the outcomes of a peek: all cards that this one may be."""
        found: OUTCOMES = []
        weights = [p * w for p, w in zip(self._odds, PEEKED.get(self.came[at], EVEN), strict=True)]
        total = sum(weights)
        for card, weight in enumerate(weights):
            if weight > 0:
                cards = self.now.copy()
                cards.points[at] = card if card <= NINE else MEAN
                cards.known[at] = cards.seen[at] = True
                found += self.outcome(weight / total, cards, PEEK)
        return found or self.outcome(1.0, self.now, PEEK)


EVEN = [1.0] * KINDS
PEEKED = {
    STOLEN: [1.0] * 5 + [0.4] * 4 + [0.0] * 4,
    GIVEN: [0.2] * 5 + [1.7] * 8,
}
"""How much more likely each card is, among stolen or given-away cards, than in the pile."""


if __name__ == "__main__":
    run(Search())
