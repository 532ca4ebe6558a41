"""Gang de Castors' table for pages: rows, who knows their cards, the drawn card, discards."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.castors.words import BACK, front
from arena.games.game import View
from arena.games.score_parts import ScorePart
from arena.games.table import Card, Scene, SeatScene, Suit, TableLayout, Zone

LAYOUT = TableLayout(
    suits=(
        Suit("value", "#f8f7f1", "#1b1b1f"),
        Suit("swap", "#eec23a", "#1b1b1f", "diamond"),
        Suit("peek", "#4aa3e8", "#1b1b1f", "ring"),
        Suit("draw", "#2b7559", "#ffffff", "cross"),
        Suit("back", "#5b6472", "#ffffff", "square"),
    ),
    seat_zones=(
        Zone("Row (barred: drawn and kept); beneath: who knows the card", "row", 400),
        Zone("Drawn", "row"),
    ),
    shared_zones=(Zone("Discards, the top card last", "cards", 600), Zone("Pile", "cards", 130)),
    period="Deal",
    plotted="Sum of the row",
)
UNKNOWN = -1


def scene(view: View, parts: Sequence[Sequence[ScorePart] | None]) -> Scene:
    """Return what lies on the table."""
    seats = []
    for seat, row in enumerate(view["rows"]):
        cards = [
            Card(
                BACK if card == UNKNOWN else front(card),
                "kept" if kept else "",
                _knowers(known, len(view["rows"])),
            )
            for card, kept, known in zip(
                row, view["kept"][seat], view["known_by"][seat], strict=True
            )
        ]
        points = parts[seat]
        seats.append(
            SeatScene(
                points=None if points is None else sum(part.points for part in points),
                words=_words(view, seat),
                plotted=_row_sum(row),
                zones=(cards, _drawn(view, seat)),
            )
        )
    pile = [Card(BACK, foot=str(view["pile"]))] if view["pile"] else []
    return Scene(view["deal"], seats, ([Card(front(card)) for card in view["discards"]], pile))


def _words(view: View, seat: int) -> str:
    words = []
    if seat == view["dealer"]:
        words.append("dealer")
    if seat == view["caller"]:
        words.append("called")
    return ", ".join(words)


def _knowers(known: int, seats: int) -> str:
    """Name the seats of a bit set."""
    if known == (1 << seats) - 1:
        return "all"
    return " ".join(str(seat) for seat in range(seats) if known >> seat & 1)


def _row_sum(row: Sequence[int]) -> int | None:
    """The sum of a row, without its action cards, which are replaced; None unless all are known."""
    return None if UNKNOWN in row else sum(card for card in row if card < 10)


def _drawn(view: View, seat: int) -> list[Card]:
    if seat != view["turn"] or view["drawn"] is None:
        return []
    return [Card(BACK if view["drawn"] == UNKNOWN else front(view["drawn"]))]
