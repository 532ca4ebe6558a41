"""Gargon's table for pages: hands, cards on the table, what was won, stacks and discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from arena.games.game import View
from arena.games.gargon.cards import COLOUR_SHIFT, COLOURS
from arena.games.gargon.words import back, front
from arena.games.score_parts import ScorePart
from arena.games.table import Card, Cell, Mark, Scene, SeatScene, Suit, TableLayout, Zone
from arena.wording import counted

LAYOUT = TableLayout(
    suits=(
        Suit("white", "#f8f7f1", "#1b1b1f", "ring"),
        Suit("blue", "#4aa3e8", "#1b1b1f", "triangle"),
        Suit("violet", "#6b359a", "#ffffff", "diamond"),
        Suit("red", "#b80d0d", "#ffffff", "cross"),
        Suit("yellow", "#eec23a", "#1b1b1f", "star"),
        Suit("green", "#2b7559", "#ffffff", "square"),
    ),
    seat_zones=(
        Zone("Hand", "cards", 320),
        Zone("On the table", "cards", 100),
        Zone("Won: points, cards, amulets × zeros + majority", "cells", 0, COLOURS),
    ),
    shared_zones=(
        Zone("Stack 0", "strip", 400),
        Zone("Stack 1", "strip", 400),
        Zone("Discards", "cards", 1000),
    ),
    period="Round",
    plotted="Points",
)


_UNKNOWN = (Cell("?"),) * len(COLOURS)


def scene(view: View, event: View | None, parts: Sequence[Sequence[ScorePart] | None]) -> Scene:
    """Return what lies on the table; a fight that was just decided still lies there."""
    fights = _fighters(event)
    seats = []
    for seat, counts in enumerate(view["hands"]):
        of = parts[seat]
        points = None if of is None else sum([part.points for part in of])
        played = _on_table(view, seat)
        seats.append(
            SeatScene(
                points=points,
                words=_words(view, seat, sum(counts)),
                plotted=points,
                zones=(
                    _hand(view, seat, counts),
                    (*fights[seat], *played) if seat in fights else played,
                    _won(view["won"][seat], of),
                ),
            )
        )
    stacks = [_stack(tuple(stack)) for stack in view["stacks"]]
    discards = _fronts(tuple(sorted(view["discards"])))
    return Scene(view["round"], seats, (*stacks, discards))


def _words(view: View, seat: int, cards: int) -> str:
    words = [counted(cards, "card")]
    if seat == view["starter"]:
        words.append("starter")
    if view["passed"][seat]:
        words.append("passed")
    return ", ".join(words)


def _hand(view: View, seat: int, counts: Sequence[int]) -> Sequence[Card]:
    """Fronts where they are seen; else backs by colour, as their order would tell values."""
    if "fronts" in view:
        return _fronts(tuple(view["fronts"][seat]))
    if seat == view["seat"]:
        return _fronts(tuple(view["hand"]))
    return _backs(tuple(counts))


def _on_table(view: View, seat: int) -> Sequence[Card]:
    cards = view["table"][seat]
    if cards is None:
        return _backs(tuple(view["played"][seat]), "down")
    return _fronts(tuple(cards), "down" if view["kind"] == "play" else "")


# The same cards lie at the same place for many events, and for all who look. So each pile is made
# once, and whoever draws it need not look at its cards again.


@lru_cache(maxsize=1024)
def _fronts(cards: Sequence[int], mark: Mark = "") -> Sequence[Card]:
    return tuple([_front(card, mark) for card in cards])


@lru_cache(maxsize=1024)
def _backs(counts: Sequence[int], mark: Mark = "") -> Sequence[Card]:
    return tuple([_back(colour, mark) for colour, n in enumerate(counts) for _ in range(n)])


@lru_cache(maxsize=1024)
def _stack(colours: Sequence[int]) -> Sequence[Card]:
    return tuple([_back(colour) for colour in colours])


@cache
def _front(card: int, mark: Mark = "") -> Card:
    return Card(front(card), mark)


@cache
def _back(colour: int, mark: Mark = "") -> Card:
    return Card(back(colour), mark)


def _fighters(event: View | None) -> dict[int, list[Card]]:
    """The cards of a fight that was just decided, by seat."""
    if event is None or event["event"] != "fought":
        return {}
    return {
        seat: [Card(front(card), "won" if seat == event["winner"] else "lost")]
        for seat, card in zip(event["seats"], event["cards"], strict=True)
    }


def _won(pile: Sequence[int] | None, parts: Sequence[ScorePart] | None) -> Sequence[Cell]:
    if pile is None or parts is None:
        return _UNKNOWN
    return _cells(tuple(pile), tuple(parts))


@lru_cache(maxsize=64)
def _cells(pile: Sequence[int], parts: Sequence[ScorePart]) -> Sequence[Cell]:
    counts = Counter(card >> COLOUR_SHIFT for card in pile)
    return tuple(
        Cell(str(part.points), (counted(counts[colour], "card"), part.how))
        if counts[colour]
        else Cell("")
        for colour, part in enumerate(parts)
    )
