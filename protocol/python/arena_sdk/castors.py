"""Gang de Castors: views, moves and events in types, and the odds of hidden cards.

`arena game show castors` describes everything.
"""

from __future__ import annotations

from arena_sdk.typed import Event, Fields, Move, Number, typed_events, typed_moves

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

__all__ = [
    "DRAW",
    "KINDS",
    "NINE",
    "PEEK",
    "ROW",
    "SWAP",
    "UNKNOWN",
    "Call",
    "Called",
    "Counted",
    "Deal",
    "Discard",
    "Discarded",
    "Draw",
    "Drawing",
    "Drew",
    "Event",
    "Keep",
    "Kept",
    "Looked",
    "Move",
    "Peek",
    "Peeked",
    "Reject",
    "Rejected",
    "Replaced",
    "Reshuffled",
    "Rules",
    "Swap",
    "Swapped",
    "Take",
    "Took",
    "View",
    "Wait",
    "card_name",
    "events",
    "is_special",
    "mean_value",
    "moves",
    "odds",
    "value",
]

# Cards. A card is 0 to 9, its value, or one of three special cards.

UNKNOWN = -1
"""A card that you cannot know."""
NINE = 9
"""The highest value."""
SWAP = 10
"""The card that exchanges one of your cards for any one of another seat."""
PEEK = 11
"""The card that looks at one of your cards."""
DRAW = 12
"""The card that draws another one, which can be rejected for a second one."""
KINDS = 13
"""How many different cards there are."""
ROW = 4
"""How many cards a row has."""
SPECIAL = {UNKNOWN: "unknown", SWAP: "swap", PEEK: "peek", DRAW: "draw"}


def value(card: int) -> int | None:
    """Return the points of a value card; None for a special or an unknown card."""
    return card if 0 <= card <= NINE else None


def is_special(card: int) -> bool:
    """Return whether a card is swap, peek or draw."""
    return card > NINE


def card_name(card: int) -> str:
    """Return the name of a card: "5", "swap", or "unknown"."""
    return SPECIAL.get(card) or str(card)


# Odds. A pool is the number of each card, 0 to 12, among cards that you cannot tell apart.


def odds(pool: list[int]) -> list[float]:
    """Return the probability of each card, 0 to 12, for a card from this pool."""
    total = sum(pool)
    return [count / total for count in pool] if total else [0.0] * len(pool)


def mean_value(pool: list[int]) -> float:
    """Return the mean of the value cards in this pool; 0 if it has none."""
    values = pool[: NINE + 1]
    points = sum(card * count for card, count in enumerate(values))
    return points / max(1, sum(values))


# Rules and views


class Rules(Fields):
    """The options of a game, made from `rules` of its start."""

    laps: int
    """The number of laps after which a deal ends even if nobody has called."""


class View(Fields):
    """What a seat sees, made from `view` of a question.

    Lists with one entry per seat start with seat 0; rows have one entry per position.
    """

    seat: int
    """Your seat."""
    turn: int
    """The seat that has to decide, -1 after the end."""
    kind: str
    """What it has to decide, empty after the end."""
    deal: int
    """The number of the deal, from 0."""
    deals: int
    """How many deals the game has."""
    dealer: int
    """The dealer; his left neighbour began."""
    moves: int
    """How many turns were completed in this deal."""
    caller: int
    """Who called the last round, -1 if nobody has."""
    rows: list[list[int]]
    """The rows of all seats, with -1 for a card that you cannot know."""
    known_by: list[list[int]]
    """Who knows which card of the rows: the sum of 2 ** seat over the seats that do."""
    kept: list[list[bool]]
    """Which cards were drawn and kept, so that they are surely value cards."""
    discards: list[int]
    """The discards, the top card last."""
    pile: int
    """How many cards the pile has."""
    drawn: int | None
    """The card that the seat in turn has drawn, -1 if that is not you; None if there is none."""
    rejectable: bool
    """Whether the drawn card can be rejected for a second one."""
    pools: list[list[int]]
    """The cards that you cannot locate, by shuffle; the last pool is that of the pile."""
    row_pools: list[list[int]]
    """The pool from which each card of the rows came."""
    drawn_pool: int
    """The pool from which the drawn card came, -1 if none."""
    totals: list[int]
    """The points of the deals so far, by seat."""

    def others(self) -> list[int]:
        """Return the seats of the others, clockwise from you."""
        seats = len(self.rows)
        return [(self.seat + step) % seats for step in range(1, seats)]

    def own_row(self) -> list[int]:
        """Return your row."""
        return self.rows[self.seat]

    def top_discard(self) -> int:
        """Return the open card, which can be taken unless it is special."""
        return self.discards[-1] if self.discards else UNKNOWN

    def pool(self, seat: int, position: int) -> list[int]:
        """Return the pool from which a card of a row came."""
        return self.pools[self.row_pools[seat][position]]

    def pile_pool(self) -> list[int]:
        """Return the pool of the pile."""
        return self.pools[-1]

    def expected_points(self, seat: int, position: int) -> float:
        """Return the mean points of a card of a row at the end, when special cards are replaced."""
        card = self.rows[seat][position]
        if card == UNKNOWN:
            return mean_value(self.pool(seat, position))
        return mean_value(self.pile_pool()) if card > NINE else card


# Moves


class Draw(Move):
    """In a turn: draw the top card of the pile. Of a draw card: play it."""

    __slots__ = ()
    verb = "draw"

    def __init__(self) -> None:
        self.append(self.verb)


class Take(Move):
    """Take the top discard and put it into your row, at this position."""

    __slots__ = ()
    __match_args__ = ("position",)
    verb = "take"
    position = Number(1)

    def __init__(self, position: int) -> None:
        self.extend((self.verb, position))


class Keep(Move):
    """Put the drawn value card into your row, at this position."""

    __slots__ = ()
    __match_args__ = ("position",)
    verb = "keep"
    position = Number(1)

    def __init__(self, position: int) -> None:
        self.extend((self.verb, position))


class Swap(Move):
    """Play the swap card: exchange your card at a position for one of another seat."""

    __slots__ = ()
    __match_args__ = ("position", "other", "other_position")
    verb = "swap"
    position, other, other_position = Number(1), Number(2), Number(3)

    def __init__(self, position: int, other: int, other_position: int) -> None:
        self.extend((self.verb, position, other, other_position))


class Peek(Move):
    """Play the peek card: look at your card at this position."""

    __slots__ = ()
    __match_args__ = ("position",)
    verb = "peek"
    position = Number(1)

    def __init__(self, position: int) -> None:
        self.extend((self.verb, position))


class Discard(Move):
    """Put the drawn card on the discards, without effect."""

    __slots__ = ()
    verb = "discard"

    def __init__(self) -> None:
        self.append(self.verb)


class Reject(Move):
    """Discard the first card from a draw card, and draw a second one that must be used."""

    __slots__ = ()
    verb = "reject"

    def __init__(self) -> None:
        self.append(self.verb)


class Call(Move):
    """Call the last round."""

    __slots__ = ()
    verb = "call"

    def __init__(self) -> None:
        self.append(self.verb)


class Wait(Move):
    """Play on."""

    __slots__ = ()
    verb = "wait"

    def __init__(self) -> None:
        self.append(self.verb)


MOVES: dict[str, type[Move]] = {
    kind.verb: kind for kind in (Draw, Take, Keep, Swap, Peek, Discard, Reject, Call, Wait)
}


def moves(actions: Iterable[list[Any]]) -> Iterator[Move]:
    """Yield `actions` of a question in their types, one when it is asked for."""
    return typed_moves(MOVES, actions)


# Events. What only one seat may see is None for all others.


class Deal(Event):
    """A deal began, and a card was turned up."""

    deal: int
    dealer: int
    card: int


class Looked(Event):
    """A seat looked at the ends of its row; only it sees the cards."""

    seat: int
    positions: list[int]
    cards: list[int] | None = None


class Took(Event):
    """A seat took the top discard into its row."""

    seat: int
    card: int
    position: int
    discarded: int


class Drew(Event):
    """A seat drew; only it sees the card."""

    seat: int
    card: int | None = None


class Kept(Event):
    """A seat put the drawn card into its row."""

    seat: int
    position: int
    discarded: int


class Discarded(Event):
    """A seat discarded the drawn card."""

    seat: int
    card: int


class Rejected(Event):
    """A seat rejected the drawn card."""

    seat: int
    card: int


class Swapped(Event):
    """A seat played a swap card."""

    seat: int
    position: int
    other: int
    other_position: int


class Peeked(Event):
    """A seat played a peek card; only it sees what it looked at."""

    seat: int
    position: int
    card: int | None = None


class Drawing(Event):
    """A seat played a draw card."""

    seat: int


class Reshuffled(Event):
    """The discards became a new pile of so many cards."""

    pile: int


class Called(Event):
    """A seat called the last round."""

    seat: int


class Replaced(Event):
    """A special card in a row was replaced at the end of a deal.

    `cards` are those set aside, then the one that stayed.
    """

    seat: int
    position: int
    cards: list[int]


class Counted(Event):
    """A deal ended; all rows are shown, and the points of this deal and of all so far."""

    rows: list[list[int]]
    points: list[int]
    totals: list[int]


EVENTS: dict[str, type[Event]] = {
    "deal": Deal,
    "looked": Looked,
    "took": Took,
    "drew": Drew,
    "kept": Kept,
    "discarded": Discarded,
    "rejected": Rejected,
    "swapped": Swapped,
    "peeked": Peeked,
    "drawing": Drawing,
    "reshuffled": Reshuffled,
    "called": Called,
    "replaced": Replaced,
    "counted": Counted,
}


def events(told: Iterable[dict[str, Any]]) -> Iterator[Event]:
    """Yield `events` of a question or of an end in their types, one when it is asked for."""
    return typed_events(EVENTS, told)
