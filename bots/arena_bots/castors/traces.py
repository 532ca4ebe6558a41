"""Public information about the players and their rows, collected from the events of a game.

There are two kinds: about hidden cards (what each replaced, and what its owner declined to put in
its place), and about players (how often each calls, what he replaces, and how often he makes an odd
move, which a player who wants to win would not make).
"""

from __future__ import annotations

from collections.abc import Iterable

from arena_sdk.castors import (
    DRAW,
    NINE,
    PEEK,
    ROW,
    SWAP,
    Called,
    Deal,
    Discarded,
    Drawing,
    Drew,
    Event,
    Kept,
    Looked,
    Peeked,
    Rejected,
    Swapped,
    Took,
)

NONE = 10
"""No bound: more than the points of any card."""
MIDDLE = 5
"""The points of an action card, and of a card that its owner does not know."""
GIFT = 2
"""A player who wants to win does not give away or leave a card as low as this."""


class Traces:
    """What has been seen in a game so far.

    For the card at position p of seat s, at index 4 s + p: `threw` has the points of the card that
    it replaced; `stayed` the lowest points that its owner declined to put in its place; `left`
    the lowest open card that he left; `author` the seat that put it there; `since` the turn of the
    deal in which this happened.
    """

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.moves = 0
        self._might_call = -1
        self._placed = [0] * seats
        self._thrown = [0] * seats
        self._turns = [0] * seats
        self._odd = [0] * seats
        self._calls = [0] * seats
        self._chances = [0] * seats
        self._open(NONE)

    def oddness(self, seat: int) -> float:
        """Return how often a seat makes a move that no player who wants to win would make."""
        return self._odd[seat] / (self._turns[seat] + 2)

    def throws(self, seat: int) -> float:
        """Return the mean of the cards that a seat has replaced, in tens of points."""
        return (self._thrown[seat] + 14) / (self._placed[seat] + 2) / 10

    def haste(self, seat: int) -> float:
        """Return how often a seat calls when it may."""
        return (self._calls[seat] + 0.5) / (self._chances[seat] + 2)

    def follow(self, events: Iterable[Event], asked_to_call: bool) -> None:
        """Process events. Unless `asked_to_call`, the last seat that might call has waited."""
        for event in events:
            if self._might_call >= 0:
                self._decided(isinstance(event, Called))
            self._see(event)
        if self._might_call >= 0 and not asked_to_call:
            self._decided(False)

    def _see(self, event: Event) -> None:
        match event:
            case Drew():
                self._drew(event.seat)
            case Discarded():
                self._discarded(event)
            case Kept():
                self._kept(event)
            case Took():
                self._took(event)
            case Swapped():
                self._swapped(event)
            case Peeked():
                self._known_by[ROW * event.seat + event.position] |= 1 << event.seat
                self._end_turn(event.seat, PEEK)
            case Drawing():
                self._top = DRAW
            case Rejected():
                self._top = event.card
            case Called():
                self._caller = event.seat
            case Looked():
                for position in event.positions:
                    self._known_by[ROW * event.seat + position] |= 1 << event.seat
            case Deal():
                self._open(event.card)

    def _decided(self, called: bool) -> None:
        self._chances[self._might_call] += 1
        self._calls[self._might_call] += called
        self._might_call = -1

    def _open(self, card: int) -> None:
        places = ROW * self.seats
        self.threw = [NONE] * places
        self.stayed = [NONE] * places
        self.left = [NONE] * places
        self.author = [at // ROW for at in range(places)]
        self.since = [0] * places
        self._known_by = [0] * places
        self._top = card
        self._drawing = False
        self._caller = -1
        self._might_call = -1
        self.moves = 0

    def _end_turn(self, seat: int, top: int) -> None:
        self._top = top
        self._drawing = False
        self.moves += 1
        self._turns[seat] += 1
        if self._caller < 0 and self.moves >= self.seats:
            self._might_call = seat

    def _drew(self, seat: int) -> None:
        if not self._drawing and self._top <= NINE:
            self._at_most(self.left, seat, self._top)
        self._drawing = True

    def _took(self, event: Took) -> None:
        seat, old, card = event.seat, event.discarded, event.card
        at = ROW * seat + event.position
        known = self._knows(seat, at)
        self._odd[seat] += old <= card if known else card > MIDDLE
        self._replaced(seat, at, old, known)
        self._known_by[at] = (1 << self.seats) - 1

    def _kept(self, event: Kept) -> None:
        seat, old = event.seat, event.discarded
        at = ROW * seat + event.position
        known = self._knows(seat, at)
        self._odd[seat] += known and old <= GIFT
        self._replaced(seat, at, old, known)
        self._known_by[at] = 1 << seat

    def _discarded(self, event: Discarded) -> None:
        seat, card = event.seat, event.card
        if card <= NINE:
            row = range(ROW * seat, ROW * seat + ROW)
            self._odd[seat] += card <= GIFT and not all(self._knows(seat, at) for at in row)
            self._at_most(self.stayed, seat, card + 1)
        self._end_turn(seat, card)

    def _swapped(self, event: Swapped) -> None:
        seat = event.seat
        mine = ROW * seat + event.position
        theirs = ROW * event.other + event.other_position
        for traces in (self.threw, self.stayed, self.left, self.author):
            traces[mine] = traces[theirs]
        self.since[mine] = self.moves
        self._put(theirs, seat, NONE)
        known = self._known_by
        known[mine], known[theirs] = known[theirs], known[mine]
        self._end_turn(seat, SWAP)

    def _knows(self, seat: int, at: int) -> bool:
        return self._known_by[at] >> seat & 1 > 0

    def _at_most(self, bounds: list[int], seat: int, points: int) -> None:
        for at in range(ROW * seat, ROW * seat + ROW):
            bounds[at] = min(bounds[at], points)

    def _replaced(self, seat: int, at: int, card: int, known: bool) -> None:
        old = card if card <= NINE else MIDDLE
        self._placed[seat] += 1
        self._thrown[seat] += old
        self._at_most(self.stayed, seat, old if known else MIDDLE)
        self._put(at, seat, old)
        self._end_turn(seat, card)

    def _put(self, at: int, seat: int, old: int) -> None:
        self.threw[at] = old
        self.stayed[at] = self.left[at] = NONE
        self.author[at] = seat
        self.since[at] = self.moves
