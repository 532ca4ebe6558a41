"""JSON Schemas of the decisions, views and events of Gargon."""

from __future__ import annotations

from typing import Any

from arena.games.events import EventForm
from arena.games.gargon.cards import CARDS, COLOURS
from arena.games.schema import (
    action,
    array,
    boolean,
    choice,
    decision,
    fixed,
    integer,
    nullable,
    record,
)

NAMES = ", ".join(f"{number} {name}" for number, name in enumerate(COLOURS))
CARD = integer(0, CARDS - 1, "A card: colour * 16 + value.")
COLOUR = integer(0, 5, f"A colour: {NAMES}.")
SEAT = integer(0, 4, "A seat.")
STACK = integer(0, 1, "A stack.")
AMOUNT = integer(0, 3, "How many cards.")
COUNTS = fixed(integer(0, None, "How many."), 6, "How many cards of each colour.")

DECISIONS = {
    "play": decision(
        "It is your turn to play cards face down, or to pass. The round's starter chooses the "
        "shape and cannot pass; the others must match the shape, and the last player in turn "
        "order may use only colours that lie on the table.",
        action(
            "play",
            "Put one to three cards of your hand before you, face down, in any order, never "
            "three of one colour.",
            ("card", CARD),
            ("card", CARD),
            ("card", CARD),
            least=1,
            example=["play", 53, 66, 70],
        ),
        action(
            "pass",
            "Pass, and draw one to three cards: these numbers from the top of stack 0 and of "
            "stack 1. None if both are empty.",
            ("from stack 0", AMOUNT),
            ("from stack 1", AMOUNT),
            example=["pass", 2, 1],
        ),
    ),
    "battle": decision(
        "The cards are turned up, and you choose the colour of the next battle among the "
        "colours of your cards on the table.",
        action("battle", "Fight in this colour.", ("colour", COLOUR), example=["battle", 4]),
    ),
    "draw": decision(
        "You lost a card in the battle and draw one for it. Asked only while both stacks have "
        "cards.",
        action("draw", "Draw the top card of this stack.", ("stack", STACK), example=["draw", 0]),
    ),
}

VIEW = record(
    "What a seat sees. Lists with one entry per seat start with seat 0.",
    {
        "seat": integer(0, 4, "Your seat."),
        "turn": integer(-1, 4, "The seat that has to decide, -1 after the end."),
        "kind": choice([*DECISIONS, ""], "What it has to decide, empty after the end."),
        "round": integer(0, None, "The number of the round, from 0."),
        "starter": integer(0, 4, "The starter of the round."),
        "shape": nullable(
            array(
                integer(1, 2, "Cards of one colour."),
                "The starter's shape, most first: [2, 1] "
                "is two cards of one colour and one of another.",
                least=1,
                most=3,
            ),
            "Nil until he has played.",
        ),
        "passed": array(boolean("Whether the seat passed."), "Who passed in this round."),
        "hand": array(CARD, "Your cards, ascending."),
        "hands": array(COUNTS, "Every hand by the colours on the backs."),
        "played": array(COUNTS, "The cards before each seat on the table, by colour."),
        "table": array(
            nullable(array(CARD, "Cards on the table."), "Nil while they lie face down to you."),
            "The cards before each seat on the table.",
        ),
        "stacks": fixed(
            array(COLOUR, "Backs."),
            2,
            "The colours on the backs of both stacks, the top card first.",
        ),
        "won": array(
            nullable(
                array(CARD, "Won cards."),
                "Nil for other seats before the end, unless winnings are open.",
            ),
            "The piles of won cards, in the order in which they were won.",
        ),
        "discards": array(CARD, "All discarded cards, in the order in which they were discarded."),
        "fighting": integer(-1, 5, "The colour of the battle going on, -1 if none."),
        "drawing": array(SEAT, "Who still draws a card for the one he lost, in order."),
    },
)

_CARDS = array(CARD, "The cards.")
_COLOURS = array(COLOUR, "The colours of the cards.")


def _event(name: str, summary: str, fields: dict[str, Any], *private: str) -> tuple[str, EventForm]:
    return name, EventForm(name, summary, fields, frozenset(private))


EVENTS = dict(
    [
        _event(
            "dealt",
            "A hand was dealt; only its owner sees the cards.",
            {"seat": SEAT, "colours": _COLOURS, "cards": _CARDS},
            "cards",
        ),
        _event(
            "round",
            "A round began.",
            {"round": integer(0, None, "Its number."), "starter": SEAT},
        ),
        _event(
            "played",
            "Cards were played face down; only their owner sees which.",
            {"seat": SEAT, "colours": _COLOURS, "cards": _CARDS},
            "cards",
        ),
        _event(
            "passed",
            "A seat passed and drew; only it sees the cards.",
            {
                "seat": SEAT,
                "amounts": fixed(AMOUNT, 2, "How many from each stack."),
                "colours": _COLOURS,
                "cards": _CARDS,
            },
            "cards",
        ),
        _event(
            "revealed",
            "The played cards were turned up.",
            {"table": array(_CARDS, "The cards before each seat.")},
        ),
        _event("battle", "A colour was chosen for battle.", {"seat": SEAT, "colour": COLOUR}),
        _event(
            "fought",
            "Cards fought; the winner keeps his, the others are discarded.",
            {
                "seats": array(SEAT, "Who fought, clockwise from the starter."),
                "cards": array(CARD, "The card of each of them."),
                "winner": integer(-1, 4, "Who won; -1 if all were zeros, and nobody draws."),
            },
        ),
        _event(
            "won", "The only seat left in a colour won its cards.", {"seat": SEAT, "cards": _CARDS}
        ),
        _event(
            "drew",
            "A seat drew a card for the one it lost; only it sees which.",
            {"seat": SEAT, "stack": STACK, "colour": COLOUR, "card": CARD},
            "card",
        ),
        _event(
            "scored",
            "The game ended; all piles are shown.",
            {
                "won": array(_CARDS, "The piles of won cards."),
                "scores": array(integer(0, None, "Points."), "Points by seat."),
            },
        ),
    ]
)
