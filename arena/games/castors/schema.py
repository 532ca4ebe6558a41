"""JSON Schemas of the decisions, views and events of Gang de Castors."""

from __future__ import annotations

from typing import Any

from arena.games.castors.cards import KINDS, ROW
from arena.games.events import EventForm
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

CARD = integer(0, KINDS - 1, "A card: 0 to 9 its value, 10 swap, 11 peek, 12 draw.")
SEAT = integer(0, 5, "A seat.")
POSITION = integer(0, ROW - 1, "A position in a row.")
POINTS = integer(0, None, "Points.")

_DISCARD = action("discard", "Put the card on the discards, without effect.", example=["discard"])

DECISIONS = {
    "turn": decision(
        "Your turn begins. Asked only if the top discard is a value card; else you have to draw.",
        action("draw", "Draw the top card of the pile.", example=["draw"]),
        action(
            "take",
            "Take the top discard and put it into your row at this position; the card there is "
            "discarded. You do not look at it first.",
            ("position", POSITION),
            example=["take", 2],
        ),
    ),
    "card": decision(
        "You drew a card (`drawn` in the view) and use it: a value card can be kept, an action "
        "card played, and either discarded.",
        action(
            "keep",
            "Put the value card into your row at this position; the card there is discarded.",
            ("position", POSITION),
            example=["keep", 1],
        ),
        action(
            "swap",
            "Play the swap card: exchange your card at a position for any card of an opponent, "
            "both unseen.",
            ("own position", POSITION),
            ("seat", SEAT),
            ("its position", POSITION),
            example=["swap", 0, 2, 3],
        ),
        action(
            "peek",
            "Play the peek card: look at your card at this position.",
            ("position", POSITION),
            example=["peek", 1],
        ),
        action(
            "draw",
            "Play the draw card: draw another card, which you may reject for a second one.",
            example=["draw"],
        ),
        _DISCARD,
        action(
            "reject",
            "Only for the first card from a played draw card (`rejectable` in the view): "
            "discard it, and draw a second one that must be used.",
            example=["reject"],
        ),
    ),
    "call": decision(
        "You have moved, everybody has had a turn in this deal, and nobody has called yet.",
        action(
            "call", "Call the last round: every other seat has one more turn.", example=["call"]
        ),
        action("wait", "Play on.", example=["wait"]),
    ),
}


def _by_place(items: dict[str, Any], description: str) -> dict[str, Any]:
    return array(fixed(items, ROW, "By position."), description)


VIEW = record(
    "What a seat sees. Lists with one entry per seat start with seat 0.",
    {
        "seat": integer(0, 5, "Your seat."),
        "turn": integer(-1, 5, "The seat that has to decide, -1 after the end."),
        "kind": choice([*DECISIONS, ""], "What it has to decide, empty after the end."),
        "deal": integer(0, None, "The number of the deal, from 0."),
        "deals": integer(1, None, "How many deals the game has."),
        "dealer": integer(0, 5, "The dealer; his left neighbour began."),
        "moves": integer(0, None, "How many turns were completed in this deal."),
        "caller": integer(-1, 5, "Who called the last round, -1 if nobody has."),
        "rows": _by_place(
            integer(-1, KINDS - 1, "A card, -1 if you cannot know it."), "The rows of all seats."
        ),
        "known_by": _by_place(
            integer(0, 63, "The sum of 2 ** seat over the seats that know the card."),
            "Who knows which card of the rows.",
        ),
        "kept": _by_place(
            boolean("Whether the card was drawn and kept, so that it is surely a value card."),
            "Which cards were drawn and kept, as everybody knows; this moves with a swapped card.",
        ),
        "discards": array(CARD, "The discards, the top card last."),
        "pile": integer(0, None, "How many cards the pile has."),
        "drawn": nullable(
            integer(
                -1, KINDS - 1, "The card that the seat in turn has drawn, -1 if that is not you."
            ),
            "Nil if there is none.",
        ),
        "rejectable": boolean("Whether the drawn card can be rejected for a second one."),
        "pools": array(
            fixed(integer(0, None, "How many."), KINDS, "By card."),
            "How many of each card you cannot locate, by the shuffle that they came from; the "
            "last pool is that of the pile.",
        ),
        "row_pools": _by_place(
            integer(0, None, "A pool."), "The pool from which each card of the rows came."
        ),
        "drawn_pool": integer(-1, None, "The pool from which the drawn card came, -1 if none."),
        "totals": array(POINTS, "The points of the deals so far, by seat."),
    },
)


def _event(name: str, summary: str, fields: dict[str, Any], *private: str) -> tuple[str, EventForm]:
    return name, EventForm(name, summary, fields, frozenset(private))


EVENTS = dict(
    [
        _event(
            "deal",
            "A deal began, and a card was turned up.",
            {"deal": integer(0, None, "Its number."), "dealer": SEAT, "card": CARD},
        ),
        _event(
            "looked",
            "A seat looked at the ends of its row; only it sees the cards.",
            {
                "seat": SEAT,
                "positions": array(POSITION, "Where."),
                "cards": array(CARD, "What lies there."),
            },
            "cards",
        ),
        _event(
            "took",
            "A seat took the top discard into its row.",
            {"seat": SEAT, "card": CARD, "position": POSITION, "discarded": CARD},
        ),
        _event("drew", "A seat drew; only it sees the card.", {"seat": SEAT, "card": CARD}, "card"),
        _event(
            "kept",
            "A seat put the drawn card into its row.",
            {"seat": SEAT, "position": POSITION, "discarded": CARD},
        ),
        _event("discarded", "A seat discarded the drawn card.", {"seat": SEAT, "card": CARD}),
        _event("rejected", "A seat rejected the drawn card.", {"seat": SEAT, "card": CARD}),
        _event(
            "swapped",
            "A seat played a swap card.",
            {"seat": SEAT, "position": POSITION, "other": SEAT, "other_position": POSITION},
        ),
        _event(
            "peeked",
            "A seat played a peek card; only it sees what it looked at.",
            {"seat": SEAT, "position": POSITION, "card": CARD},
            "card",
        ),
        _event("drawing", "A seat played a draw card.", {"seat": SEAT}),
        _event(
            "reshuffled",
            "The discards became a new pile.",
            {"pile": integer(0, None, "How many cards it has.")},
        ),
        _event("called", "A seat called the last round.", {"seat": SEAT}),
        _event(
            "replaced",
            "An action card in a row was replaced at the end of a deal.",
            {
                "seat": SEAT,
                "position": POSITION,
                "cards": array(CARD, "The cards set aside, then the one that stayed."),
            },
        ),
        _event(
            "counted",
            "A deal ended; all rows are shown.",
            {
                "rows": array(array(CARD, "By position."), "The rows of all seats."),
                "points": array(POINTS, "The points of this deal by seat."),
                "totals": array(POINTS, "The points of all deals so far by seat."),
            },
        ),
    ]
)
