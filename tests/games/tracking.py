"""Following every physical card of a recorded game, to know which of them a seat has seen.

A physical card is a place in the order that a shuffle led to. What no seat but the owner has
seen can be exchanged for other cards, and the seat must not notice: `disguise` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from arena.games.castors.cards import NINE, ROW
from arena.games.game import Action
from arena.games.gargon.state import HAND

from .playing import Record, events_of
from .stacked import CASTORS, GARGON

Labels: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Labels, int]
Orders: TypeAlias = dict[Labels, list[int]]


class Table:
    """Where the physical cards are, and which of them each seat has seen."""

    def __init__(self, seats: int, orders: Mapping[Labels, Sequence[int]]) -> None:
        self.orders: Orders = {labels: list(order) for labels, order in orders.items()}
        self.seen: list[set[Place]] = [set() for _ in range(seats)]
        self.last_play: list[Place] = []

    def tell(self, event: tuple[Any, ...]) -> None:
        """Follow the cards through one event."""
        getattr(self, f"_{event[0]}", lambda *_: None)(*event[1:])

    def card(self, place: Place) -> int:
        """The card that this physical card was."""
        labels, at = place
        return self.orders[labels][at]

    def show(self, places: Iterable[Place], seat: int | None = None) -> None:
        """Let a seat, or all, see these cards."""
        shown = list(places)
        for seen in self.seen if seat is None else [self.seen[seat]]:
            seen.update(shown)

    def disguise(self, seat: int, random: Random) -> Orders:
        """Other orders that this seat cannot tell from the true ones by what it has seen."""
        orders = {labels: order[:] for labels, order in self.orders.items()}
        for labels, order in self.orders.items():
            places = [(labels, at) for at in range(len(order))]
            hidden = [place for place in places if place not in self.seen[seat]]
            for pool in self.pools(hidden):
                cards = [self.card(place) for place in pool]
                for (_, at), card in zip(pool, self.redeal(pool, cards, random), strict=True):
                    orders[labels][at] = card
        return orders

    def pools(self, hidden: list[Place]) -> list[list[Place]]:
        """Hidden cards of one shuffle in groups that can be mixed."""
        raise NotImplementedError

    def redeal(self, pool: list[Place], cards: list[int], random: Random) -> list[int]:
        """The cards of a group in another order that breaks no rule."""
        raise NotImplementedError


class GargonTable(Table):
    """Gargon: backs show the colours, so cards can be exchanged within a colour only."""

    def __init__(self, seats: int, orders: Mapping[Labels, Sequence[int]]) -> None:
        super().__init__(seats, orders)
        ((labels, order),) = self.orders.items()
        places = [(labels, at) for at in range(len(order))]
        self.hands = [places[HAND * seat : HAND * seat + HAND] for seat in range(seats)]
        rest = places[HAND * seats :]
        self.stacks = [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
        self.face_down: list[Place] = []

    def pools(self, hidden: list[Place]) -> list[list[Place]]:
        return [[p for p in hidden if self.card(p) >> 4 == colour] for colour in range(6)]

    def redeal(self, pool: list[Place], cards: list[int], random: Random) -> list[int]:
        return random.sample(cards, len(cards))

    def _dealt(self, seat: int, *_: object) -> None:
        self.show(self.hands[seat], seat)

    def _played(self, seat: int, _: object, cards: list[int]) -> None:
        hand = self.hands[seat]
        self.last_play = []
        for card in cards:
            place = next(place for place in hand if self.card(place) == card)
            hand.remove(place)
            self.last_play.append(place)
        self.face_down += self.last_play

    def _revealed(self, *_: object) -> None:
        self.show(self.face_down)
        self.face_down = []

    def _passed(self, seat: int, amounts: list[int], *_: object) -> None:
        for stack, amount in enumerate(amounts):
            self._take(seat, stack, amount)

    def _drew(self, seat: int, stack: int, *_: object) -> None:
        self._take(seat, stack, 1)

    def _take(self, seat: int, stack: int, amount: int) -> None:
        drawn = [self.stacks[stack].pop(0) for _ in range(amount)]
        self.hands[seat] += drawn
        self.show(drawn, seat)


class CastorsTable(Table):
    """Gang de Castors: cards of one shuffle can be exchanged, kept ones for value cards."""

    def __init__(self, seats: int, orders: Mapping[Labels, Sequence[int]]) -> None:
        super().__init__(seats, orders)
        self.rows: list[list[Place]] = []
        self.pile: list[Place] = []
        self.discards: list[Place] = []
        self.drawn: list[Place] = []
        self.kept: set[Place] = set()
        self.shuffle: Labels = ()

    def pools(self, hidden: list[Place]) -> list[list[Place]]:
        return [sorted(hidden, key=lambda place: place not in self.kept)]

    def redeal(self, pool: list[Place], cards: list[int], random: Random) -> list[int]:
        rest = random.sample(cards, len(cards))
        dealt = []
        for place in pool:
            fits = (card for card in rest if card <= NINE or place not in self.kept)
            dealt.append(next(fits))
            rest.remove(dealt[-1])
        return dealt

    def _deal(self, deal: int, *_: object) -> None:
        seats = len(self.seen)
        self.shuffle = (deal, 0)
        size = len(self.orders[self.shuffle])
        places: list[Place] = [(self.shuffle, at) for at in range(size)]
        self.rows = [places[ROW * seat : ROW * seat + ROW] for seat in range(seats)]
        self.discards = []
        self._discard(places[ROW * seats])
        self.pile = places[ROW * seats + 1 :]

    def _discard(self, place: Place) -> None:
        self.show([place])
        self.discards.append(place)

    def _looked(self, seat: int, positions: list[int], _: object) -> None:
        self.show([self.rows[seat][position] for position in positions], seat)

    def _took(self, seat: int, _card: int, position: int, _discarded: int) -> None:
        old = self.rows[seat][position]
        self.rows[seat][position] = self.discards.pop()
        self._discard(old)

    def _drew(self, seat: int, _: object) -> None:
        self.drawn = [self.pile.pop(0)]
        self.show(self.drawn, seat)

    def _kept(self, seat: int, position: int, _: object) -> None:
        old = self.rows[seat][position]
        self.rows[seat][position] = self.drawn.pop()
        self.kept.add(self.rows[seat][position])
        self._discard(old)

    def _discarded(self, *_: object) -> None:
        self._discard(self.drawn.pop())

    _rejected = _drawing = _discarded

    def _swapped(self, seat: int, position: int, other: int, other_position: int) -> None:
        self._discarded()
        mine, theirs = self.rows[seat], self.rows[other]
        mine[position], theirs[other_position] = theirs[other_position], mine[position]

    def _peeked(self, seat: int, position: int, _: object) -> None:
        self._discarded()
        self.show([self.rows[seat][position]], seat)

    def _reshuffled(self, count: int) -> None:
        deal, number = self.shuffle
        self.shuffle = (deal, number + 1)
        self.discards = self.discards[count:]
        self.pile += [(self.shuffle, at) for at in range(count)]

    def _replaced(self, seat: int, position: int, cards: list[int]) -> None:
        fresh = [self.pile.pop(0) for _ in cards[1:]]
        self.show([self.rows[seat][position], *fresh])
        self.rows[seat][position] = fresh[-1]

    def _counted(self, *_: object) -> None:
        for row in self.rows:
            self.show(row)


TABLES: dict[str, type[Table]] = {GARGON.name: GargonTable, CASTORS.name: CastorsTable}


def disguise(game: Record, time: int, seat: int, random: Random) -> Record:
    """The game up to a time with all that this seat has not seen by then exchanged."""
    table = TABLES[game.case.game.name](game.case.seats, game.orders)
    state = game.at(0)
    for event in events_of(state):
        table.tell(event)
    played: list[list[Place]] = []
    for action in game.actions[:time]:
        heard = len(events_of(state))
        state.apply(action)
        played.append([])
        for event in events_of(state)[heard:]:
            table.tell(event)
            if action[0] == "play" and not played[-1]:
                played[-1] = table.last_play
    orders = table.disguise(seat, random)
    actions: list[Action] = []
    for action, places in zip(game.actions, played, strict=False):
        cards = sorted(orders[labels][at] for labels, at in places)
        actions.append(("play", *cards) if places else action)
    return Record(game.case, orders, actions)
