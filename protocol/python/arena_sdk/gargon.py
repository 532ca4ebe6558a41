"""Gargon: views, moves and events in types, and helpers for cards; see `arena game show gargon`."""

from __future__ import annotations

from arena_sdk.typed import Event, Fields, Move, Number, typed_events, typed_moves

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

__all__ = [
    "COLOURS",
    "HIGHEST",
    "Battle",
    "BattleBegan",
    "Dealt",
    "Draw",
    "Drew",
    "Event",
    "Fought",
    "Move",
    "Pass",
    "Passed",
    "Play",
    "Played",
    "Revealed",
    "Round",
    "Rules",
    "Scored",
    "View",
    "Won",
    "amulets",
    "card",
    "card_name",
    "colour",
    "colour_name",
    "copies",
    "counts",
    "events",
    "moves",
    "shape",
    "value",
]

# Cards. A card is `colour * 16 + value`; the two zeros of a colour are the same number.

COLOURS = ("white", "blue", "violet", "red", "yellow", "green")
"""The names of the colours, which are numbers from 0."""
HIGHEST = 15
"""The highest value of a card; the lowest is 0."""


def colour(card: int) -> int:
    """Return the colour of a card."""
    return card >> 4


def value(card: int) -> int:
    """Return the value of a card, 0 to 15."""
    return card & HIGHEST


def card(colour: int, value: int) -> int:
    """Return the card of a colour and a value."""
    return colour << 4 | value


def colour_name(colour: int) -> str:
    """Return the name of a colour: "red"."""
    return COLOURS[colour]


def card_name(card: int) -> str:
    """Return the name of a card: "red 9"."""
    return f"{COLOURS[card >> 4]} {card & HIGHEST}"


def copies(card: int) -> int:
    """Return how many of this card the pack has: two of a zero, one of any other."""
    return 1 if card & HIGHEST else 2


def counts(cards: Iterable[int]) -> list[int]:
    """Return the number of cards of each colour."""
    found = [0] * len(COLOURS)
    for each in cards:
        found[each >> 4] += 1
    return found


def shape(cards: Iterable[int]) -> list[int]:
    """Return the shape of a play, most first: [2, 1] is two of one colour and one of another."""
    return sorted(filter(None, counts(cards)), reverse=True)


def amulets(card: int, rules: Rules) -> int:
    """Return the amulets on a card."""
    at = (card & HIGHEST) - 1
    return rules.amulets[at] if 0 <= at < len(rules.amulets) else 0


# Rules and views


class Rules(Fields):
    """The options of a game, made from `rules` of its start."""

    open_winnings: bool
    """Whether won cards lie open for all to see."""
    amulets: list[int]
    """Amulets on the cards of value 1 to 12."""


class View(Fields):
    """What a seat sees, made from `view` of a question.

    Lists with one entry per seat start with seat 0.
    """

    seat: int
    """Your seat."""
    turn: int
    """The seat that has to decide, -1 after the end."""
    kind: str
    """What it has to decide, empty after the end."""
    round: int
    """The number of the round, from 0."""
    starter: int
    """The starter of the round."""
    shape: list[int] | None
    """The starter's shape, most first; None until he has played."""
    passed: list[bool]
    """Who passed in this round."""
    hand: list[int]
    """Your cards, ascending."""
    hands: list[list[int]]
    """Every hand by the colours on the backs: how many cards of each colour."""
    played: list[list[int]]
    """The cards before each seat on the table: how many of each colour."""
    table: list[list[int] | None]
    """The cards before each seat on the table; None while they lie face down to you."""
    stacks: list[list[int]]
    """The colours on the backs of both stacks, the top card first."""
    won: list[list[int] | None]
    """The piles of won cards; None for other seats before the end, unless winnings are open."""
    discards: list[int]
    """All discarded cards, in the order in which they were discarded."""
    fighting: int
    """The colour of the battle going on, -1 if none."""
    drawing: list[int]
    """Who still draws a card for the one he lost, in order."""

    def others(self) -> list[int]:
        """Return the seats of the others, clockwise from you."""
        seats = len(self.hands)
        return [(self.seat + step) % seats for step in range(1, seats)]

    def seats_after(self) -> list[int]:
        """Return the seats that play or pass after you in this round, in their order."""
        return self.others()[: (self.starter - self.seat - 1) % len(self.hands)]

    def own_table(self) -> list[int]:
        """Return your cards on the table."""
        return self.table[self.seat] or []

    def own_won(self) -> list[int]:
        """Return the cards that you have won."""
        return self.won[self.seat] or []


# Moves


class Play(Move):
    """Put one to three cards of your hand before you, face down."""

    __slots__ = ()
    verb = "play"

    @property
    def cards(self) -> list[int]:
        """The cards."""
        return self[1:]


class Pass(Move):
    """Pass, and draw these numbers of cards from stack 0 and from stack 1."""

    __slots__ = ()
    __match_args__ = ("first", "second")
    verb = "pass"
    first, second = Number(1), Number(2)

    def __init__(self, first: int, second: int) -> None:
        self.extend((self.verb, first, second))


class Battle(Move):
    """Fight in this colour."""

    __slots__ = ()
    __match_args__ = ("colour",)
    verb = "battle"
    colour = Number(1)

    def __init__(self, colour: int) -> None:
        self.extend((self.verb, colour))


class Draw(Move):
    """Draw the top card of this stack."""

    __slots__ = ()
    __match_args__ = ("stack",)
    verb = "draw"
    stack = Number(1)

    def __init__(self, stack: int) -> None:
        self.extend((self.verb, stack))


MOVES: dict[str, type[Move]] = {kind.verb: kind for kind in (Play, Pass, Battle, Draw)}


def moves(actions: Iterable[list[Any]]) -> Iterator[Move]:
    """Yield `actions` of a question in their types, one when it is asked for."""
    return typed_moves(MOVES, actions)


# Events. What only one seat may see is None for all others.


class Dealt(Event):
    """A hand was dealt; only its owner sees the cards."""

    seat: int
    colours: list[int]
    cards: list[int] | None = None


class Round(Event):
    """A round began."""

    round: int
    starter: int


class Played(Event):
    """Cards were played face down; only their owner sees which."""

    seat: int
    colours: list[int]
    cards: list[int] | None = None


class Passed(Event):
    """A seat passed and drew so many cards from each stack; only it sees which."""

    seat: int
    amounts: list[int]
    colours: list[int]
    cards: list[int] | None = None


class Revealed(Event):
    """The played cards were turned up."""

    table: list[list[int]]


class BattleBegan(Event):
    """A colour was chosen for battle."""

    seat: int
    colour: int


class Fought(Event):
    """The card of each of these seats fought; the winner keeps his, the others are discarded.

    The winner is -1 if all were zeros, and nobody draws.
    """

    seats: list[int]
    cards: list[int]
    winner: int


class Won(Event):
    """The only seat left in a colour won its cards."""

    seat: int
    cards: list[int]


class Drew(Event):
    """A seat drew a card for the one it lost; only it sees which."""

    seat: int
    stack: int
    colour: int
    card: int | None = None


class Scored(Event):
    """The game ended; all piles are shown, and the points by seat."""

    won: list[list[int]]
    scores: list[int]


EVENTS: dict[str, type[Event]] = {
    "dealt": Dealt,
    "round": Round,
    "played": Played,
    "passed": Passed,
    "revealed": Revealed,
    "battle": BattleBegan,
    "fought": Fought,
    "won": Won,
    "drew": Drew,
    "scored": Scored,
}


def events(told: Iterable[dict[str, Any]]) -> Iterator[Event]:
    """Yield `events` of a question or of an end in their types, one when it is asked for."""
    return typed_events(EVENTS, told)
